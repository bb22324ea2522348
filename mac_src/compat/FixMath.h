/* FixMath.h: more of fixed-point numbers. */

#ifndef MAC_FIXMATH_H
#define MAC_FIXMATH_H

#include <Types.h>
#include <ToolUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

Fract FracMul(Fract a, Fract b);
Fract FracSqrt(Fract x);
Fract FracSin(Fixed x);
Fract FracCos(Fixed x);
Fixed FixDiv(Fixed a, Fixed b);
Fixed Long2Fix(long x);
long Fix2Long(Fixed x);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
