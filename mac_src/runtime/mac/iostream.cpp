// iostream.cpp: the streams that compat/iostream.h declares.

#include <iostream.h>
#include <stdio.h>
#include <string.h>

#include "runtime.h"

// Of the one stream there is. It has no members, since it has no
// constructor either that could set them.

static int gPrecision = 6;

ostream cout;

static void _Put(const char* text, size_t length)
{
    if (length != 0)
        _consolewrite(1, text, length);
}

ostream& ostream::operator<<(char c)
{
    _Put(&c, 1);
    return *this;
}

ostream& ostream::operator<<(const char* text)
{
    _Put(text, strlen(text));
    return *this;
}

ostream& ostream::operator<<(int n)
{
    return *this << (long) n;
}

ostream& ostream::operator<<(unsigned int n)
{
    return *this << (unsigned long) n;
}

ostream& ostream::operator<<(long n)
{
    char text[16];

    _Put(text, (size_t) sprintf(text, "%ld", n));
    return *this;
}

ostream& ostream::operator<<(unsigned long n)
{
    char text[16];

    _Put(text, (size_t) sprintf(text, "%lu", n));
    return *this;
}

ostream& ostream::operator<<(float f)
{
    return *this << (double) f;
}

ostream& ostream::operator<<(double f)
{
    char text[_kFloatText];

    _Put(text, (size_t) _float_text(text, f, 'g', gPrecision, 0));
    return *this;
}

int ostream::precision(int digits)
{
    int former = gPrecision;

    gPrecision = digits;
    return former;
}

ostream& ostream::flush()
{
    return *this;
}

ostream& endl(ostream& s)
{
    return (s << '\n').flush();
}
