// machine.cpp: see machine.h.

#include "machine.h"

enum
{
    _Unimplemented_ = 0xA89F,
    _Microseconds_  = 0xA193,
    _Gestalt_       = 0xA1AD
};

// Gestalt's selectors, as their four letters.

static const OSType kMachine        = 0x6d616368UL;     // mach
static const OSType kProcessor      = 0x70726f63UL;     // proc
static const OSType kNativeCPU      = 0x63707574UL;     // cput
static const OSType kArchitecture   = 0x73797361UL;     // sysa
static const OSType kSystem         = 0x73797376UL;     // sysv


// What only macproof answers, whose clock measures nothing.

static const OSType kMacproof       = 0x4d507266UL;     // MPrf

enum { kIsPowerPC = 2 };                // an answer to sysa


//----------------------------------------------------------------------
// what there is
//----------------------------------------------------------------------

Boolean HasOSTrap(unsigned short trap)
{
    return GetOSTrapAddress(trap) != GetToolTrapAddress(_Unimplemented_);
}

Boolean HasToolTrap(unsigned short trap)
{
    return GetToolTrapAddress(trap) != GetToolTrapAddress(_Unimplemented_);
}

// -1 for what Gestalt, or a System before it, cannot say.

static long _Ask(OSType selector)
{
    long answer = 0;

#if !PORT_CHECK_POWERPC
    if (!HasOSTrap(_Gestalt_))
        return -1;
#endif
    return Gestalt(selector, &answer) == noErr ? answer : -1;
}


//----------------------------------------------------------------------
// time
//----------------------------------------------------------------------

static Boolean gFine;

// 60.15 ticks are a second.

static const unsigned long kTick_us = 16626;

#if defined(__TIMER__)

static unsigned long _Fine_us()
{
    UnsignedWide now;

    Microseconds(&now);
    return now.lo;
}

enum { kKnowsFine = 1 };

#elif !PORT_CHECK_POWERPC && defined(__GNUC__)

// A Timer.h without it: call the trap, which answers in A0 and D0.

static unsigned long _Fine_us()
{
    register unsigned long low __asm__("d0");

    __asm__ volatile (".short 0xA193"
                      : "=r" (low)
                      :
                      : "d1", "d2", "a0", "a1", "cc", "memory");
    return low;
}

enum { kKnowsFine = 1 };

#else

static unsigned long _Fine_us()     { return 0; }

enum { kKnowsFine = 0 };

#endif

void FindClock()
{
    gFine = kKnowsFine != 0;

    // Every Power Macintosh has it, and not every 68K one.

#if !PORT_CHECK_POWERPC
    gFine = gFine && HasOSTrap(_Microseconds_);
#endif
}

const char* ClockName()
{
    return gFine ? "Microseconds" : "TickCount";
}

Boolean ClockIsCoarse()
{
    return !gFine;
}

unsigned long Clock_us()
{
    return gFine ? _Fine_us() : (unsigned long) TickCount() * kTick_us;
}


//----------------------------------------------------------------------
// description
//----------------------------------------------------------------------

// Only printing ASCII goes into the results.

static void _AddPascal(Text* text, const unsigned char* string)
{
    for (short i = 1; i <= string[0]; i++)
        text->Add(string[i] >= ' ' && string[i] < 127 ? (char) string[i] : '?');
}

#if PORT_CHECK_POWERPC

void AddProcessor(Text* text)
{
    long cpu = _Ask(kNativeCPU);

    text->Add("PowerPC");
    if (cpu == 0x101)
        text->Add(" 601");
    else if (cpu == 0x103 || cpu == 0x106 || cpu == 0x107)
        text->Add(" 603");
    else if (cpu == 0x104 || cpu == 0x109 || cpu == 0x10a)
        text->Add(" 604");
    else if (cpu == 0x108)
        text->Add(" 750");
    else if (cpu > 0)
    {
        text->Add(" of Gestalt's number ");
        text->AddNumber((unsigned long) cpu);
    }
}

#else

void AddProcessor(Text* text)
{
    long processor = _Ask(kProcessor);

    if (processor >= 1 && processor <= 5)
    {
        text->Add("680");
        text->Add((char) ('0' + processor - 1));
        text->Add('0');
    }
    else
        text->Add("68K");
    if (_Ask(kArchitecture) == kIsPowerPC)
        text->Add(", emulated by a Power Macintosh");
}

#endif

// Systems from 7 on have the machines' names in a list.

void AddMachine(Text* text)
{
    enum { kNames = -16395 };

    long machine = _Ask(kMachine);
    Str255 name;

    if (_Ask(kMacproof) >= 0)
    {
        text->Add("macproof");
        return;
    }
    if (machine < 0)
    {
        text->Add("unknown");
        return;
    }
    text->AddNumber((unsigned long) machine);
    name[0] = 0;
    if (machine > 0 && machine < 32768)
        GetIndString(name, kNames, (short) machine);
    if (name[0] != 0)
    {
        text->Add(' ');
        _AddPascal(text, name);
    }
}

// Binary-coded decimal: 0x0710 is 7.1.0.

void AddSystem(Text* text)
{
    long version = _Ask(kSystem);

    if (version < 0)
    {
        text->Add("unknown");
        return;
    }
    text->AddNumber((unsigned long) (10 * (version >> 12 & 15) + (version >> 8 & 15)));
    text->Add('.');
    text->AddNumber((unsigned long) (version >> 4 & 15));
    text->Add('.');
    text->AddNumber((unsigned long) (version & 15));
}

void AddScreen(Text* text)
{
    const Rect* bounds = &qd.screenBits.bounds;

    text->AddNumber((unsigned long) (bounds->right - bounds->left));
    text->Add(" x ");
    text->AddNumber((unsigned long) (bounds->bottom - bounds->top));
}

// Seconds since the beginning of 1904, which was a leap year; so was
// every fourth year until the clock runs over in 2040.

void AddDate(Text* text)
{
    static const short days[12] = { 31, 28, 31, 30, 31, 30,
                                    31, 31, 30, 31, 30, 31 };
    unsigned long seconds;

    GetDateTime(&seconds);

    unsigned long day = seconds / 86400UL;
    unsigned long year = 1904 + day / 1461 * 4;
    day %= 1461;
    if (day >= 366)
    {
        year += 1 + (day - 366) / 365;
        day = (day - 366) % 365;
    }

    short month = 0;
    for (;;)
    {
        unsigned long length = days[month] + (month == 1 && year % 4 == 0 ? 1 : 0);

        if (day < length)
            break;
        day -= length;
        month++;
    }

    text->AddNumber(year, 4);
    text->Add('-');
    text->AddNumber((unsigned long) (month + 1), 2);
    text->Add('-');
    text->AddNumber(day + 1, 2);
    text->Add(' ');
    text->AddNumber(seconds / 3600 % 24, 2);
    text->Add(':');
    text->AddNumber(seconds / 60 % 60, 2);
    text->Add(':');
    text->AddNumber(seconds % 60, 2);
}

void AddCompiler(Text* text)
{
#ifdef __GNUC__
    text->Add("GCC " __VERSION__);
#elif defined(__MWERKS__)
    text->Add("CodeWarrior");
#else
    text->Add("unknown");
#endif
}
