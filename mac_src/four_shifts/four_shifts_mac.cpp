// four_shifts_mac.cpp
//
// The test half of the program: how many times a second can all
// collisions be found, with 0, 50, 100 and 200 objects on the screen?
// The last scene is drawn, so that the answer can be seen to be right.
//
// Experiment and method: Tom Moertel, 1994, who asks for credit. He
// published these figures, in complete detections per second:
//
//      objects     25 MHz 68040    80 MHz PowerPC 601
//          0            611              7640
//         50            340              4020
//        100            189              2060
//        200             81               788
//
// The experiment here is his, with the defects of the printed program
// mended. What was wrong is said where it is put right. The row for no
// objects is measured with one, now as then: see GetMyFirstObject.
//
// Without a Macintosh this is still a program. It takes its time from
// the C library and draws nothing.

#include <stdio.h>

#include "four_shifts.h"

#if defined(macintosh) || defined(__MWERKS__)

#include <Quickdraw.h>
#include <Fonts.h>
#include <Windows.h>
#include <Menus.h>
#include <Events.h>
#include <OSUtils.h>
#include <Timer.h>

#else

#include <time.h>

#endif

// Printed as enum constants, these did not fit where int has 16 bits.

// TEST_SECONDS is for those who cannot wait half a minute four times.

#ifndef TEST_SECONDS
#define TEST_SECONDS 30
#endif

static const long kTBase        = 1000000L;     // time is in microseconds
static const long kTestLength   = TEST_SECONDS * kTBase;    // of one experiment

enum { kCycleLength = 50 };     // detections from one scene to the next


//----------------------------------------------------------------------
// time
//----------------------------------------------------------------------

// Clock_us counts microseconds modulo the range of unsigned long, so its
// readings mean something only when subtracted, unsigned, from another.
// Printed, it was signed and compared with an end time: an experiment
// begun in the last half minute before it turned negative was over at
// once, and its no iterations were then divided by.

#if !(defined(macintosh) || defined(__MWERKS__))

static unsigned long Clock_us()
{
    return (unsigned long) clock() * (kTBase / CLOCKS_PER_SEC);
}

static unsigned long _SecondsNow()
{
    return (unsigned long) time(NULL);
}

#else

// Printed with 60 ticks a second. A Macintosh has 60.15, which made
// every rate a quarter of a percent too low.

static const unsigned long kTick_us = 16626;

#if defined(powerc) || defined(__powerc)

static unsigned long Clock_us()
{
    return TickCount() * kTick_us;
}

#else

// Some interfaces here declare only what other programs needed.

#ifdef COMPAT_OSUTILS_H

extern "C" void* GetOSTrapAddress(unsigned short number);
extern "C" void* GetToolTrapAddress(unsigned short number);

#endif

// Printed without this test. System 6 has no such trap, and a program
// that calls it there goes no further.

static bool _HasMicroseconds()
{
    enum { kMicroseconds = 0xA193, kUnimplemented = 0xA89F };

    return GetOSTrapAddress(kMicroseconds) !=
           GetToolTrapAddress(kUnimplemented);
}

static unsigned long Clock_us()
{
    static const bool fineQ = _HasMicroseconds();

    if (!fineQ)
        return TickCount() * kTick_us;

#ifdef __TIMER__
    UnsignedWide now;
    Microseconds(&now);
    return now.lo;
#else
    // Not every Timer.h has the microsecond clock: call its trap, which
    // answers in A0 and D0, ourselves.

    register unsigned long low __asm__("d0");
    __asm__ volatile (".short 0xA193"
                      : "=r" (low)
                      :
                      : "d1", "d2", "a0", "a1", "cc", "memory");
    return low;
#endif
}

#endif // powerc

static unsigned long _SecondsNow()
{
    unsigned long seconds;
    GetDateTime(&seconds);
    return seconds;
}

#endif // macintosh


//----------------------------------------------------------------------
// scenes
//----------------------------------------------------------------------

// Printed, the seed on 68K was the time since the clock was first read, a
// few microseconds: nearly the same scenes at every launch. This one is
// the date.

static unsigned long gRandSeed;

// A number from 0 to max - 1. Printed with rand, which had to give 15
// bits exactly and int had to have more than 16: RAND_MAX + 1 could
// overflow, which put every object at (0,0), and a rand of 16 to 30 bits
// took them off the screen. This is a generator of its own, and the bits
// it takes are the same whatever the size of a long.

static scalar _RandScalar(scalar max)
{
    gRandSeed = gRandSeed * 1103515245UL + 12345UL;

    unsigned long r = (gRandSeed >> 16) & 0x7fff;
    return (scalar) ((unsigned long) max * r >> 15);
}

static void _RandomizeObjects(scalar numObjects)
{
    for (scalar i = 0; i < numObjects; i++)
    {
        obj* o = &gObjects[i];
        o->x = _RandScalar(kScreenWidth - 1);
        o->y = _RandScalar(kScreenHeight - 1);
        o->obj_link = o + 1;
    }

    // Printed, no objects closed the list in front of the array. The
    // first object, which is on the list in any case, has to close it.

    gObjects[numObjects > 0 ? numObjects - 1 : 0].obj_link = NULL;
}


//----------------------------------------------------------------------
// drawing
//----------------------------------------------------------------------

#if defined(macintosh) || defined(__MWERKS__)

// an outline if it collides, else gray

static void _DrawObject(obj* o, Boolean collidedQ)
{
    static const Pattern black = {{ 0xff, 0xff, 0xff, 0xff,
                                    0xff, 0xff, 0xff, 0xff }};
    static const Pattern gray  = {{ 0xaa, 0x55, 0xaa, 0x55,
                                    0xaa, 0x55, 0xaa, 0x55 }};
    Rect r;
    SetRect(&r, o->x, o->y, o->x + kRectSize, o->y + kRectSize);

    if (collidedQ)
    {
        PenPat(&black);
        FrameRect(&r);
    }
    else
    {
        PenPat(&gray);
        PaintRect(&r);
    }
}

// Shows the scene in a window until the mouse button is pressed.

static void _ShowLastIteration(scalar numObjects)
{
    // Printed as "\p", which wants a compiler with Pascal strings.

    static const unsigned char noTitle[1] = { 0 };

    Rect bounds;
    SetRect(&bounds, 0, 0, kScreenWidth, kScreenHeight);
    OffsetRect(&bounds, 0, GetMBarHeight());

    WindowPtr window = NewWindow(NULL, &bounds, noTitle, true, plainDBox,
                                 (WindowPtr) -1L, false, 0);

    // Printed without this test, it drew wherever a null port led.

    if (window == NULL)
    {
        printf("(no memory for the window) ");
        return;
    }

    GrafPtr savedPort;
    GetPort(&savedPort);
    SetPort((GrafPtr) window);

    for (scalar i = 0; i < numObjects; i++)
        _DrawObject(gObjects + i, gCollisionArray[i]);

    while (!Button())
        ;

    SetPort(savedPort);
    DisposeWindow(window);
}

#endif // macintosh


//----------------------------------------------------------------------
// experiments
//----------------------------------------------------------------------

// Writes n / d * 10^power with three significant digits, like the table
// above, by long division. n and d are not 0, d is below 400 million.
// Printed with float and precision(2), which by today's stream library
// gives 6.1e+02 for 611; the digits are made here so that no library
// need know floating point.

static void _ThreeDigits(char* text, unsigned long n, unsigned long d,
                         int power)
{
    unsigned long q = n / d;
    unsigned long r = n % d;

    for (; q < 100; power--)
    {
        r *= 10;
        q = 10 * q + r / d;
        r %= d;
    }

    int upQ = r >= d - r;               // round a half up

    for (; q > 999; power++)
    {
        upQ = q % 10 >= 5;
        q /= 10;
    }

    if (upQ && ++q > 999)
    {
        q = 100;
        power++;
    }

    int whole = 3 + power;              // digits before the point

    if (whole <= 0)
    {
        *text++ = '0';
        *text++ = '.';
        for (int zeros = -whole; zeros > 0; zeros--)
            *text++ = '0';
    }

    for (unsigned long unit = 100; unit != 0; unit /= 10)
    {
        *text++ = (char) ('0' + q / unit % 10);
        if (--whole == 0 && unit > 1)
            *text++ = '.';
    }

    for (; whole > 0; whole--)
        *text++ = '0';
    *text = '\0';
}

static void _RunExperiment(scalar numObjects, Boolean drawQ)
{
    if (numObjects > kMaxObjects)
        return;

    printf("%ld objects: ", (long) numObjects);

    const unsigned long length = kTestLength;
    unsigned long       start = Clock_us();
    long                iterations = 0;

    do
    {
        // Making a scene is not counted: it moves the start.

        unsigned long setup = Clock_us();
        _RandomizeObjects(numObjects);
        start += Clock_us() - setup;

        // Printed, time could run out between a new scene and its first
        // detection, and the picture then showed the flags of the old.

        scalar i = 0;
        do
        {
            _DetermineCollisions();
            iterations++;
        }
        while (++i < kCycleLength && Clock_us() - start < length);
    }
    while (Clock_us() - start < length);

    unsigned long spent = Clock_us() - start;

#if defined(macintosh) || defined(__MWERKS__)
    if (drawQ)
        _ShowLastIteration(numObjects);
#else
    (void) drawQ;
#endif

    char each[24], rate[24];
    _ThreeDigits(each, spent, (unsigned long) iterations, 0);
    _ThreeDigits(rate, (unsigned long) iterations, spent, 6);

    printf("%ld in %ld us:  %s us/iter, %s iter/s\n",
           iterations, (long) spent, each, rate);
}

int main()
{
#if defined(macintosh) || defined(__MWERKS__)

    // Printed without, it relied on a console library to do this. One
    // that does it too does it at the first printf, when there is no
    // window yet that a second InitWindows could lose.

    InitGraf(&qd.thePort);
    InitFonts();
    InitWindows();
    InitMenus();
    InitCursor();

#endif

    gRandSeed = _SecondsNow();

    printf("Collision testing...\n");

    _RunExperiment(  0, false);
    _RunExperiment( 50, false);
    _RunExperiment(100, false);
    _RunExperiment(200, true);

#if defined(macintosh) || defined(__MWERKS__)

    // Printed without: where the console is this program's own, it went
    // with the program, and the figures with it. The button may still be
    // down from the picture.

    while (Button())
        ;
    while (!Button())
        ;

#endif

    return 0;
}
