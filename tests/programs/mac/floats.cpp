// floats.cpp: floating point, which a 68000 does by routines of the runtime.

#include <iostream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// through these, so that the compiler does not compute it itself

static volatile double gThird = 3.0;
static volatile float gTenth = 10.0f;
static volatile long gLong = -123456789;
static volatile unsigned long gUnsigned = 4000000000UL;

static void _Show(const char* what, double d)
{
    unsigned long bits[2];

    memcpy(bits, &d, sizeof bits);
    printf("%-12s %08lx %08lx %.17g\n", what, bits[0], bits[1], d);
}

static void _Compare(double a, double b)
{
    printf("%d%d%d%d%d%d ", a < b, a <= b, a == b, a != b, a >= b, a > b);
}

int main()
{
    _Show("1/3", 1.0 / gThird);
    _Show("1/10 float", 1.0f / gTenth);
    _Show("0.1+0.2", gTenth / 100 + 2 / gTenth);
    _Show("product", gThird * 1e300 * 1e8);
    _Show("overflow", gThird * 1e308);
    _Show("tiny", 1e-310 / gThird);
    _Show("cancelled", (1 / gThird + 1) - 1);
    _Show("no number", (gThird - gThird) / (gThird - 3));
    _Show("long", (double) gLong);
    _Show("unsigned", (double) gUnsigned);
    _Show("float", (float) gLong);

    double big = 3e9;
    printf("%ld %lu %ld\n", (long) (gLong / gThird), (unsigned long) (big + gThird),
           (long) -(1 / gThird));

    _Compare(gThird, 3);
    _Compare(gThird, 3.5);
    _Compare(gThird, -3);
    double none = (gThird - gThird) / (gThird - 3);
    _Compare(none, none);
    printf("\n");

    float usec = 30000000.0f, iter = 2451.0f;
    cout << usec / iter << " us/iter" << endl;
    cout.precision(2);
    cout << usec / iter << " us/iter, " << 1000000.0f * iter / usec << " iter/s" << endl;
    cout << 1e-5 << ' ' << 100000.0 << ' ' << 0.0 << ' ' << -2.5 << ' ' << 99.9 << endl;
    printf("%f %.0f %.3e %G %10.2f|%-10.1f|%+.1f\n", 2.5, 2.5, 12345.678, 1e-10, 3.14159, 2.25,
           1.0);
}
