/* integer32.c
 *
 * What a 68000 does not do with 32 bits in one instruction, for a compiler
 * that has no library of its own (libgcc). Nothing here may be written with
 * the operation it stands for.
 */

typedef unsigned long   Unsigned;
typedef unsigned short  Half;

#ifdef __m68k__

/* Three products of 16 bits; what lies above 32 bits is lost anyway. */

Unsigned __mulsi3(Unsigned a, Unsigned b)
{
    Half aHigh = a >> 16, aLow = a, bHigh = b >> 16, bLow = b;
    Unsigned crossed = (Unsigned) aHigh * bLow + (Unsigned) aLow * bHigh;

    return (crossed << 16) + (Unsigned) aLow * bLow;
}

/* A bit at a time, from the highest. If b is 0, every bit of the answer is 1. */

Unsigned __udivsi3(Unsigned a, Unsigned b)
{
    Unsigned quotient = 0, rest = 0;
    int bit;

    for (bit = 31; bit >= 0; bit--)
    {
        Unsigned carried = rest >> 31;

        rest = rest << 1 | (a >> bit & 1);
        if (carried || rest >= b)
        {
            rest -= b;
            quotient |= (Unsigned) 1 << bit;
        }
    }
    return quotient;
}

#endif
