// single.cpp
//
// Arithmetic on float for a plain 68000, which has none; only what the
// blockmap needs. A Macintosh compiler calls SANE for it, GCC calls the
// functions below by these names. Debian's libgcc has them, but in code
// for the 68020. Every other processor does without this file.
//
// Results are those of IEEE 754: rounded to the nearest, and of two
// nearest to the even one.

#if defined(__m68k__) && !defined(__HAVE_68881__) || defined(TEST_SINGLE)

typedef unsigned int Bits;

static const Bits kSign     = 0x80000000;
static const Bits kInfinity = 0x7f800000;
static const Bits kQuiet    = 0x00400000;   // marks what is not a number
static const Bits kOne      = 0x00800000;   // leading bit of a significand

union Single
{
    float   value;
    Bits    bits;
};

static Bits BitsOf(float value)
{
    Single s;
    s.value = value;
    return s.bits;
}

static float FloatOf(Bits bits)
{
    Single s;
    s.bits = bits;
    return s.value;
}

static bool NotANumberQ(Bits a)
{
    return (a & ~kSign) > kInfinity;
}

// The exponent as it is stored; numbers too small for a leading bit count
// as having the lowest.

static int ExponentOf(Bits a)
{
    const int exponent = (int) (a >> 23 & 0xff);
    return exponent != 0 ? exponent : 1;
}

// A significand, with three more bits for what shifts push out.

static Bits SignificandOf(Bits a)
{
    const Bits fraction = a & (kOne - 1);
    return (a >> 23 & 0xff ? fraction | kOne : fraction) << 3;
}

// Halves so many times; what is pushed out stays as the lowest bit.

static Bits ShiftedRight(Bits a, int count)
{
    if (count > 26)
        return a != 0;
    return a >> count | ((a & ((1U << count) - 1)) != 0);
}

// Rounds away the three bits. The leading bit, if there is one, adds one
// to the exponent.

static float Packed(Bits sign, int exponent, Bits significand)
{
    const Bits rest = significand & 7;
    Bits       a    = significand >> 3;

    if (rest > 4 || (rest == 4 && a & 1))
        a++;
    a += (Bits) (exponent - 1) << 23;
    return FloatOf(sign | (a < kInfinity ? a : kInfinity));
}

extern "C" float __addsf3(float x, float y)
{
    Bits a = BitsOf(x);
    Bits b = BitsOf(y);

    if ((a & ~kSign) < (b & ~kSign))
    {
        const Bits c = a;
        a = b;
        b = c;
    }

    // Now a is the one farther from zero, or no number.

    if (NotANumberQ(a))
        return FloatOf(a | kQuiet);
    if ((a & ~kSign) == kInfinity)
        return (a ^ b) == kSign ? FloatOf(a | kQuiet) : FloatOf(a);
    if ((a & ~kSign) == 0)
        return FloatOf(a & b);

    int  exponent = ExponentOf(a);
    Bits sum      = SignificandOf(a);
    Bits other    = ShiftedRight(SignificandOf(b), exponent - ExponentOf(b));

    if (((a ^ b) & kSign) == 0)
    {
        sum += other;
        if (sum >= kOne << 4)
        {
            sum = ShiftedRight(sum, 1);
            exponent++;
        }
        return Packed(a & kSign, exponent, sum);
    }

    sum -= other;
    if (sum == 0)
        return 0;
    for (; sum < kOne << 3 && exponent > 1; exponent--)
        sum <<= 1;
    return Packed(a & kSign, exponent, sum);
}

extern "C" float __floatsisf(int n)
{
    Bits a        = n < 0 ? -(Bits) n : (Bits) n;
    int  exponent = 127 + 26;           // for a leading bit in bit 26

    if (n == 0)
        return 0;
    for (; a >= kOne << 4; exponent++)
        a = ShiftedRight(a, 1);
    if (a < 1U << 11)   { a <<= 16; exponent -= 16; }
    if (a < 1U << 19)   { a <<=  8; exponent -=  8; }
    if (a < 1U << 23)   { a <<=  4; exponent -=  4; }
    if (a < 1U << 25)   { a <<=  2; exponent -=  2; }
    if (a < 1U << 26)   { a <<=  1; exponent -=  1; }
    return Packed(n < 0 ? kSign : 0, exponent, a);
}

// Towards zero. What is too large has no right answer.

extern "C" int __fixsfsi(float x)
{
    const Bits a        = BitsOf(x);
    const int  exponent = ExponentOf(a) - 127;

    if (exponent < 0)
        return 0;
    if (exponent > 30)
        return (int) kSign;

    const Bits significand = SignificandOf(a) >> 3;
    const int  n = (int) (exponent > 23 ? significand << (exponent - 23)
                                        : significand >> (23 - exponent));
    return a & kSign ? -n : n;
}

// -1, 0 or 1 as x is below, equal to or above y, or else what is given for
// things that have no order.

static int Compared(float x, float y, int unordered)
{
    const Bits a = BitsOf(x);
    const Bits b = BitsOf(y);

    if (NotANumberQ(a) || NotANumberQ(b))
        return unordered;
    if (a == b || ((a | b) & ~kSign) == 0)
        return 0;
    if ((a ^ b) & kSign)
        return a & kSign ? -1 : 1;
    return (a < b) == ((a & kSign) == 0) ? -1 : 1;
}

extern "C" int __ltsf2(float x, float y) { return Compared(x, y,  1); }
extern "C" int __lesf2(float x, float y) { return Compared(x, y,  1); }
extern "C" int __gtsf2(float x, float y) { return Compared(x, y, -1); }
extern "C" int __gesf2(float x, float y) { return Compared(x, y, -1); }

#endif
