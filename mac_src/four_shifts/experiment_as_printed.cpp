// experiment_as_printed.cpp
//
// The test half of the program of 1994 with the defects it was printed
// with: what is computed, and in which order. See four_shifts_mac.cpp for
// the same mended, and scripted.cpp for the clock, the random numbers and
// the console it is played with here. Nothing is drawn.
//
// Experiment: Tom Moertel, 1994. See four_shifts.h.

#include <stdlib.h>
#include <iostream.h>

#include <Events.h>
#include <Timer.h>

// INT_OF_16_BITS does the sums of a compiler whose int, and hence every
// enum, has 16 bits.

#ifdef INT_OF_16_BITS
typedef short natural;
#else
typedef int   natural;
#endif

static const natural kTBase      = (natural) 1000000L;
static const natural kTestLength = (natural) 30000000L;

enum { kCycleLength = 50 };


//----------------------------------------------------------------------
// time
//----------------------------------------------------------------------

UnsignedWide gClockBase;
Boolean      gClockReadQ;

// for who plays this more than once
#define FORGET_CLOCK() (gClockBase.lo = gClockBase.hi = 0, gClockReadQ = false)

// Defects: signed, so that time ends after 2^31 microseconds; on PowerPC
// coarse, of 60 ticks where there are 60.15, and since the machine was
// started; on 68K since this was first asked, so that the first answer is
// the time between two questions.

#if defined(powerc) || defined(__powerc)

static long Clock_us()
{
    return TickCount() * (1000000L / 60);
}

#else

static long Clock_us()
{
    if (!gClockReadQ)
    {
        Microseconds(&gClockBase);
        gClockReadQ = true;
    }

    UnsignedWide now;
    Microseconds(&now);
    return now.lo - gClockBase.lo;
}

#endif


//----------------------------------------------------------------------
// scenes
//----------------------------------------------------------------------

// Defects: the cast keeps 16 bits of what may be more, or of what need
// not be less than the divisor; and the divisor may be no natural.

static scalar _RandScalar(scalar max)
{
    return (unsigned long) max * (unsigned short) rand()
           / (natural) (RAND_MAX + 1U);
}

// Defect: of no objects the one before the first is the last.

static void _RandomizeObjects(scalar numObjects)
{
    unsigned long place = (unsigned long) gObjects;

    for (scalar made = 0; made < numObjects; made++)
    {
        obj& one = gObjects[made];

        one.x = _RandScalar(kScreenWidth - 1);
        one.y = _RandScalar(kScreenHeight - 1);
        place += sizeof(obj);
        one.obj_link = (obj*) place;
    }

    // Said in numbers, for the compiler must not see what is wrong.

    ((obj*) (place - sizeof(obj)))->obj_link = NULL;
}


//----------------------------------------------------------------------
// experiments
//----------------------------------------------------------------------

// Defects: the end may be beyond what a long holds, and time may be over
// between a new scene and its first detection.

static void _RunExperiment(scalar numObjects, Boolean)
{
    cout << (int) numObjects << " objects: ";

    unsigned long endTime = (unsigned long) Clock_us() + kTestLength;
    long iterations = 0;

    while (Clock_us() < (long) endTime)
    {
        // What a scene takes to make does not count.

        endTime -= Clock_us();
        _RandomizeObjects(numObjects);
        endTime += Clock_us();

        for (scalar left = kCycleLength; left > 0; left--)
        {
            if (Clock_us() >= (long) endTime)
                break;
            _DetermineCollisions();
            iterations++;
        }
    }

    long totalTime = kTestLength + (unsigned long) Clock_us() - endTime;

    cout << (int) iterations << " in " << (int) totalTime << " us:  ";

    // Two rates follow, each a division by one of these.
}
