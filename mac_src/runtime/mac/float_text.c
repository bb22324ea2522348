/* float_text.c
 *
 * A double as decimal text, exact: every double is a whole number of
 * powers of 2, and those have finitely many decimal digits. The digits are
 * computed, all of them, in base 10000, and rounded once, ties to even.
 * No floating-point operation is used, so every processor prints the same.
 */

#include <ctype.h>
#include <string.h>

#include "runtime.h"

typedef union
{
    double number;
    struct { unsigned long high, low; } bits;
} Double;

/* The largest number has 309 digits, the smallest 767 behind zeros. */

enum { kBase = 10000, kMostLimbs = 280, kMostDigitsInAll = 4 * kMostLimbs };

typedef struct
{
    int             count;
    unsigned short  limb[kMostLimbs];   /* lowest first */
} Whole;

static void _Multiply(Whole* n, unsigned long factor, unsigned long carry)
{
    int i;

    for (i = 0; i < n->count; i++)
    {
        unsigned short above;

        /* One division, not two: it is a routine on a 68000. */

        carry += n->limb[i] * factor;
        above = (unsigned short) (carry / kBase);
        n->limb[i] = (unsigned short) (carry - (unsigned long) above * kBase);
        carry = above;
    }
    for (; carry != 0; carry /= kBase)
        n->limb[n->count++] = (unsigned short) (carry % kBase);
}

/* Digits without leading zeros, and how many of them are before the point.
 * The number is mantissa * 2^exponent, and not 0.
 */

static int _Digits(char* digits, unsigned long high, unsigned long low, int exponent,
                   int* point)
{
    Whole n;
    int i, count = 0, behind = 0;
    char* first = digits;

    /* Each bit that is 0 at the end saves a step below. */

    for (; exponent < 0 && (low & 1) == 0; exponent++)
    {
        low = low >> 1 | high << 31;
        high >>= 1;
    }
    n.count = 0;
    for (i = 3; i >= 0; i--)
        _Multiply(&n, 1UL << 16, (i >= 2 ? high : low) >> 16 * (i & 1) & 0xffff);
    for (; exponent >= 8; exponent -= 8)
        _Multiply(&n, 1UL << 8, 0);
    for (; exponent > 0; exponent--)
        _Multiply(&n, 2, 0);

    /* divided by 2 is multiplied by 5, and one digit more behind the point */

    behind = -exponent;
    for (; exponent <= -5; exponent += 5)
        _Multiply(&n, 3125, 0);
    for (; exponent < 0; exponent++)
        _Multiply(&n, 5, 0);

    for (i = n.count - 1; i >= 0; i--)
    {
        unsigned unit;

        for (unit = kBase / 10; unit != 0; unit /= 10)
        {
            char digit = (char) ('0' + n.limb[i] / unit % 10);

            if (count > 0 || digit != '0')
                first[count++] = digit;
        }
    }
    *point = count - behind;
    return count;
}

/* Cuts to so many digits, which may be none or fewer. */

static int _Round(char* digits, int count, int wanted, int* point)
{
    int up, i;

    if (wanted >= count)
        return count;
    if (wanted < 0)
        return 0;
    up = digits[wanted] > '5';
    if (digits[wanted] == '5')
    {
        for (i = wanted + 1; i < count && digits[i] == '0'; i++)
            ;
        up = i < count || (wanted > 0 && (digits[wanted - 1] & 1) != 0);
    }
    count = wanted;
    if (!up)
        return count;
    while (count > 0 && digits[count - 1] == '9')
        count--;
    if (count > 0)
        digits[count - 1]++;
    else
    {
        digits[count++] = '1';
        ++*point;
    }
    return count;
}

static char* _Fixed(char* text, const char* digits, int count, int point, int behind)
{
    int i;

    if (point <= 0)
        *text++ = '0';
    for (i = 0; i < point; i++)
        *text++ = i < count ? digits[i] : '0';
    if (behind > 0)
        *text++ = '.';
    for (i = point; i < point + behind; i++)
        *text++ = i >= 0 && i < count ? digits[i] : '0';
    return text;
}

static char* _Scientific(char* text, const char* digits, int count, int exponent,
                         int behind, char letter)
{
    text = _Fixed(text, digits, count, 1, behind);
    *text++ = letter;
    *text++ = exponent < 0 ? '-' : '+';
    if (exponent < 0)
        exponent = -exponent;
    if (exponent >= 100)
        *text++ = (char) ('0' + exponent / 100);
    *text++ = (char) ('0' + exponent / 10 % 10);
    *text++ = (char) ('0' + exponent % 10);
    return text;
}

int _float_text(char* text, double value, char style, int precision, int keepZeros)
{
    static char digits[kMostDigitsInAll];
    char* const start = text;
    Double d;
    int field, count, point, behind, exponent;
    char letter = isalpha(style) && toupper(style) == style ? 'E' : 'e';

    d.number = value;
    field = (int) (d.bits.high >> 20 & 0x7ff);
    if ((d.bits.high & 0x80000000UL) != 0)
        *text++ = '-';
    d.bits.high &= 0xfffff;
    if (field == 0x7ff)
    {
        const char* word = d.bits.high != 0 || d.bits.low != 0 ? "nan" : "inf";

        for (; *word != '\0'; word++)
            *text++ = (char) (letter == 'E' ? toupper(*word) : *word);
        *text = '\0';
        return (int) (text - start);
    }

    if (precision < 0)
        precision = 6;
    if (precision > _kMostDigits)
        precision = _kMostDigits;
    if (field != 0)
        d.bits.high |= 0x100000;
    else
        field = 1;
    count = 0;
    point = 1;                                  /* zero is 0. */
    if (d.bits.high != 0 || d.bits.low != 0)
        count = _Digits(digits, d.bits.high, d.bits.low, field - 1075, &point);

    switch (tolower(style))
    {
    case 'f':
        count = _Round(digits, count, point + precision, &point);
        text = _Fixed(text, digits, count, count > 0 ? point : 0, precision);
        break;

    case 'e':
        count = _Round(digits, count, precision + 1, &point);
        text = _Scientific(text, digits, count, point - 1, precision, letter);
        break;

    default:
        if (precision == 0)
            precision = 1;
        count = _Round(digits, count, precision, &point);
        exponent = point - 1;
        if (!keepZeros)
            while (count > 0 && digits[count - 1] == '0')
                count--;
        if (exponent < -4 || exponent >= precision)
        {
            behind = keepZeros ? precision - 1 : count > 0 ? count - 1 : 0;
            text = _Scientific(text, digits, count, exponent, behind, letter);
        }
        else
        {
            behind = (keepZeros ? precision : count) - point;
            text = _Fixed(text, digits, count, point, behind > 0 ? behind : 0);
        }
    }
    *text = '\0';
    return (int) (text - start);
}
