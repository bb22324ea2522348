// Every line that accesses memory out of bounds ends with what the sanitizer says of the access.

#include <string.h>

struct Item {
    char name[3];
    short values[4];
};

long gValues[10], gCount;
short gTable[5], gOther;
Item gItems[3];
static const short kSteps[6] = {1, 2, 3, 4, 5, 6};
volatile long gSum;
volatile int gZero;

static short Last(short *values, int count)
{
    return values[count];                           // read of 2 bytes
}

static void Fill(char *to, int count)
{
    for (int i = 0; i <= count; i++)
        to[i] = 0;                                  // write of 1 byte
}

static void Inner(long *sum)
{
    char few[10];
    static short sKept[3];

    sKept[gZero] = 5;

    Fill(few, sizeof few);
    *sum += few[gZero - 1];                         // read of 1 byte, sure on PowerPC
    *sum += sKept[gZero + 3];                       // read of 2 bytes
}

extern "C" void Run(void)
{
    short locals[7] = {1, 2, 3, 4, 5, 6, 7};
    long pair[2] = {1, 2};
    long sum = 0;

    sum += Last(gTable, 5);
    sum += Last(locals, 6 + gZero);
    sum += locals[7 + gZero];                       // read of 2 bytes
    sum += pair[gZero - 1];                         // read of 4 bytes, sure on PowerPC
    sum += kSteps[gZero + 6];                       // read of 2 bytes
    sum += gItems[gZero + 3].values[0];             // read of 2 bytes
    memset(gItems, 0, sizeof gItems + 1 + gZero);   // write of 37 bytes
    Inner(&sum);
    gSum = sum;
    gSum = 1;
}
