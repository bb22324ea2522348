/* bits.c
 *
 * What GCC's __builtin_clz, __builtin_ctz, __builtin_ffs, __builtin_clrsb,
 * __builtin_popcount and __builtin_parity call. Where GCC leaves the result
 * for 0 open, it is the number of bits.
 */

typedef unsigned long       Half;
typedef unsigned long long  Whole;

static int _Leading(Half a)
{
    int count = 0;

    if (a == 0)
        return 32;
    if (a < 0x00010000UL) { count += 16; a <<= 16; }
    if (a < 0x01000000UL) { count += 8;  a <<= 8; }
    if (a < 0x10000000UL) { count += 4;  a <<= 4; }
    if (a < 0x40000000UL) { count += 2;  a <<= 2; }
    return a < 0x80000000UL ? count + 1 : count;
}

static int _Trailing(Half a)
{
    return a == 0 ? 32 : 31 - _Leading(a & -a);
}

static int _Ones(Half a)
{
    a -= a >> 1 & 0x55555555UL;
    a = (a & 0x33333333UL) + (a >> 2 & 0x33333333UL);
    a = (a + (a >> 4)) & 0x0f0f0f0fUL;
    a += a >> 8;
    a += a >> 16;
    return (int) (a & 63);
}

static Half _High(Whole a) { return (Half) (a >> 32); }
static Half _Low(Whole a)  { return (Half) a; }

/* all bits that differ from the sign */

static Half _Unlike(Half a, Half high) { return high & 0x80000000UL ? ~a : a; }

int __clzsi2(Half a)        { return _Leading(a); }
int __ctzsi2(Half a)        { return _Trailing(a); }
int __ffssi2(Half a)        { return a == 0 ? 0 : _Trailing(a) + 1; }
int __clrsbsi2(Half a)      { return _Leading(_Unlike(a, a)) - 1; }
int __popcountsi2(Half a)   { return _Ones(a); }
int __paritysi2(Half a)     { return _Ones(a) & 1; }

int __clzdi2(Whole a)
{
    return _High(a) != 0 ? _Leading(_High(a)) : 32 + _Leading(_Low(a));
}

int __ctzdi2(Whole a)
{
    return _Low(a) != 0 ? _Trailing(_Low(a)) : 32 + _Trailing(_High(a));
}

int __ffsdi2(Whole a)
{
    return a == 0 ? 0 : __ctzdi2(a) + 1;
}

int __clrsbdi2(Whole a)
{
    Half high = _Unlike(_High(a), _High(a)), low = _Unlike(_Low(a), _High(a));

    return (high != 0 ? _Leading(high) : 32 + _Leading(low)) - 1;
}

int __popcountdi2(Whole a)  { return _Ones(_High(a)) + _Ones(_Low(a)); }
int __paritydi2(Whole a)    { return _Ones(_High(a) ^ _Low(a)) & 1; }
