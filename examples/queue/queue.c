/* A queue of the last few events, as a driver keeps them: a ring that overwrites its oldest entry. */

enum { kRoom = 5 };

static long gRing[kRoom];
static short gFirst;                    /* the index of the oldest entry */
static short gCount;

/* Forget all entries. */
void Clear(void)
{
    gFirst = gCount = 0;
}

/* Add an entry; whether the oldest one had to go for it. */
unsigned char Push(long entry)
{
    short end = gFirst + gCount;
    gRing[end < kRoom ? end : end - kRoom] = entry;
    if (gCount < kRoom) {
        ++gCount;
        return 0;
    }
    gFirst = gFirst + 1 < kRoom ? gFirst + 1 : 0;
    return 1;
}

/* Take out the oldest entry; -1 if there is none. */
long Pop(void)
{
    long entry;
    if (gCount == 0)
        return -1;
    entry = gRing[gFirst];
    gFirst = gFirst + 1 < kRoom ? gFirst + 1 : 0;
    --gCount;
    return entry;
}
