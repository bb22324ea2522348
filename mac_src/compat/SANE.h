/* SANE.h: types of the Standard Apple Numerics Environment. A 68K extended has
 * 96 bits here, as for a 68881; a Power Macintosh had none. See Types.h for what these headers are. */

#ifndef COMPAT_SANE_H
#define COMPAT_SANE_H

#include "Types.h"

#pragma pack(push, 2)

#ifdef __m68k__
typedef long double     extended;
#else
typedef double          extended;
#endif
typedef struct comp { long hi; unsigned long lo; } comp;

enum { SIGDIGLEN = 20 };

typedef struct decimal
{
    char            sgn, unused;
    short           exp;
    struct { unsigned char length, text[SIGDIGLEN], unused; } sig;
} decimal;

typedef struct decform { char style, unused; short digits; } decform;

enum { FLOATDECIMAL = 0, FIXEDDECIMAL = 1 };

typedef short relop;

enum { GREATERTHAN = 0, LESSTHAN = 1, EQUALTO = 2, UNORDERED = 3 };

#pragma pack(pop)

#include "routines/SANE.h"

#endif
