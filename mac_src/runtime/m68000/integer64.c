/* integer64.c
 *
 * What a 68000 does not do with 64 bits in a few instructions. Nothing here
 * may be written with the operation it stands for.
 */

typedef unsigned long       Half;
typedef unsigned long long  Whole;
typedef signed long long    Signed;

typedef union
{
    Whole whole;
    struct { Half high, low; } half;
} Parts;

Whole __ashldi3(Whole a, int count)
{
    Parts p;

    p.whole = a;
    if (count == 0)
        return a;
    if (count >= 32)
    {
        p.half.high = p.half.low << (count - 32);
        p.half.low = 0;
    }
    else
    {
        p.half.high = p.half.high << count | p.half.low >> (32 - count);
        p.half.low <<= count;
    }
    return p.whole;
}

Whole __lshrdi3(Whole a, int count)
{
    Parts p;

    p.whole = a;
    if (count == 0)
        return a;
    if (count >= 32)
    {
        p.half.low = p.half.high >> (count - 32);
        p.half.high = 0;
    }
    else
    {
        p.half.low = p.half.low >> count | p.half.high << (32 - count);
        p.half.high >>= count;
    }
    return p.whole;
}

Signed __ashrdi3(Signed a, int count)
{
    Parts p;
    long high;

    p.whole = (Whole) a;
    high = (long) p.half.high;
    if (count == 0)
        return a;
    if (count >= 32)
    {
        p.half.low = (Half) (high >> (count - 32));
        p.half.high = (Half) (high >> 31);
    }
    else
    {
        p.half.low = p.half.low >> count | (Half) high << (32 - count);
        p.half.high = (Half) (high >> count);
    }
    return (Signed) p.whole;
}

/* the whole product of two halves, from four of quarters */

static Whole _Product(Half a, Half b)
{
    Half ah = a >> 16, al = a & 0xffff;
    Half bh = b >> 16, bl = b & 0xffff;
    Half low = al * bl;
    Half one = ah * bl + (low >> 16);
    Half two = al * bh + (one & 0xffff);
    Parts p;

    p.half.low = two << 16 | (low & 0xffff);
    p.half.high = ah * bh + (one >> 16) + (two >> 16);
    return p.whole;
}

Whole __muldi3(Whole a, Whole b)
{
    Parts pa, pb, product;

    pa.whole = a;
    pb.whole = b;
    product.whole = _Product(pa.half.low, pb.half.low);
    product.half.high += pa.half.high * pb.half.low + pa.half.low * pb.half.high;
    return product.whole;
}

static Whole _Divide(Whole a, Whole b, Whole* remainder)
{
    Whole quotient = 0, r = 0;
    Parts top;
    int i, carry;

    if (b == 0)
    {
        /* as the processor's own division does it */

        volatile unsigned short zero = 0;
        return (Whole) (1 / zero);
    }
    for (i = 0; i < 64; i++)
    {
        top.whole = r;
        carry = (top.half.high & 0x80000000UL) != 0;
        r += r;
        top.whole = a;
        if (top.half.high & 0x80000000UL)
            r |= 1;
        a += a;
        quotient += quotient;
        if (carry || r >= b)
        {
            r -= b;
            quotient |= 1;
        }
    }
    *remainder = r;
    return quotient;
}

Whole __udivdi3(Whole a, Whole b)
{
    Whole remainder;

    return _Divide(a, b, &remainder);
}

Whole __umoddi3(Whole a, Whole b)
{
    Whole remainder;

    _Divide(a, b, &remainder);
    return remainder;
}

static Whole _Magnitude(Signed a)
{
    return a < 0 ? -(Whole) a : (Whole) a;
}

Signed __divdi3(Signed a, Signed b)
{
    Whole remainder, quotient = _Divide(_Magnitude(a), _Magnitude(b), &remainder);

    return (Signed) ((a < 0) != (b < 0) ? -quotient : quotient);
}

Signed __moddi3(Signed a, Signed b)
{
    Whole remainder;

    _Divide(_Magnitude(a), _Magnitude(b), &remainder);
    return (Signed) (a < 0 ? -remainder : remainder);
}

Whole __negdi2(Whole a)
{
    return ~a + 1;
}

/* 0, 1 or 2 for less, equal and greater */

int __cmpdi2(Signed a, Signed b)
{
    return a < b ? 0 : a == b ? 1 : 2;
}

int __ucmpdi2(Whole a, Whole b)
{
    return a < b ? 0 : a == b ? 1 : 2;
}
