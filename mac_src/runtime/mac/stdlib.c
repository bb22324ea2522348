/* stdlib.c: memory from the Memory Manager, random numbers, numbers from text. */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <Memory.h>

void* malloc(size_t size)
{
    return NewPtr((Size) size);
}

void* calloc(size_t count, size_t size)
{
    if (size != 0 && count > 0x7fffffffUL / size)
        return NULL;
    return NewPtrClear((Size) (count * size));
}

void free(void* block)
{
    if (block != NULL)
        DisposePtr((Ptr) block);
}

void* realloc(void* block, size_t size)
{
    Size former;
    void* moved;

    if (block == NULL)
        return malloc(size);
    former = GetPtrSize((Ptr) block);
    if ((Size) size <= former)
        return block;
    moved = malloc(size);
    if (moved != NULL)
    {
        memcpy(moved, block, (size_t) former);
        free(block);
    }
    return moved;
}

/* The generator that the C standard gives as its example: 15 bits. */

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

int abs(int n)      { return n < 0 ? -n : n; }
long labs(long n)   { return n < 0 ? -n : n; }

long atol(const char* text)
{
    unsigned long n = 0;
    int negative;

    while (isspace(*text))
        text++;
    negative = *text == '-';
    if (*text == '-' || *text == '+')
        text++;
    for (; isdigit(*text); text++)
        n = 10 * n + (unsigned long) (*text - '0');
    return (long) (negative ? -n : n);
}

int atoi(const char* text)
{
    return (int) atol(text);
}
