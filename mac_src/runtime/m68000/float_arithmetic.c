/* float_arithmetic.c: sums, products and quotients. See soft_float.h. */

#include "soft_float.h"

static Number _NotANumber(void)
{
    Number n = { kNotANumber, 0, 0, 0 };

    return n;
}

static Number _Add(Number a, Number b)
{
    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _NotANumber();
    if (a.kind == kInfinite)
        return b.kind == kInfinite && a.negative != b.negative ? _NotANumber() : a;
    if (b.kind == kInfinite)
        return b;
    if (b.kind == kZero)
    {
        if (a.kind == kZero)
            a.negative = a.negative && b.negative;
        return a;
    }
    if (a.kind == kZero)
        return b;
    if (a.exponent < b.exponent)
    {
        Number smaller = a;

        a = b;
        b = smaller;
    }
    b.mantissa = _ShiftedRight(b.mantissa, a.exponent - b.exponent);
    if (a.negative == b.negative)
    {
        a.mantissa += b.mantissa;
        if (a.mantissa >= 2 * kTop)
        {
            a.mantissa = _ShiftedRight(a.mantissa, 1);
            a.exponent++;
        }
        return a;
    }
    if (a.mantissa < b.mantissa)
    {
        a.mantissa = b.mantissa - a.mantissa;
        a.negative = b.negative;
    }
    else
        a.mantissa -= b.mantissa;
    if (a.mantissa == 0)
    {
        a.kind = kZero;
        a.negative = 0;
        return a;
    }
    for (; (a.mantissa & kTop) == 0; a.mantissa <<= 1)
        a.exponent--;
    return a;
}

static Number _Subtract(Number a, Number b)
{
    b.negative = !b.negative;
    return _Add(a, b);
}

/* The mantissas have 53 bits in front, so their halves have 27 and 26. */

static Number _Multiply(Number a, Number b)
{
    const Mantissa mask = ((Mantissa) 1 << 27) - 1;
    Mantissa ah, al, bh, bl, low, middle, high;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _NotANumber();
    a.negative ^= b.negative;
    if (a.kind == kInfinite || b.kind == kInfinite)
    {
        if (a.kind == kZero || b.kind == kZero)
            return _NotANumber();
        a.kind = kInfinite;
        return a;
    }
    if (a.kind == kZero || b.kind == kZero)
    {
        a.kind = kZero;
        return a;
    }
    ah = a.mantissa >> 37;
    al = a.mantissa >> 10 & mask;
    bh = b.mantissa >> 37;
    bl = b.mantissa >> 10 & mask;
    low = al * bl;
    middle = ah * bl + al * bh + (low >> 27);
    high = ah * bh + (middle >> 27);
    low = (low & mask) | (middle & (((Mantissa) 1 << 16) - 1));
    a.mantissa = high << 11 | (middle & mask) >> 16 | (low != 0);
    a.exponent += b.exponent + 1;
    for (; (a.mantissa & kTop) == 0; a.mantissa <<= 1)
        a.exponent--;
    return a;
}

static Number _Divide(Number a, Number b)
{
    Mantissa rest, quotient = 0;
    int i;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _NotANumber();
    a.negative ^= b.negative;
    if (a.kind == kInfinite || b.kind == kZero)
    {
        if (a.kind == b.kind)
            return _NotANumber();
        a.kind = kInfinite;
        return a;
    }
    if (a.kind == kZero || b.kind == kInfinite)
    {
        a.kind = kZero;
        return a;
    }
    rest = a.mantissa;
    for (i = 0; i < 57; i++)
    {
        quotient <<= 1;
        if (rest >= b.mantissa)
        {
            rest -= b.mantissa;
            quotient |= 1;
        }
        rest <<= 1;
    }
    a.mantissa = quotient << 6 | (rest != 0);
    a.exponent -= b.exponent;
    for (; (a.mantissa & kTop) == 0; a.mantissa <<= 1)
        a.exponent--;
    return a;
}

Single __addsf3(Single a, Single b) { return _ToSingle(_Add(_FromSingle(a), _FromSingle(b))); }
Single __subsf3(Single a, Single b) { return _ToSingle(_Subtract(_FromSingle(a), _FromSingle(b))); }
Single __mulsf3(Single a, Single b) { return _ToSingle(_Multiply(_FromSingle(a), _FromSingle(b))); }
Single __divsf3(Single a, Single b) { return _ToSingle(_Divide(_FromSingle(a), _FromSingle(b))); }
Single __negsf2(Single a)           { return a ^ 0x80000000UL; }

Double __adddf3(Double a, Double b) { return _ToDouble(_Add(_FromDouble(a), _FromDouble(b))); }
Double __subdf3(Double a, Double b) { return _ToDouble(_Subtract(_FromDouble(a), _FromDouble(b))); }
Double __muldf3(Double a, Double b) { return _ToDouble(_Multiply(_FromDouble(a), _FromDouble(b))); }
Double __divdf3(Double a, Double b) { return _ToDouble(_Divide(_FromDouble(a), _FromDouble(b))); }
Double __negdf2(Double a)           { return a ^ (Double) 1 << 63; }
