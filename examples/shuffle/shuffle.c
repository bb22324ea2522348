/* Shuffles cards with the random numbers of the Toolbox: seed * 16807 modulo 2^31 - 1, without
   numbers of more than 32 bits (L. Schrage, ACM Transactions on Mathematical Software 5, 1979). */

enum { kMultiplier = 16807, kQuotient = 127773, kRemainder = 2836 };

static unsigned short NextRandom(long *seed)
{
    long high = *seed / kQuotient, low = *seed % kQuotient;
    *seed = kMultiplier * low - kRemainder * high;
    if (*seed <= 0)
        *seed += 0x7FFFFFFF;
    return *seed;
}

/* Every card changes places with one of those before it, or stays. */
void Shuffle(short *cards, short count, long *seed)
{
    while (count > 1) {
        short other = NextRandom(seed) % count--;
        short moved = cards[count];
        cards[count] = cards[other];
        cards[other] = moved;
    }
}
