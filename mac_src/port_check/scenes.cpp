// scenes.cpp: see scenes.h.
//
// The file is plain text:
//
//      macproof scenes 1
//      scenes N
//      scene INDEX GENERATOR OBJECTS SEED WIDTH HEIGHT
//      X Y                                 for each object
//      end CRC
//
// with CR, LF or both at the ends of lines. The CRC is over all lines
// before its own, with an LF at the end of each.

#include "scenes.h"

static const long kLargestFile  = 400L * 1024;
static const long kMostScenes   = 500;
static const long kMostObjects  = 10000;
static const long kMostPixels   = 32767;

static const char kDamaged[] =
    "The file \"PortCheck Scenes\" is damaged. Copy it from the disk image again.";
static const char kNoMemory[] =
    "There is not enough memory for the file \"PortCheck Scenes\". "
    "Quit other programs, or give PortCheck more memory in the Finder.";


//----------------------------------------------------------------------
// reading text
//----------------------------------------------------------------------

// Reads words one by one. Every line of a file in memory ends with an LF,
// so no reader can run beyond it.

class Reader
{
public:
    explicit Reader(const char* at) : fAt(at) {}

    const char* At() const { return fAt; }

    Boolean Word(const char* word);
    Boolean Number(long most, long* number);
    Boolean Name(char* name, short room);
    Boolean Digits();
    Boolean Hex(unsigned long* number);
    Boolean Next(char c)            { return *fAt == c && fAt++ != NULL; }
    Boolean EndOfLine()             { return Next('\n'); }

private:
    const char* fAt;
};

Boolean Reader::Word(const char* word)
{
    while (*word != '\0')
        if (!Next(*word++))
            return false;
    return true;
}

Boolean Reader::Number(long most, long* number)
{
    const char* start = fAt;

    for (*number = 0; *fAt >= '0' && *fAt <= '9'; fAt++)
    {
        *number = 10 * *number + (*fAt - '0');
        if (*number > most)
            return false;
    }
    return fAt != start && (*start != '0' || fAt == start + 1);
}

Boolean Reader::Name(char* name, short room)
{
    short length = 0;

    for (; (*fAt >= 'a' && *fAt <= 'z') || *fAt == '-'; fAt++)
    {
        if (length == room - 1)
            return false;
        name[length++] = *fAt;
    }
    name[length] = '\0';
    return length != 0;
}

// A number that may have 64 bits and is for others.

Boolean Reader::Digits()
{
    const char* start = fAt;

    while (*fAt >= '0' && *fAt <= '9')
        fAt++;
    return fAt != start && fAt - start <= 20;
}

Boolean Reader::Hex(unsigned long* number)
{
    *number = 0;
    for (short i = 0; i < 8; i++, fAt++)
    {
        short digit;

        if (*fAt >= '0' && *fAt <= '9')
            digit = (short) (*fAt - '0');
        else if (*fAt >= 'a' && *fAt <= 'f')
            digit = (short) (*fAt - 'a' + 10);
        else
            return false;
        *number = *number << 4 | (unsigned long) digit;
    }
    return true;
}


//----------------------------------------------------------------------
// the file
//----------------------------------------------------------------------

SceneFile::SceneFile()
    : fText(NULL), fLength(0), fStarts(NULL), fCorners(NULL),
      fCount(0), fMostObjects(0), fCrc(0)
{
}

SceneFile::~SceneFile()
{
    if (fText != NULL)
        DisposePtr(fText);
    if (fStarts != NULL)
        DisposePtr((Ptr) fStarts);
    if (fCorners != NULL)
        DisposePtr((Ptr) fCorners);
}

Boolean SceneFile::Read(const unsigned char* name, const char** problem)
{
    *problem = _Load(name);
    if (*problem == NULL)
        *problem = _Check();
    return *problem == NULL;
}

// One LF for each end of a line, whatever system wrote it.

static long _UnifyLines(char* text, long length)
{
    long to = 0;

    for (long from = 0; from < length; from++)
        if (text[from] == '\r')
        {
            text[to++] = '\n';
            if (from + 1 < length && text[from + 1] == '\n')
                from++;
        }
        else
            text[to++] = text[from];
    return to;
}

const char* SceneFile::_Load(const unsigned char* name)
{
    short file;
    long size = 0;

    OSErr error = FSOpen(name, 0, &file);
    if (error == fnfErr)
        return "The file \"PortCheck Scenes\" is not there. "
               "Put it into the folder that PortCheck is in.";
    if (error != noErr)
        return "The file \"PortCheck Scenes\" cannot be opened. "
               "Another program may be using it.";

    const char* problem = NULL;

    error = GetEOF(file, &size);
    if (error == noErr && (size < 2 || size > kLargestFile))
        problem = kDamaged;
    else if (error == noErr)
    {
        fText = NewPtr(size + 1);
        if (fText == NULL)
            problem = kNoMemory;
        else
            error = FSRead(file, &size, fText);
    }
    FSClose(file);
    if (error != noErr)
        return "The file \"PortCheck Scenes\" cannot be read. The disk may be damaged.";
    if (problem != NULL)
        return problem;

    fLength = _UnifyLines(fText, size);
    fText[fLength] = '\0';
    return fText[fLength - 1] == '\n' ? NULL : kDamaged;
}

// The rest of a scene's line, after its index.

static Boolean _ReadHead(Reader* reader, Scene* scene)
{
    long width, height;

    if (!reader->Next(' ') || !reader->Name(scene->generator, sizeof scene->generator) ||
        !reader->Next(' ') || !reader->Number(kMostObjects, &scene->objects) ||
        !reader->Next(' ') || !reader->Digits() ||
        !reader->Next(' ') || !reader->Number(kMostPixels, &width) ||
        !reader->Next(' ') || !reader->Number(kMostPixels, &height))
        return false;
    scene->width = (short) width;
    scene->height = (short) height;
    return reader->EndOfLine();
}

static Boolean _ReadCorner(Reader* reader, Corner* corner)
{
    long x, y;

    if (!reader->Number(kMostPixels, &x) || !reader->Next(' ') ||
        !reader->Number(kMostPixels, &y))
        return false;
    corner->x = (short) x;
    corner->y = (short) y;
    return reader->EndOfLine();
}

// First the checksum, then, since anybody can make one, every line.

const char* SceneFile::_Check()
{
    const char* last = fText + fLength - 1;
    unsigned long told;

    while (last > fText && last[-1] != '\n')
        last--;

    Reader end(last);
    if (!end.Word("end ") || !end.Hex(&told) || !end.EndOfLine() || *end.At() != '\0')
        return kDamaged;
    for (const char* p = fText; p < last; p++)
        fCrc = AddToCrc(fCrc, (unsigned char) *p);
    if (fCrc != told)
        return kDamaged;

    Reader reader(fText);
    if (!reader.Word("macproof scenes 1\n"))
        return "The file \"PortCheck Scenes\" is not for this PortCheck. "
               "Take both from the same disk image.";
    if (!reader.Word("scenes ") || !reader.Number(kMostScenes, &fCount) ||
        !reader.EndOfLine() || fCount == 0)
        return kDamaged;

    fStarts = (const char**) NewPtr(fCount * (long) sizeof *fStarts);
    if (fStarts == NULL)
        return kNoMemory;
    for (long i = 0; i < fCount; i++)
    {
        Scene scene;
        Corner corner;
        long index;

        fStarts[i] = reader.At();
        if (!reader.Word("scene ") || !reader.Number(kMostScenes, &index) || index != i ||
            !_ReadHead(&reader, &scene))
            return kDamaged;
        if (scene.objects > fMostObjects)
            fMostObjects = scene.objects;
        for (long object = 0; object < scene.objects; object++)
            if (!_ReadCorner(&reader, &corner))
                return kDamaged;
    }
    if (reader.At() != last)
        return kDamaged;

    fCorners = (Corner*) NewPtr((fMostObjects + 1) * (long) sizeof *fCorners);
    return fCorners != NULL ? NULL : kNoMemory;
}

const Scene* SceneFile::Get(long index)
{
    Reader reader(fStarts[index]);

    reader.Word("scene ");
    reader.Number(kMostScenes, &fScene.index);
    _ReadHead(&reader, &fScene);
    for (long object = 0; object < fScene.objects; object++)
        _ReadCorner(&reader, &fCorners[object]);
    fScene.corners = fCorners;
    return &fScene;
}
