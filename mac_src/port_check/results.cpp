// results.cpp: see results.h.

#include "results.h"

static const OSType kCreator    = 0x4d507266UL;     // MPrf
static const OSType kText       = 0x54455854UL;     // TEXT

static const char kName[]       = "PortCheck Results";
static const char kPartName[]   = "PortCheck Results (part)";
static const char kOldName[]    = "PortCheck Results (old)";

enum { kLocked = 1 };               // a bit of a file's attributes


static const char* _Words(OSErr error)
{
    switch (error)
    {
    case dskFulErr:
    case dirFulErr:
        return "The disk is full, so the results cannot be written. Nothing was left on it. "
               "Make room on the disk that PortCheck is on, or copy PortCheck and its scenes "
               "to another.";

    case wPrErr:
    case vLckdErr:
        return "The disk is locked, so the results cannot be written. "
               "Unlock it, or copy PortCheck and its scenes to another disk.";

    case fLckdErr:
        return "The file \"PortCheck Results\" is locked. "
               "Unlock it in the Finder, or move it elsewhere.";

    case fBsyErr:
    case opWrErr:
        return "The file \"PortCheck Results\" is in use. "
               "Close it in the other program, or move it elsewhere.";

    case memFullErr:
        return "There is not enough memory to write the results.";

    default:
        return "The results cannot be written. The disk may be damaged; "
               "copy PortCheck and its scenes to another.";
    }
}

static OSErr _DeleteFile(const char* name)
{
    Str255 string;

    MakePascal(string, name);
    OSErr error = FSDelete(string, 0);
    return error == fnfErr ? (OSErr) noErr : error;
}

static OSErr _RenameFile(const char* from, const char* to)
{
    Str255 oldName, newName;
    ParamBlockRec block;
    char* bytes = (char*) &block;

    for (short i = 0; i < (short) sizeof block; i++)
        bytes[i] = 0;
    MakePascal(oldName, from);
    MakePascal(newName, to);
    block.ioParam.ioNamePtr = oldName;
    block.ioParam.ioMisc = (Ptr) newName;
    return PBRenameSync(&block);
}

// Older results are put aside until the new ones have their name, so that
// at every moment there are whole ones.

static OSErr _Replace()
{
    OSErr error = _DeleteFile(kOldName);
    if (error == noErr)
        error = _RenameFile(kName, kOldName);
    if (error == fnfErr)
        return _RenameFile(kPartName, kName);
    if (error != noErr)
        return error;

    error = _RenameFile(kPartName, kName);
    if (error != noErr)
        _RenameFile(kOldName, kName);
    else
        _DeleteFile(kOldName);
    return error;
}

// Whether older results may be replaced.

static OSErr _OldResults()
{
    Str255 name;
    ParamBlockRec block;
    char* bytes = (char*) &block;

    for (short i = 0; i < (short) sizeof block; i++)
        bytes[i] = 0;
    MakePascal(name, kName);
    block.fileParam.ioNamePtr = name;
    OSErr error = PBGetFInfoSync(&block);
    if (error == fnfErr)
        return noErr;
    if (error == noErr && (block.fileParam.ioFlAttrib & kLocked) != 0)
        return fLckdErr;
    return error;
}

ResultsFile::~ResultsFile()
{
    _Discard(noErr);
}

const char* ResultsFile::_Discard(OSErr error)
{
    if (fFile != 0)
    {
        FSClose(fFile);
        _DeleteFile(kPartName);
        FlushVol(NULL, 0);
        fFile = 0;
    }
    return error == noErr ? NULL : _Words(error);
}

const char* ResultsFile::Begin(long room)
{
    Str255 name;
    short file;

    OSErr error = _OldResults();
    if (error == noErr)
        error = _DeleteFile(kPartName);     // of a PortCheck that was switched off
    if (error != noErr)
        return _Words(error);

    MakePascal(name, kPartName);
    error = Create(name, 0, kCreator, kText);
    if (error != noErr)
    {
        _DeleteFile(kPartName);             // a full disk may have taken half of it
        return _Words(error);
    }
    error = FSOpen(name, 0, &file);
    if (error != noErr)
    {
        _DeleteFile(kPartName);
        return _Words(error);
    }
    fFile = file;
    error = SetEOF(fFile, room);
    return error == noErr ? NULL : _Discard(error);
}

const char* ResultsFile::Finish(Text* text)
{
    unsigned long crc = 0;

    for (long i = 0; i < text->Length(); i++)
    {
        char c = text->Bytes()[i];

        crc = AddToCrc(crc, (unsigned char) (c == '\r' ? '\n' : c));
    }
    text->Add("end ");
    text->AddHex(crc);
    text->EndLine();
    if (text->Full())
        return _Discard(memFullErr);

    long count = text->Length();
    OSErr error = FSWrite(fFile, &count, text->Bytes());
    if (error == noErr)
        error = SetEOF(fFile, text->Length());
    if (error != noErr)
        return _Discard(error);

    // Closed once, whatever comes of it: afterwards the number may be
    // another file's.

    short file = fFile;
    fFile = 0;
    error = FSClose(file);
    if (error != noErr)
    {
        _DeleteFile(kPartName);
        FlushVol(NULL, 0);
        return _Words(error);
    }

    error = FlushVol(NULL, 0);
    if (error == noErr)
        error = _Replace();
    if (error != noErr)
    {
        _DeleteFile(kPartName);
        return _Words(error);
    }
    FlushVol(NULL, 0);
    return NULL;
}
