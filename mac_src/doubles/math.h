/* math.h of a port whose old program has a double of 12 bytes: what its own library computes. */

#ifndef DOUBLES_MATH_H
#define DOUBLES_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

#define HUGE_VAL (1e4000)

double acos(double x), asin(double x), atan(double x), atan2(double y, double x);
double cos(double x), sin(double x), tan(double x);
double cosh(double x), sinh(double x), tanh(double x);
double exp(double x), log(double x), log10(double x), pow(double x, double y), sqrt(double x);
double ceil(double x), floor(double x), fabs(double x), fmod(double x, double y);
double frexp(double x, int* exponent), ldexp(double x, int exponent), modf(double x, double* whole);

#ifdef __cplusplus
}
#endif

#endif
