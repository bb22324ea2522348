/* memory.c
 *
 * The four block routines a compiler may call on its own, for programs
 * linked without a C library. Compile with
 * -fno-tree-loop-distribute-patterns, or the loops below are recognised
 * as what they are and become calls to themselves.
 */

#include <stddef.h>

void *memset(void *to, int value, size_t count)
{
    unsigned char *t = to;

    while (count-- != 0)
        *t++ = (unsigned char) value;
    return to;
}

void *memcpy(void *to, const void *from, size_t count)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    while (count-- != 0)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    if (t <= f)
        return memcpy(to, from, count);     /* upwards is safe */

    while (count-- != 0)
        t[count] = f[count];
    return to;
}

int memcmp(const void *one, const void *two, size_t count)
{
    const unsigned char *a = one, *b = two;

    for (; count != 0; count--, a++, b++)
        if (*a != *b)
            return *a - *b;
    return 0;
}
