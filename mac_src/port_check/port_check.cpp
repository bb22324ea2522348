// port_check.cpp
//
// Runs every routine of macproof on the scenes in the file beside it, on
// whatever Macintosh this is, and writes what came out: a digest of what
// each run left, and how long runs take. "macproof results" says whether
// all of it is as it should be.

#include "machine.h"
#include "results.h"
#include "window.h"

static const char kScenesName[] = "PortCheck Scenes";

// A measurement, in microseconds. A clock that ticks 60 times a second
// needs more of them for the same precision.

static const unsigned long kLength          = 2000000UL;
static const unsigned long kCoarseLength    = 6000000UL;

// Between two looks at what the user does.

static const unsigned long kBatchLength     = 60000UL;
static const unsigned long kMostInBatch     = 256UL;

// Where a fine clock has measured so many runs, in so long a time, more
// would not make the figure better.

static const unsigned long kEnough          = 4000UL;
static const unsigned long kEnoughLength    = 125000UL;

// Numbers of objects that are timed if the file has a scene of them that
// was made without any pattern. The first four are those of 1994.

static const short kTimed[] = { 0, 50, 100, 200, 500, 1000, 2000 };
enum { kTimedCount = sizeof kTimed / sizeof *kTimed };

static const char kPatternless[] = "uniform";

// Characters of one line, with some to spare.

enum { kHeadRoom = 2048, kLineRoom = 72 };


//----------------------------------------------------------------------
// work
//----------------------------------------------------------------------

class Check
{
public:
    Check();

    // False: the user has stopped it, or has been told why it failed.

    Boolean Run();

private:
    SceneFile   fScenes;
    ResultsFile fResults;
    Text        fText;
    long        fDone, fAll;
    long        fTimed[kTimedCount];    // indices of scenes, -1 for none

    Boolean _Prepare();
    void _Describe();
    Boolean _RunScenes(const Routine* routine);
    Boolean _TimeScenes(const Routine* routine);
    Boolean _Time(const Routine* routine, const Scene* scene);
    void _RememberToTime(const Scene* scene);
};

Check::Check() : fDone(0), fAll(1)
{
    for (short i = 0; i < kTimedCount; i++)
        fTimed[i] = -1;
}

static Boolean _Failed(const char* problem)
{
    Complain(problem);
    return false;
}

Boolean Check::Run()
{
    if (!_Prepare())
        return false;
    _Describe();
    for (short i = 0; i < gRoutineCount; i++)
        if (!_RunScenes(&gRoutines[i]))
            return false;
    for (short i = 0; i < gRoutineCount; i++)
        if (!_TimeScenes(&gRoutines[i]))
            return false;

    const char* problem = fResults.Finish(&fText);
    if (problem != NULL)
        return _Failed(problem);
    ShowStep("Finished.", 1, 1);
    Tell("Finished. The results are in the file \"PortCheck Results\", beside PortCheck. "
         "\"macproof results\" says whether they are right.");
    return true;
}

Boolean Check::_Prepare()
{
    Str255 name;
    const char* problem;

    ShowStep("Reading scenes...", 0, 1);
    MakePascal(name, kScenesName);
    if (!fScenes.Read(name, &problem))
        return _Failed(problem);

    long room = kHeadRoom + (fScenes.Count() + kTimedCount) * gRoutineCount * kLineRoom;
    if (!fText.Reserve(room))
        return _Failed("There is not enough memory for the results. "
                       "Give PortCheck more memory in the Finder.");
    problem = fResults.Begin(room);
    if (problem != NULL)
        return _Failed(problem);
    fAll = (fScenes.Count() + 4 * kTimedCount) * gRoutineCount;
    return true;
}

void Check::_Describe()
{
    Text* text = &fText;

    text->Add("macproof results 1");
    text->EndLine();
    text->Add("program: PortCheck 1.0");
    text->EndLine();
    text->Add("build: ");
    text->Add(PORT_CHECK_POWERPC ? "PowerPC, " : "68K, ");
    text->Add(PORT_CHECK_TOOLCHAIN);
    text->EndLine();
    text->Add("compiler: ");
    AddCompiler(text);
    text->EndLine();
    text->Add("cpu: ");
    AddProcessor(text);
    text->EndLine();
    text->Add("machine: ");
    AddMachine(text);
    text->EndLine();
    text->Add("system: ");
    AddSystem(text);
    text->EndLine();
    text->Add("clock: ");
    text->Add(ClockName());
    text->EndLine();
    text->Add("screen: ");
    AddScreen(text);
    text->EndLine();
    text->Add("free-memory: ");
    text->AddNumber((unsigned long) FreeMem());
    text->EndLine();
    text->Add("scenes-crc: ");
    text->AddHex(fScenes.Crc());
    text->EndLine();
    text->Add("date: ");
    AddDate(text);
    text->EndLine();
}

Boolean Check::_RunScenes(const Routine* routine)
{
    for (long i = 0; i < fScenes.Count(); i++)
    {
        if (StopAsked())
            return false;

        const Scene* scene = fScenes.Get(i);
        fDone++;
        _RememberToTime(scene);
        if (!Takes(routine, scene))
            continue;
        routine->setUp(scene);
        routine->run();
        ShowScene(scene, routine);
        ShowStep("Checking", fDone, fAll);

        fText.Add("scene ");
        fText.AddNumber((unsigned long) scene->index);
        fText.Add(' ');
        fText.AddNumber((unsigned long) scene->objects);
        fText.Add(' ');
        fText.Add(routine->name);
        fText.Add(' ');
        fText.AddHex(routine->observe(scene->objects));
        fText.EndLine();
    }
    return true;
}

// The first scene of its number of objects.

void Check::_RememberToTime(const Scene* scene)
{
    if (!SameText(scene->generator, kPatternless))
        return;
    for (short i = 0; i < kTimedCount; i++)
        if (scene->objects == kTimed[i] && fTimed[i] < 0)
            fTimed[i] = scene->index;
}

Boolean Check::_TimeScenes(const Routine* routine)
{
    for (short i = 0; i < kTimedCount; i++)
    {
        if (fTimed[i] >= 0)
        {
            const Scene* scene = fScenes.Get(fTimed[i]);

            if (Takes(routine, scene) && !_Time(routine, scene))
                return false;
        }
        fDone += 4;
    }
    return true;
}

// Only the routine is timed: the clock stands while the user is looked
// after. The first run is not counted, for caches are empty then.

Boolean Check::_Time(const Routine* routine, const Scene* scene)
{
    unsigned long length = ClockIsCoarse() ? kCoarseLength : kLength;
    unsigned long iterations = 0, spent = 0, batch = 1;
    Boolean searching = true;

    routine->setUp(scene);
    routine->run();
    ShowScene(scene, routine);
    while (spent < length &&
           (ClockIsCoarse() || iterations < kEnough || spent < kEnoughLength))
    {
        ShowStep("Timing", fDone, fAll);
        if (StopAsked())
            return false;

        unsigned long start = Clock_us();
        for (unsigned long i = 0; i < batch; i++)
            routine->run();
        unsigned long passed = Clock_us() - start;

        // First the size of a batch is looked for, which is no measurement.

        searching = searching && passed < kBatchLength && batch < kMostInBatch;
        if (searching)
            batch *= 2;
        else
        {
            spent += passed;
            iterations += batch;
        }
    }

    fText.Add("time ");
    fText.Add(routine->name);
    fText.Add(' ');
    fText.AddNumber((unsigned long) scene->objects);
    fText.Add(' ');
    fText.AddNumber(iterations);
    fText.Add(' ');
    fText.AddNumber(spent);
    fText.EndLine();
    return true;
}

int main()
{
    MaxApplZone();
    if (OpenProgress())
    {
        FindClock();

        Check check;
        check.Run();
    }
    else
        Complain("There is not enough memory for PortCheck. "
                 "Quit other programs, or give it more memory in the Finder.");
    CloseProgress();
    return 0;
}
