/* soft_float.c
 *
 * float and double for a processor without floating point, rounded to
 * nearest, ties to even (IEEE 754). Debian's compiler has a library for
 * this too, but it is made for a 68020 with a 68881, and what it gives
 * back comes in a register that a 68000 has not.
 *
 * Arguments and results are the bits, which travel just as the numbers do.
 */

#ifdef __m68k__

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


/* ---- between bits and numbers ---------------------------------------- */

static Number _Unpack(Mantissa bits, int precision, int bias, int negative)
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

static Mantissa _ShiftedRight(Mantissa m, int count)
{
    if (count == 0)
        return m;
    if (count > 62)
        return m != 0;
    return m >> count | ((m & (((Mantissa) 1 << count) - 1)) != 0);
}

static Mantissa _Pack(const Number* n, int precision, int bias)
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

static Number _FromSingle(Single s)
{
    return _Unpack(s & 0x7fffffffUL, kSingleBits, kSingleBias, (s & 0x80000000UL) != 0);
}

static Number _FromDouble(Double d)
{
    int negative = (long) (d >> 32) < 0;

    return _Unpack(d & ~((Double) 1 << 63), kDoubleBits, kDoubleBias, negative);
}

static Single _ToSingle(Number n)
{
    Single sign = n.negative ? 0x80000000UL : 0;

    return (Single) _Pack(&n, kSingleBits, kSingleBias) | sign;
}

static Double _ToDouble(Number n)
{
    Double sign = n.negative ? (Double) 1 << 63 : 0;

    return _Pack(&n, kDoubleBits, kDoubleBias) | sign;
}


/* ---- arithmetic ------------------------------------------------------- */

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


/* ---- comparison: negative, 0 or positive, and one that is never true -- */

static int _Compare(Number a, Number b, int notComparable)
{
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
    if (a.mantissa != b.mantissa)
        return a.mantissa > b.mantissa ? larger : -larger;
    return 0;
}

#define COMPARISON(name, notComparable)                                     \
    int __##name##sf2(Single a, Single b)                                   \
    {                                                                       \
        return _Compare(_FromSingle(a), _FromSingle(b), notComparable);     \
    }                                                                       \
    int __##name##df2(Double a, Double b)                                   \
    {                                                                       \
        return _Compare(_FromDouble(a), _FromDouble(b), notComparable);     \
    }

COMPARISON(eq, 1)
COMPARISON(ne, 1)
COMPARISON(lt, 1)
COMPARISON(le, 1)
COMPARISON(gt, -1)
COMPARISON(ge, -1)
COMPARISON(cmp, 1)

int __unordsf2(Single a, Single b)
{
    return _FromSingle(a).kind == kNotANumber || _FromSingle(b).kind == kNotANumber;
}

int __unorddf2(Double a, Double b)
{
    return _FromDouble(a).kind == kNotANumber || _FromDouble(b).kind == kNotANumber;
}


/* ---- conversion -------------------------------------------------------- */

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

static Number _FromLong(long a)
{
    return _FromWhole(a < 0 ? -(unsigned long) a : (unsigned long) a, a < 0);
}

/* Towards zero; what does not fit is cut to the nearest that does. */

static unsigned long _Whole(Number n, unsigned long most)
{
    if (n.kind == kZero || n.kind == kNotANumber || (n.kind == kFinite && n.exponent < 0))
        return 0;
    if (n.kind == kInfinite || n.exponent > 31)
        return most;
    n.mantissa >>= 62 - n.exponent;
    return n.mantissa > most ? most : (unsigned long) n.mantissa;
}

static long _Long(Number n)
{
    if (n.negative)
        return (long) -_Whole(n, 0x80000000UL);
    return (long) _Whole(n, 0x7fffffffUL);
}

static unsigned long _UnsignedLong(Number n)
{
    return n.negative ? 0 : _Whole(n, 0xffffffffUL);
}

Double __extendsfdf2(Single a)          { return _ToDouble(_FromSingle(a)); }
Single __truncdfsf2(Double a)           { return _ToSingle(_FromDouble(a)); }
Single __floatsisf(long a)              { return _ToSingle(_FromLong(a)); }
Double __floatsidf(long a)              { return _ToDouble(_FromLong(a)); }
Single __floatunsisf(unsigned long a)   { return _ToSingle(_FromWhole(a, 0)); }
Double __floatunsidf(unsigned long a)   { return _ToDouble(_FromWhole(a, 0)); }
long __fixsfsi(Single a)                { return _Long(_FromSingle(a)); }
long __fixdfsi(Double a)                { return _Long(_FromDouble(a)); }
unsigned long __fixunssfsi(Single a)    { return _UnsignedLong(_FromSingle(a)); }
unsigned long __fixunsdfsi(Double a)    { return _UnsignedLong(_FromDouble(a)); }

#endif
