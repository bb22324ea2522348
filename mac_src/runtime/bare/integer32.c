/* integer32.c
 *
 * What a 68000 does not do with 32 bits in one instruction, for a compiler
 * that has no library of its own (libgcc). Nothing here may be written with
 * the operation it stands for.
 */

typedef unsigned long Unsigned;

#ifdef __m68k__

/* By additions: of a product of 16 bits, too, GCC makes a call of this. */

Unsigned __mulsi3(Unsigned a, Unsigned b)
{
    Unsigned product = 0;

    for (; b != 0; b >>= 1, a <<= 1)
        if (b & 1)
            product += a;
    return product;
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
