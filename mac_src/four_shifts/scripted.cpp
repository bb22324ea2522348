// scripted.cpp
//
// Plays an experiment of the test half with a clock, random numbers and
// a console that follow a script, so that half an hour passes at once and
// what is printed can be looked at. It stands behind either the printed
// test half or the mended one, and has what they ask of a library.

#include <stdarg.h>

enum
{
    kMaxWords   = 2048,
    kMaxNumbers = 8,
    kMaxText    = 48
};

// the script

long            gWords[kMaxWords];  // what rand gives, over and over
short           gWordCount;
short           gRunObjects;        // of the experiment

unsigned long   gStart;             // microseconds since the start-up
unsigned long   gStep;              // from one reading to the next
unsigned long   gJitter;            // and more every second time
unsigned long   gPause;             // between launch and experiment
unsigned long   gTickStart;         // the same in ticks
unsigned long   gTickStep;
unsigned long   gTickJitter;
unsigned long   gTickPause;
unsigned long   gSeconds;           // the date

// what comes of it

unsigned long   gSeed;              // of the random numbers
long            gNumbers[kMaxNumbers];  // what is printed: objects,
short           gNumberCount;           // iterations, microseconds
char            gTexts[kMaxText];       // and rates, each with its zero
short           gTextLength;
short           gListLength;        // objects on the list

// where we are in it

unsigned long   gNow, gTicks;
unsigned long   gReadings;
short           gWordsTaken;

static void _Print(long number)
{
    if (gNumberCount < kMaxNumbers)
        gNumbers[gNumberCount++] = number;
}

static void _PrintText(const char* text)
{
    do
        if (gTextLength < kMaxText)
            gTexts[gTextLength++] = *text;
    while (*text++ != '\0');
}


//----------------------------------------------------------------------
// the library
//----------------------------------------------------------------------

extern "C" {

#ifdef FOUR_SHIFTS_MENDED

clock_t clock() __THROW
{
    clock_t now = (clock_t) gNow;
    gNow += gReadings++ % 2 == 0 ? gStep : gStep + gJitter;
    return now;
}

time_t time(time_t*) __THROW
{
    return (time_t) gSeconds;
}

int printf(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    for (; *format != '\0'; format++)
        if (*format == '%' && *++format == 'l')
            _Print(va_arg(list, long));
        else if (*format == 's' && format[-1] == '%')
            _PrintText(va_arg(list, char*));
    va_end(list);
    return 0;
}

#else

int rand() __THROW
{
    long word = gWords[gWordsTaken];
    gWordsTaken = (short) ((gWordsTaken + 1) % gWordCount);
    return (int) word;
}

void srand(unsigned int seed) __THROW
{
    gSeed = seed;
}

void Microseconds(UnsignedWide* now)
{
    now->hi = 0;
    now->lo = gNow;
    gNow += gReadings++ % 2 == 0 ? gStep : gStep + gJitter;
}

// For its base a 68K has read its clock once before, which took an even step.

unsigned long TickCount()
{
    unsigned long now = gTicks;
    gTicks += gReadings++ % 2 != 0 ? gTickStep : gTickStep + gTickJitter;
    return now;
}

#ifdef COMPAT_WINDOWS_H

// A source that draws has a window to draw in, and nobody who looks.

void      GetPort(GrafPtr*)                                     {}
void      SetPort(GrafPtr)                                      {}
void      PenPat(const Pattern*)                                {}
void      SetRect(Rect*, short, short, short, short)            {}
void      OffsetRect(Rect*, short, short)                       {}
void      FrameRect(const Rect*)                                {}
void      PaintRect(const Rect*)                                {}
short     GetMBarHeight()                                       { return 20; }
Boolean   Button()                                              { return true; }
void      DisposeWindow(WindowPtr)                              {}
WindowPtr NewWindow(void*, const Rect*, ConstStr255Param, Boolean, short,
                    WindowPtr, Boolean, long)                   { return NULL; }

#endif

#endif // mended

} // extern "C"

#ifndef FOUR_SHIFTS_MENDED

ostream cout;

ostream& ostream::operator<<(const char*)   { return *this; }
ostream& ostream::operator<<(float)         { return *this; }
ostream& ostream::operator<<(int n)         { _Print(n); return *this; }
int      ostream::precision(int digits)     { return digits; }
ostream& ostream::flush()                   { return *this; }
ostream& endl(ostream& s)                   { return s; }

#endif


//----------------------------------------------------------------------
// what is played
//----------------------------------------------------------------------

// As main of either does it.

static void _Launch()
{
    gNow         = gStart;
    gTicks       = gTickStart;
    gReadings    = 0;
    gWordsTaken  = 0;
    gNumberCount = 0;
    gTextLength  = 0;

#ifdef FOUR_SHIFTS_MENDED
    gSeed = gRandSeed = _SecondsNow();
#else
    srand((unsigned int) Clock_us());
#endif
}

// What a script leaves is only what the experiment made of it.

static void _Quit()
{
    gNow        = 0;
    gTicks      = 0;
    gReadings   = 0;
    gWordsTaken = 0;
#ifdef FORGET_CLOCK
    FORGET_CLOCK();
#endif
}

void PlayExperiment()
{
    _Launch();
    gNow   += gPause;
    gTicks += gTickPause;
    _RunExperiment((scalar) gRunObjects, false);
    _Quit();
}

static void _CountList()
{
    gListLength = 0;
    for (obj* o = GetMyFirstObject(); o != NULL && gListLength < 1000;
         o = o->obj_link)
        gListLength++;
}

void MakeScene()
{
    _Launch();
    _RandomizeObjects((scalar) gRunObjects);
    _CountList();
    _Quit();
}

void MakeSceneAndThenNone()
{
    _Launch();
    _RandomizeObjects((scalar) gRunObjects);
    _RandomizeObjects(0);
    _CountList();
    _Quit();
}
