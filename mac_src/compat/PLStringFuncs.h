/* PLStringFuncs.h: string.h for Pascal strings. See Types.h for what these headers are. */

#ifndef COMPAT_PLSTRINGFUNCS_H
#define COMPAT_PLSTRINGFUNCS_H

#include <Types.h>

/* The parameters take literals, too, which are strings of char to this compiler. */

#define _PASCAL(text)   ((const unsigned char*) (text))

static inline short PLstrlen(ConstStr255Param text) { return _PASCAL(text)[0]; }

/* At most count bytes of one compared with other; less, equal or more than 0. */

static inline short PLstrncmp(ConstStr255Param one, ConstStr255Param other, short count)
{
    short n;

    for (n = 1; n <= count && n <= _PASCAL(one)[0] && n <= _PASCAL(other)[0]; n++)
        if (_PASCAL(one)[n] != _PASCAL(other)[n])
            return _PASCAL(one)[n] - _PASCAL(other)[n];
    if (n > count)
        return 0;
    return _PASCAL(one)[0] - _PASCAL(other)[0];
}

static inline short PLstrcmp(ConstStr255Param one, ConstStr255Param other)
{
    return PLstrncmp(one, other, 255);
}

static inline StringPtr PLstrncpy(StringPtr to, ConstStr255Param from, short count)
{
    short n, length = _PASCAL(from)[0] < count ? _PASCAL(from)[0] : count;

    for (n = 1; n <= length; n++)
        to[n] = _PASCAL(from)[n];
    to[0] = (unsigned char) length;
    return to;
}

static inline StringPtr PLstrcpy(StringPtr to, ConstStr255Param from)
{
    return PLstrncpy(to, from, 255);
}

static inline StringPtr PLstrncat(StringPtr to, ConstStr255Param from, short count)
{
    short n, length = _PASCAL(from)[0] < count ? _PASCAL(from)[0] : count;

    for (n = 1; n <= length && to[0] < 255; n++)
    {
        to[to[0] + 1] = _PASCAL(from)[n];
        to[0]++;
    }
    return to;
}

static inline StringPtr PLstrcat(StringPtr to, ConstStr255Param from)
{
    return PLstrncat(to, from, 255);
}

/* Where a letter is first, or last; NULL if it is not there. */

static inline Ptr PLstrchr(ConstStr255Param text, short letter)
{
    short n;

    for (n = 1; n <= _PASCAL(text)[0]; n++)
        if (_PASCAL(text)[n] == (unsigned char) letter)
            return (Ptr) text + n;
    return 0;
}

static inline Ptr PLstrrchr(ConstStr255Param text, short letter)
{
    short n;

    for (n = _PASCAL(text)[0]; n > 0; n--)
        if (_PASCAL(text)[n] == (unsigned char) letter)
            return (Ptr) text + n;
    return 0;
}

/* Where the letters of a string begin in another; NULL if they are not there. */

static inline Ptr PLstrstr(ConstStr255Param text, ConstStr255Param wanted)
{
    short at, n;

    for (at = 1; at + _PASCAL(wanted)[0] <= _PASCAL(text)[0] + 1; at++)
    {
        for (n = 1; n <= _PASCAL(wanted)[0] && _PASCAL(text)[at + n - 1] == _PASCAL(wanted)[n]; n++)
            ;
        if (n > _PASCAL(wanted)[0])
            return (Ptr) text + at;
    }
    return 0;
}

#endif
