/* extended.c
 *
 * long double for a processor without floating point: 12 bytes as a 68881
 * stores them, 64 bits of mantissa, rounded to nearest, ties to even. As in
 * Motorola's format, and unlike Intel's, a number whose exponent is 0 may
 * have its leading bit. A result that is no number is a quiet NaN, and one
 * too large is infinite.
 */

#include "soft_float.h"

typedef long double  Extended;

/* A long double as it lies in memory. */

typedef struct Layout
{
    unsigned short  top, unused;
    Mantissa        mantissa;
} __attribute__((packed)) Layout;

typedef union Bits
{
    Extended  number;
    Layout    layout;
} Bits;

enum { kExtendedBias = 16383, kMostField = 0x7fff };

#define kLeading    ((Mantissa) 1 << 63)

/* high.low * 2^(exponent - 63), the leading bit of high being set */

typedef struct Wide
{
    enum Kind   kind;
    int         negative;
    long        exponent;
    Mantissa    high, low;
} Wide;

static Wide _Special(enum Kind kind, int negative)
{
    Wide w = { kind, negative, 0, 0, 0 };

    return w;
}

static void _Normalize(Wide* w)
{
    if (w->high == 0 && w->low == 0)
        w->kind = kZero;
    else
        for (; (w->high & kLeading) == 0; w->exponent--)
        {
            w->high = w->high << 1 | w->low >> 63;
            w->low <<= 1;
        }
}

static Wide _Unpacked(Extended x)
{
    Bits b;
    Wide w = { kFinite, 0, 0, 0, 0 };
    int field;

    b.number = x;
    field = b.layout.top & kMostField;
    w.negative = b.layout.top >> 15;
    w.exponent = field - kExtendedBias;
    w.high = b.layout.mantissa;
    if (field == kMostField)
        w.kind = w.high << 1 != 0 ? kNotANumber : kInfinite;
    else
        _Normalize(&w);
    return w;
}

/* What is lost on the right is kept as the lowest bit. */

static void _ShiftRight(Wide* w, long count)
{
    if (count >= 64)
    {
        w->low = _ShiftedRight(w->high, (int) count - 64) | (w->low != 0);
        w->high = 0;
    }
    else if (count > 0)
    {
        w->low = w->high << (64 - count) | _ShiftedRight(w->low, (int) count);
        w->high >>= count;
    }
}

static Extended _Packed(Wide w)
{
    long field = w.exponent + kExtendedBias;
    Bits b;

    if (w.kind == kFinite)
    {
        if (field < 0)
        {
            _ShiftRight(&w, -field);
            field = 0;
        }
        if (w.low > kLeading || (w.low == kLeading && (w.high & 1) != 0))
            if (++w.high == 0)
            {
                w.high = kLeading;
                field++;
            }
        if (field >= kMostField)
            w.kind = kInfinite;
        else if (w.high == 0)
            w.kind = kZero;
    }
    if (w.kind != kFinite)
    {
        field = w.kind == kZero ? 0 : kMostField;
        w.high = w.kind == kNotANumber ? (Mantissa) 3 << 62 : 0;
    }
    b.layout.top = (unsigned short) (field | (w.negative ? 0x8000 : 0));
    b.layout.unused = 0;
    b.layout.mantissa = w.high;
    return b.number;
}

/* -- sums, products, quotients ------------------------------------------- */

static Wide _Sum(Wide a, Wide b)
{
    Mantissa high, borrow;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _Special(kNotANumber, 0);
    if (a.kind == kInfinite)
        return b.kind == kInfinite && a.negative != b.negative ? _Special(kNotANumber, 0) : a;
    if (a.kind == kZero && b.kind == kZero)
        return _Special(kZero, a.negative && b.negative);
    if (b.kind == kInfinite || a.kind == kZero)
        return b;
    if (b.kind == kZero)
        return a;
    if (a.exponent < b.exponent || (a.exponent == b.exponent && a.high < b.high))
    {
        Wide smaller = a;

        a = b;
        b = smaller;
    }
    _ShiftRight(&b, a.exponent - b.exponent);
    if (a.negative == b.negative)
    {
        high = a.high + b.high;
        a.low = b.low;
        if (high < a.high)
        {
            a.high = high;
            _ShiftRight(&a, 1);
            a.high |= kLeading;
            a.exponent++;
            return a;
        }
        a.high = high;
        return a;
    }
    borrow = b.low != 0;
    a.low = -b.low;
    a.high -= b.high + borrow;
    _Normalize(&a);
    if (a.kind == kZero)
        a.negative = 0;
    return a;
}

static Wide _Product(Wide a, Wide b)
{
    const Mantissa mask = 0xffffffffUL;
    Mantissa ah, al, bh, bl, low, middle, other;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _Special(kNotANumber, 0);
    a.negative ^= b.negative;
    if (a.kind == kInfinite || b.kind == kInfinite)
        return _Special(a.kind == kZero || b.kind == kZero ? kNotANumber : kInfinite, a.negative);
    if (a.kind == kZero || b.kind == kZero)
        return _Special(kZero, a.negative);
    ah = a.high >> 32;
    al = a.high & mask;
    bh = b.high >> 32;
    bl = b.high & mask;
    low = al * bl;
    middle = ah * bl + (low >> 32);
    other = al * bh + (middle & mask);
    a.high = ah * bh + (middle >> 32) + (other >> 32);
    a.low = other << 32 | (low & mask);
    a.exponent += b.exponent + 1;
    _Normalize(&a);
    return a;
}

static Wide _Quotient(Wide a, Wide b)
{
    Mantissa rest, quotient = 0;
    int i, carry = 0;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return _Special(kNotANumber, 0);
    a.negative ^= b.negative;
    if (a.kind == kInfinite || b.kind == kZero)
        return _Special(a.kind == b.kind ? kNotANumber : kInfinite, a.negative);
    if (a.kind == kZero || b.kind == kInfinite)
        return _Special(kZero, a.negative);
    rest = a.high;
    for (i = 0; i < 67; i++)
    {
        if (i == 64)
        {
            a.high = quotient;
            quotient = 0;
        }
        quotient <<= 1;
        if (carry || rest >= b.high)
        {
            rest -= b.high;
            quotient |= 1;
        }
        carry = (rest & kLeading) != 0;
        rest <<= 1;
    }
    a.low = quotient << 61 | (rest != 0 || carry);
    a.exponent -= b.exponent;
    _Normalize(&a);
    return a;
}

Extended __addxf3(Extended a, Extended b) { return _Packed(_Sum(_Unpacked(a), _Unpacked(b))); }
Extended __mulxf3(Extended a, Extended b) { return _Packed(_Product(_Unpacked(a), _Unpacked(b))); }
Extended __divxf3(Extended a, Extended b) { return _Packed(_Quotient(_Unpacked(a), _Unpacked(b))); }

Extended __negxf2(Extended a)
{
    Bits b;

    b.number = a;
    b.layout.top ^= 0x8000;
    return b.number;
}

Extended __subxf3(Extended a, Extended b)
{
    Wide w = _Unpacked(b);

    w.negative = !w.negative;
    return _Packed(_Sum(_Unpacked(a), w));
}

/* -- order: see float_comparison.c --------------------------------------- */

static int _Order(Extended x, Extended y, int notComparable)
{
    Wide a = _Unpacked(x), b = _Unpacked(y);
    int larger;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return notComparable;
    if (a.kind == kZero && b.kind == kZero)
        return 0;
    if (a.kind == kZero)
        return b.negative ? 1 : -1;
    if (b.kind == kZero || a.negative != b.negative)
        return a.negative ? -1 : 1;
    larger = a.negative ? -1 : 1;
    if (a.kind != b.kind)
        return a.kind == kInfinite ? larger : -larger;
    if (a.kind == kInfinite)
        return 0;
    if (a.exponent != b.exponent)
        return a.exponent > b.exponent ? larger : -larger;
    if (a.high != b.high)
        return a.high > b.high ? larger : -larger;
    return 0;
}

int __eqxf2(Extended a, Extended b)     { return _Order(a, b, 1); }
int __nexf2(Extended a, Extended b)     { return _Order(a, b, 1); }
int __ltxf2(Extended a, Extended b)     { return _Order(a, b, 1); }
int __lexf2(Extended a, Extended b)     { return _Order(a, b, 1); }
int __gtxf2(Extended a, Extended b)     { return _Order(a, b, -1); }
int __gexf2(Extended a, Extended b)     { return _Order(a, b, -1); }
int __unordxf2(Extended a, Extended b)  { return _Order(a, b, 2) == 2; }

/* -- conversions: see float_conversion.c --------------------------------- */

static Extended _OfNumber(Number n)
{
    Wide w = { n.kind, n.negative, n.exponent, n.mantissa << 1, 0 };

    return _Packed(w);
}

static Number _NumberOf(Extended x)
{
    Wide w = _Unpacked(x);
    Number n = { w.kind, w.negative, (int) w.exponent, w.high >> 1 | (w.high & 1) };

    return n;
}

static Extended _OfWhole(Mantissa magnitude, int negative)
{
    Wide w = { kFinite, negative, 63, magnitude, 0 };

    _Normalize(&w);
    return _Packed(w);
}

/* Towards zero; what does not fit is cut to the nearest that does. */

static Mantissa _Magnitude(Wide w, Mantissa most)
{
    if (w.kind == kZero || w.kind == kNotANumber || (w.kind == kFinite && w.exponent < 0))
        return 0;
    if (w.kind == kInfinite || w.exponent > 63)
        return most;
    w.high >>= 63 - w.exponent;
    return w.high > most ? most : w.high;
}

static Mantissa _SignedWhole(Extended x, int bits)
{
    Mantissa least = (Mantissa) 1 << (bits - 1);
    Wide w = _Unpacked(x);

    return w.negative ? -_Magnitude(w, least) : _Magnitude(w, least - 1);
}

static Mantissa _UnsignedWhole(Extended x, Mantissa most)
{
    Wide w = _Unpacked(x);

    return w.negative ? 0 : _Magnitude(w, most);
}

Extended __extendsfxf2(Single a)    { return _OfNumber(_FromSingle(a)); }
Extended __extenddfxf2(Double a)    { return _OfNumber(_FromDouble(a)); }
Single __truncxfsf2(Extended a)     { return _ToSingle(_NumberOf(a)); }
Double __truncxfdf2(Extended a)     { return _ToDouble(_NumberOf(a)); }

Extended __floatdixf(signed long long a)
{
    return _OfWhole(a < 0 ? -(Mantissa) a : (Mantissa) a, a < 0);
}

Extended __floatsixf(long a)            { return __floatdixf(a); }
Extended __floatunsixf(unsigned long a) { return _OfWhole(a, 0); }
Extended __floatundixf(Mantissa a)      { return _OfWhole(a, 0); }

long __fixxfsi(Extended a)              { return (long) _SignedWhole(a, 32); }
signed long long __fixxfdi(Extended a)  { return (signed long long) _SignedWhole(a, 64); }
unsigned long __fixunsxfsi(Extended a)  { return (unsigned long) _UnsignedWhole(a, 0xffffffffUL); }
Mantissa __fixunsxfdi(Extended a)       { return _UnsignedWhole(a, ~(Mantissa) 0); }
