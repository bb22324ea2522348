/* float_conversion.c: between the formats, and to and from integers. */

#include "soft_float.h"

static Number _FromWhole(Mantissa magnitude, int negative)
{
    Number n = { kZero, 0, 62, 0 };

    if (magnitude == 0)
        return n;
    n.kind = kFinite;
    n.negative = negative;
    if (magnitude >= 2 * kTop)
    {
        magnitude = _ShiftedRight(magnitude, 1);
        n.exponent++;
    }
    for (; (magnitude & kTop) == 0; magnitude <<= 1)
        n.exponent--;
    n.mantissa = magnitude;
    return n;
}

static Number _FromSigned(signed long long a)
{
    return _FromWhole(a < 0 ? -(Mantissa) a : (Mantissa) a, a < 0);
}

/* Towards zero; what does not fit is cut to the nearest that does, and what
 * is not a number gives 0.
 */

static Mantissa _Whole(Number n, Mantissa most)
{
    if (n.kind == kZero || n.kind == kNotANumber || (n.kind == kFinite && n.exponent < 0))
        return 0;
    if (n.kind == kInfinite || n.exponent > 63)
        return most;
    n.mantissa = n.exponent == 63 ? n.mantissa << 1 : n.mantissa >> (62 - n.exponent);
    return n.mantissa > most ? most : n.mantissa;
}

static Mantissa _Signed(Number n, int bits)
{
    Mantissa least = (Mantissa) 1 << (bits - 1);

    return n.negative ? -_Whole(n, least) : _Whole(n, least - 1);
}

static Mantissa _Unsigned(Number n, Mantissa most)
{
    return n.negative ? 0 : _Whole(n, most);
}

#define kMost32     ((Mantissa) 0xffffffffUL)
#define kMost64     (~(Mantissa) 0)

Double __extendsfdf2(Single a)              { return _ToDouble(_FromSingle(a)); }
Single __truncdfsf2(Double a)               { return _ToSingle(_FromDouble(a)); }

Single __floatsisf(long a)                  { return _ToSingle(_FromSigned(a)); }
Double __floatsidf(long a)                  { return _ToDouble(_FromSigned(a)); }
Single __floatdisf(signed long long a)      { return _ToSingle(_FromSigned(a)); }
Double __floatdidf(signed long long a)      { return _ToDouble(_FromSigned(a)); }
Single __floatunsisf(unsigned long a)       { return _ToSingle(_FromWhole(a, 0)); }
Double __floatunsidf(unsigned long a)       { return _ToDouble(_FromWhole(a, 0)); }
Single __floatundisf(unsigned long long a)  { return _ToSingle(_FromWhole(a, 0)); }
Double __floatundidf(unsigned long long a)  { return _ToDouble(_FromWhole(a, 0)); }

long __fixsfsi(Single a)                    { return (long) _Signed(_FromSingle(a), 32); }
long __fixdfsi(Double a)                    { return (long) _Signed(_FromDouble(a), 32); }
Mantissa __fixsfdi(Single a)                { return _Signed(_FromSingle(a), 64); }
Mantissa __fixdfdi(Double a)                { return _Signed(_FromDouble(a), 64); }
unsigned long __fixunssfsi(Single a)        { return (unsigned long) _Unsigned(_FromSingle(a), kMost32); }
unsigned long __fixunsdfsi(Double a)        { return (unsigned long) _Unsigned(_FromDouble(a), kMost32); }
Mantissa __fixunssfdi(Single a)             { return _Unsigned(_FromSingle(a), kMost64); }
Mantissa __fixunsdfdi(Double a)             { return _Unsigned(_FromDouble(a), kMost64); }
