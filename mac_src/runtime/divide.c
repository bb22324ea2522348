/* divide.c
 *
 * 32-bit division for a plain 68000, which can only divide by 16 bits.
 * GCC calls helpers for it. Debian's libgcc has them, but these three
 * use BSR.L there, which came with the 68020; __udivsi3 and __mulsi3 are
 * sound and are taken from it. Link this before -lgcc. Other processors
 * do not need it, and the linker drops it.
 */

typedef unsigned long Unsigned;

#ifdef __m68k__

/* Called by name, since "a - a / b * b" would be turned into "a % b". */

extern Unsigned __udivsi3(Unsigned a, Unsigned b);

static Unsigned Magnitude(long n)
{
    return n < 0 ? -(Unsigned) n : (Unsigned) n;
}

Unsigned __umodsi3(Unsigned a, Unsigned b)
{
    return a - __udivsi3(a, b) * b;
}

long __divsi3(long a, long b)
{
    Unsigned q = __udivsi3(Magnitude(a), Magnitude(b));

    return (long) ((a ^ b) < 0 ? -q : q);
}

/* The remainder has the sign of the dividend. */

long __modsi3(long a, long b)
{
    Unsigned r = __umodsi3(Magnitude(a), Magnitude(b));

    return (long) (a < 0 ? -r : r);
}

#endif
