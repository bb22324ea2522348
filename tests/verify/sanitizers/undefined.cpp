// Every line that does what C++ leaves undefined ends with GCC's name of the check that sees it.

struct Item {
    short values[4];
    long sum;
};

long gValues[10], gCount, gTable[10];
volatile long gSum, gZero, gOne = 1, gMany = 33;
bool gFlag;

static long Add(long a, long b)
{
    return a + b;                                   // signed-integer-overflow
}

extern "C" void Run(void)
{
    long most = 0x7fffffff, least = -most - gOne;
    long long wide = 0x7fffffffffffffffLL;
    char *address = (char *) gTable;

    gSum = Add(most, gOne);
    gSum += least - gOne > 0;                       // signed-integer-overflow
    gSum += most * (gOne + 1) > 5;                  // signed-integer-overflow
    gSum = -least;                                  // signed-integer-overflow
    wide += gOne;                                   // signed-integer-overflow
    gSum += wide > 0;
    gSum += gOne << gMany;                          // shift
    gSum += gOne >> (gZero - 1);                    // shift
    gSum = gTable[gOne + 9];                        // bounds object-size
    *(long *) (address + gOne) = 0;                 // alignment
    *(char *) &gFlag = 7;
    gSum += gFlag;                                  // bool
    gFlag = false;
    gSum = 1;
}
