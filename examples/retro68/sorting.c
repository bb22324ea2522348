/* A routine of a Macintosh program, and a test of it that needs no user. */

#include <stdio.h>

#include <MacMemory.h>

/* Puts the numbers of a relocatable block in order. */
static void SortNumbers(Handle numbers)
{
    long count = GetHandleSize(numbers) / (long) sizeof(short);
    short *at;
    long i, j;

    HLock(numbers);
    at = (short *) *numbers;

    for (i = 1; i < count; i++)
    {
        short moving = at[i];
        for (j = i; j > 0 && at[j - 1] > moving; j--)
            at[j] = at[j - 1];
        at[j] = moving;
    }

    HUnlock(numbers);
}

int main(void)
{
    static const short kUnsorted[] = { 4, -7, 300, 0, 4, 12, -9 };
    const long count = sizeof kUnsorted / sizeof kUnsorted[0];

    Handle numbers = NewHandle(sizeof kUnsorted);
    long i;

    if (numbers == NULL)
        return 1;

    for (i = 0; i < count; i++)
        ((short *) *numbers)[i] = kUnsorted[i];

    SortNumbers(numbers);

    for (i = 1; i < count; i++)
    {
        if (((short *) *numbers)[i - 1] > ((short *) *numbers)[i])
        {
            printf("number %ld is out of order\n", i);
            return 1;
        }
    }

    DisposeHandle(numbers);
    printf("OK\n");
    return 0;
}
