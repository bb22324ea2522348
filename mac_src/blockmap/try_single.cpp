// try_single.cpp
//
// Calls every function of single.cpp on pairs of numbers. Numbers are
// kept as bits, which no conversion of a compiler can touch. What GCC's
// operators ask of a comparison is a sign; here its very value is kept.

extern "C"
{
    float __addsf3(float x, float y);
    float __floatsisf(int n);
    int   __fixsfsi(float x);
    int   __ltsf2(float x, float y);
    int   __lesf2(float x, float y);
    int   __gtsf2(float x, float y);
    int   __gesf2(float x, float y);
}

enum { kMaxPairs = 64 };

union number
{
    unsigned long   bits;
    float           value;
};

struct pair
{
    number  x, y;
    long    whole;
};

struct answer
{
    number  sum;                // x + y
    number  converted;          // the whole number as a float
    long    cut;                // x without its fraction
    short   lt, le, gt, ge;     // x beside y
};

pair    gPairs[kMaxPairs];
answer  gAnswers[kMaxPairs];
short   gPairCount;

void TrySingle()
{
    for (short i = 0; i < gPairCount; i++)
    {
        const float x = gPairs[i].x.value;
        const float y = gPairs[i].y.value;
        answer*     a = &gAnswers[i];

        a->sum.value       = __addsf3(x, y);
        a->converted.value = __floatsisf((int) gPairs[i].whole);
        a->cut             = __fixsfsi(x);
        a->lt              = (short) __ltsf2(x, y);
        a->le              = (short) __lesf2(x, y);
        a->gt              = (short) __gtsf2(x, y);
        a->ge              = (short) __gesf2(x, y);
    }
}
