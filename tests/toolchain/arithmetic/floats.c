/* floats.c: every operation on float and double, on bits. */

enum { kCount = 16 };

typedef unsigned long       u32;
typedef unsigned long long  u64;
typedef union { u64 bits; double number; } Double;
typedef union { u32 bits; float number; } Single;

Double gA[kCount], gB[kCount];
Single gC[kCount], gD[kCount];
u64 gWhole[kCount];

Double gAdd[kCount][kCount], gSub[kCount][kCount], gMul[kCount][kCount], gDiv[kCount][kCount];
Single gAdd4[kCount][kCount], gSub4[kCount][kCount], gMul4[kCount][kCount], gDiv4[kCount][kCount];
unsigned char gOrder[kCount][kCount], gOrder4[kCount][kCount];

Double gNegated[kCount], gWide[kCount];
Single gNegated4[kCount], gNarrow[kCount];
Double gFromInt[kCount], gFromUnsigned[kCount], gFromLong[kCount], gFromUlong[kCount];
Single gFromInt4[kCount], gFromUnsigned4[kCount], gFromLong4[kCount], gFromUlong4[kCount];
u32 gToInt[kCount], gToUnsigned[kCount], gToInt4[kCount], gToUnsigned4[kCount];
u64 gToLong[kCount], gToUlong[kCount], gToLong4[kCount], gToUlong4[kCount];

#define ORDER(a, b)                                                             \
    ((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4    \
     | (a > b) << 5 | (__builtin_isunordered(a, b) != 0) << 6)

static void Pairs(void)
{
    int i, j;

    for (i = 0; i < kCount; i++)
        for (j = 0; j < kCount; j++)
        {
            double a = gA[i].number, b = gB[j].number;
            float c = gC[i].number, d = gD[j].number;

            gAdd[i][j].number = a + b;
            gSub[i][j].number = a - b;
            gMul[i][j].number = a * b;
            gDiv[i][j].number = a / b;
            gOrder[i][j] = ORDER(a, b);
            gAdd4[i][j].number = c + d;
            gSub4[i][j].number = c - d;
            gMul4[i][j].number = c * d;
            gDiv4[i][j].number = c / d;
            gOrder4[i][j] = ORDER(c, d);
        }
}

static void Converted(int i)
{
    double a = gA[i].number;
    float c = gC[i].number;
    u64 n = gWhole[i];

    gNegated[i].number = -a;
    gNegated4[i].number = -c;
    gWide[i].number = c;
    gNarrow[i].number = (float) a;
    gFromInt[i].number = (long) n;
    gFromInt4[i].number = (long) n;
    gFromUnsigned[i].number = (u32) n;
    gFromUnsigned4[i].number = (u32) n;
    gFromLong[i].number = (long long) n;
    gFromLong4[i].number = (long long) n;
    gFromUlong[i].number = n;
    gFromUlong4[i].number = n;
    gToInt[i] = (long) a;
    gToInt4[i] = (long) c;
    gToUnsigned[i] = (u32) a;
    gToUnsigned4[i] = (u32) c;
    gToLong[i] = (long long) a;
    gToLong4[i] = (long long) c;
    gToUlong[i] = (u64) a;
    gToUlong4[i] = (u64) c;
}

void Go(void)
{
    int i;

    Pairs();
    for (i = 0; i < kCount; i++)
        Converted(i);
}
