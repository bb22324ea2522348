/* random.c
 *
 * Takes the place of the C library's rand and srand: the generator that
 * the C standard gives as its example, with 15 bits. The runtime for the
 * other toolchain has the same one, so both give the same numbers.
 */

#include <stdlib.h>

static unsigned long gSeed = 1;

void srand(unsigned int seed)
{
    gSeed = seed;
}

int rand(void)
{
    gSeed = gSeed * 1103515245UL + 12345UL;
    return (int) (gSeed >> 16 & RAND_MAX);
}
