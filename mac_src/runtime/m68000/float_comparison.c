/* float_comparison.c
 *
 * A comparison is negative, 0 or positive. With a NaN it is whatever makes
 * the operator false: "a < b" is __ltsf2(a, b) < 0, so that gives 1.
 */

#include "soft_float.h"

static int _Compare(Number a, Number b, int notComparable)
{
    int larger;

    if (a.kind == kNotANumber || b.kind == kNotANumber)
        return notComparable;
    if (a.kind == kZero && b.kind == kZero)
        return 0;
    if (a.kind == kZero)
        return b.negative ? 1 : -1;
    if (b.kind == kZero || a.negative != b.negative)
        return a.negative ? -1 : 1;
    larger = a.negative ? -1 : 1;
    if (a.kind != b.kind)
        return a.kind == kInfinite ? larger : -larger;
    if (a.kind == kInfinite)
        return 0;
    if (a.exponent != b.exponent)
        return a.exponent > b.exponent ? larger : -larger;
    if (a.mantissa != b.mantissa)
        return a.mantissa > b.mantissa ? larger : -larger;
    return 0;
}

#define COMPARISON(name, notComparable)                                     \
    int __##name##sf2(Single a, Single b)                                   \
    {                                                                       \
        return _Compare(_FromSingle(a), _FromSingle(b), notComparable);     \
    }                                                                       \
    int __##name##df2(Double a, Double b)                                   \
    {                                                                       \
        return _Compare(_FromDouble(a), _FromDouble(b), notComparable);     \
    }

COMPARISON(eq, 1)
COMPARISON(ne, 1)
COMPARISON(lt, 1)
COMPARISON(le, 1)
COMPARISON(gt, -1)
COMPARISON(ge, -1)
COMPARISON(cmp, 1)

int __unordsf2(Single a, Single b)
{
    return _FromSingle(a).kind == kNotANumber || _FromSingle(b).kind == kNotANumber;
}

int __unorddf2(Double a, Double b)
{
    return _FromDouble(a).kind == kNotANumber || _FromDouble(b).kind == kNotANumber;
}
