/* sort.c
 *
 * qsort and bsearch. Elements that compare as equal may change places. A heap
 * takes no memory and no deep recursion, however the elements lie.
 */

#include <stddef.h>

typedef int (*Compare)(const void *, const void *);

static void _Swap(char *a, char *b, size_t size)
{
    while (size-- != 0)
    {
        char kept = *a;

        *a++ = *b;
        *b++ = kept;
    }
}

/* Let an element sink until both elements below it are not greater. */

static void _Sink(char *base, size_t at, size_t count, size_t size, Compare compare)
{
    size_t below;

    while ((below = 2 * at + 1) < count)
    {
        if (below + 1 < count && compare(base + below * size, base + (below + 1) * size) < 0)
            below++;
        if (compare(base + at * size, base + below * size) >= 0)
            return;
        _Swap(base + at * size, base + below * size, size);
        at = below;
    }
}

void qsort(void *base, size_t count, size_t size, Compare compare)
{
    size_t n;

    for (n = count / 2; n != 0; n--)
        _Sink(base, n - 1, count, size, compare);
    for (n = count; n > 1; n--)
    {
        _Swap(base, (char *) base + (n - 1) * size, size);
        _Sink(base, 0, n - 1, size, compare);
    }
}

void *bsearch(const void *wanted, const void *base, size_t count, size_t size, Compare compare)
{
    size_t low = 0, high = count;

    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        char *place = (char *) base + middle * size;
        int order = compare(wanted, place);

        if (order == 0)
            return place;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
