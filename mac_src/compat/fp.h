/* fp.h: the numerics of the Power Macintosh, as far as math.h has them. */

#ifndef COMPAT_FP_H
#define COMPAT_FP_H

#include <Types.h>
#include <math.h>

/* A C library for Linux has types and macros of its own by these names. */

#ifdef MAC_MATH_H
typedef double float_t, double_t;
#endif

#define __isnan(x)      __builtin_isnan(x)
#define __isfinite(x)   __builtin_isfinite(x)

#endif
