/* extended.c: every operation on long double. */

enum { kCount = 16 };

typedef unsigned long long  u64;
typedef long double         Extended;
typedef union { u64 bits; double number; } Double;
typedef union { unsigned long bits; float number; } Single;

Extended gA[kCount], gB[kCount];
Double gC[kCount];
Single gD[kCount];
u64 gWhole[kCount];

Extended gAdd[kCount][kCount], gSub[kCount][kCount], gMul[kCount][kCount], gDiv[kCount][kCount];
unsigned char gOrder[kCount][kCount];

Extended gNegated[kCount], gOfDouble[kCount], gOfSingle[kCount];
Extended gOfInt[kCount], gOfUnsigned[kCount], gOfLong[kCount], gOfUlong[kCount];
Double gDouble[kCount];
Single gSingle[kCount];
unsigned long gToInt[kCount], gToUnsigned[kCount];
u64 gToLong[kCount], gToUlong[kCount];

static void Pair(int i, int j)
{
    Extended a = gA[i], b = gB[j];

    gAdd[i][j] = a + b;
    gSub[i][j] = a - b;
    gMul[i][j] = a * b;
    gDiv[i][j] = a / b;
    gOrder[i][j] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a >= b) << 4
                 | (a > b) << 5 | (__builtin_isunordered(a, b) != 0) << 6;
}

static void Converted(int i)
{
    u64 n = gWhole[i];

    gNegated[i] = -gA[i];
    gDouble[i].number = gA[i];
    gSingle[i].number = gA[i];
    gOfDouble[i] = gC[i].number;
    gOfSingle[i] = gD[i].number;
    gOfInt[i] = (long) n;
    gOfUnsigned[i] = (unsigned long) n;
    gOfLong[i] = (long long) n;
    gOfUlong[i] = n;
    gToInt[i] = (long) gA[i];
    gToUnsigned[i] = (unsigned long) gA[i];
    gToLong[i] = (long long) gA[i];
    gToUlong[i] = (u64) gA[i];
}

void Go(void)
{
    int i, j;

    for (i = 0; i < kCount; i++)
    {
        for (j = 0; j < kCount; j++)
            Pair(i, j);
        Converted(i);
    }
}
