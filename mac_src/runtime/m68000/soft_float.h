/* soft_float.h
 *
 * float and double for a processor without floating point, rounded to
 * nearest, ties to even (IEEE 754). Both formats are unpacked into one kind
 * of number, which the routines work on.
 *
 * Arguments and results are the bits, which travel just as the numbers do.
 * A result that is no number is the quiet NaN 0x7fc00000 or
 * 0x7ff80000 00000000, whatever the bits of the operands. Conversion keeps
 * the sign of a NaN, and negation changes it.
 */

#ifndef SOFT_FLOAT_H
#define SOFT_FLOAT_H

typedef unsigned long       Single;
typedef unsigned long long  Double;
typedef unsigned long long  Mantissa;

enum Kind { kZero, kFinite, kInfinite, kNotANumber };

/* mantissa * 2^(exponent - 62), the mantissa's top bit being kTop */

typedef struct Number
{
    enum Kind   kind;
    int         negative;
    int         exponent;
    Mantissa    mantissa;
} Number;

#define kTop        ((Mantissa) 1 << 62)

/* A format: bits of the mantissa, the leading one counted, and bias. */

enum { kSingleBits = 24, kSingleBias = 127, kDoubleBits = 53, kDoubleBias = 1023 };

static inline Number _Unpack(Mantissa bits, int precision, int bias, int negative)
{
    int fractionBits = precision - 1;
    int field = (int) (bits >> fractionBits);
    Number n;

    n.negative = negative;
    n.mantissa = bits & (((Mantissa) 1 << fractionBits) - 1);
    n.exponent = 0;
    if (field == 2 * bias + 1)
    {
        n.kind = n.mantissa != 0 ? kNotANumber : kInfinite;
        return n;
    }
    if (field == 0 && n.mantissa == 0)
    {
        n.kind = kZero;
        return n;
    }
    n.kind = kFinite;
    n.exponent = (field == 0 ? 1 : field) - bias;
    if (field != 0)
        n.mantissa |= (Mantissa) 1 << fractionBits;
    n.mantissa <<= 62 - fractionBits;
    for (; (n.mantissa & kTop) == 0; n.mantissa <<= 1)
        n.exponent--;
    return n;
}

static inline Mantissa _ShiftedRight(Mantissa m, int count)
{
    if (count == 0)
        return m;
    if (count > 62)
        return m != 0;
    return m >> count | ((m & (((Mantissa) 1 << count) - 1)) != 0);
}

static inline Mantissa _Pack(const Number* n, int precision, int bias)
{
    int fractionBits = precision - 1;
    int spare = 62 - fractionBits;
    Mantissa infinity = (Mantissa) (2 * bias + 1) << fractionBits;
    Mantissa m = n->mantissa, half = (Mantissa) 1 << (spare - 1), rest;
    int field = n->exponent + bias;

    if (n->kind == kZero)
        return 0;
    if (n->kind == kInfinite)
        return infinity;
    if (n->kind == kNotANumber)
        return infinity | (Mantissa) 1 << (fractionBits - 1);
    if (field <= 0)
    {
        m = _ShiftedRight(m, 1 - field);
        field = 0;
    }
    else if (field > 2 * bias)
        return infinity;
    rest = m & (2 * half - 1);
    m >>= spare;
    if (rest > half || (rest == half && (m & 1) != 0))
        m++;

    /* Adding, not joining: the leading bit counts the field up by one, and
     * so does a carry, which gives infinity where it has to.
     */

    return ((Mantissa) (field > 0 ? field - 1 : 0) << fractionBits) + m;
}

static inline Number _FromSingle(Single s)
{
    return _Unpack(s & 0x7fffffffUL, kSingleBits, kSingleBias, (s & 0x80000000UL) != 0);
}

static inline Number _FromDouble(Double d)
{
    int negative = (long) (d >> 32) < 0;

    return _Unpack(d & ~((Double) 1 << 63), kDoubleBits, kDoubleBias, negative);
}

static inline Single _ToSingle(Number n)
{
    Single sign = n.negative ? 0x80000000UL : 0;

    return (Single) _Pack(&n, kSingleBits, kSingleBias) | sign;
}

static inline Double _ToDouble(Number n)
{
    Double sign = n.negative ? (Double) 1 << 63 : 0;

    return _Pack(&n, kDoubleBits, kDoubleBias) | sign;
}

#endif
