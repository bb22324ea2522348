/* FixMath.h: fixed-point numbers, which ToolUtils.h has. */

#ifndef MAC_FIXMATH_H
#define MAC_FIXMATH_H

#include <Types.h>
#include <ToolUtils.h>

#define fixed1      ((Fixed) 0x00010000L)
#define fract1      ((Fract) 0x40000000L)
#define positiveInfinity ((long) 0x7FFFFFFFL)
#define negativeInfinity ((long) 0x80000000L)

#endif
