/* Values.h: the limits of numbers, as MPW names them. See Types.h for what these headers are. */

#ifndef COMPAT_VALUES_H
#define COMPAT_VALUES_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#define BITS(type)      (8 * (int) sizeof(type))
#define BITSPERBYTE     8
#define MAXSHORT        ((short) 0x7FFF)
#define MAXINT          0x7FFFFFFF
#define MAXLONG         0x7FFFFFFFL

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
