/* Quicksort of records, in the order that the caller's function says. */

typedef struct {
    short key;
    short number;
} record;

typedef short (*comparison)(const record *, const record *); /* below 0, 0, or above 0 */

void QuickSort(record *first, record *last, comparison compare)
{
    while (first < last) {
        record middle = first[(last - first) / 2];
        record *low = first, *high = last;
        while (low <= high) {
            while (compare(low, &middle) < 0)
                ++low;
            while (compare(high, &middle) > 0)
                --high;
            if (low <= high) {
                record moved = *low;
                *low++ = *high;
                *high-- = moved;
            }
        }
        if (high - first < last - low) { /* the smaller part first: the stack stays small */
            QuickSort(first, high, compare);
            first = low;
        } else {
            QuickSort(low, last, compare);
            last = high;
        }
    }
}

/* By key; records of the same key by number. */
short CompareRecords(const record *one, const record *other)
{
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->number - other->number;
}
