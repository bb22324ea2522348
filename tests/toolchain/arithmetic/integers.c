/* integers.c: what GCC calls for 64-bit integers, 32-bit ones on a 68000, and their bits. */

enum { kCount = 16 };

typedef unsigned long       u32;
typedef unsigned long long  u64;
typedef long                s32;
typedef long long           s64;

int __cmpdi2(s64 a, s64 b);
int __ucmpdi2(u64 a, u64 b);

u64 gA[kCount], gB[kCount];
u64 gMul[kCount][kCount], gDiv[kCount][kCount], gMod[kCount][kCount];
u64 gUdiv[kCount][kCount], gUmod[kCount][kCount];
u64 gShl[kCount][kCount], gShr[kCount][kCount], gSar[kCount][kCount];
u32 gMul32[kCount][kCount], gDiv32[kCount][kCount], gMod32[kCount][kCount];
u32 gUdiv32[kCount][kCount], gUmod32[kCount][kCount];
unsigned char gOrder[kCount][kCount], gUorder[kCount][kCount], gCalled[kCount][kCount];
u64 gNegated[kCount];
unsigned char gBits64[kCount][5], gBits32[kCount][5];

static void Divide(int i, int j)
{
    u64 a = gA[i], b = gB[j];
    u32 c = (u32) a, d = (u32) b;

    if (b != 0)
    {
        gUdiv[i][j] = a / b;
        gUmod[i][j] = a % b;
        gDiv[i][j] = (s64) a / (s64) b;
        gMod[i][j] = (s64) a % (s64) b;
    }
    if (d != 0)
    {
        gUdiv32[i][j] = c / d;
        gUmod32[i][j] = c % d;
    }
    /* A 68040 and a 601 leave the registers as they are where this quotient does not fit. */
    if (d != 0 && !(c == 0x80000000UL && d == 0xffffffffUL))
    {
        gDiv32[i][j] = (s32) c / (s32) d;
        gMod32[i][j] = (s32) c % (s32) d;
    }
}

static void Pairs(void)
{
    int i, j;

    for (i = 0; i < kCount; i++)
        for (j = 0; j < kCount; j++)
        {
            u64 a = gA[i], b = gB[j];
            int n = (int) (b & 63);

            Divide(i, j);
            gMul[i][j] = a * b;
            gMul32[i][j] = (u32) a * (u32) b;
            gShl[i][j] = a << n;
            gShr[i][j] = a >> n;
            gSar[i][j] = (u64) ((s64) a >> n);
            gOrder[i][j] = ((s64) a < (s64) b) | (a == b) << 1 | ((s64) a > (s64) b) << 2;
            gUorder[i][j] = (a < b) | (a == b) << 1 | (a > b) << 2;
            gCalled[i][j] = 3 * __cmpdi2(a, b) + __ucmpdi2(a, b);
        }
}

void Go(void)
{
    int i;

    Pairs();
    for (i = 0; i < kCount; i++)
    {
        u64 a = gA[i];
        u32 c = (u32) a;

        gNegated[i] = -a;
        gBits64[i][0] = a == 0 ? 64 : __builtin_clzll(a);
        gBits64[i][1] = a == 0 ? 64 : __builtin_ctzll(a);
        gBits64[i][2] = __builtin_ffsll(a);
        gBits64[i][3] = __builtin_popcountll(a);
        gBits64[i][4] = __builtin_parityll(a) | __builtin_clrsbll(a) << 1;
        gBits32[i][0] = c == 0 ? 32 : __builtin_clzl(c);
        gBits32[i][1] = c == 0 ? 32 : __builtin_ctzl(c);
        gBits32[i][2] = __builtin_ffsl(c);
        gBits32[i][3] = __builtin_popcountl(c);
        gBits32[i][4] = __builtin_parityl(c) | __builtin_clrsbl(c) << 1;
    }
}
