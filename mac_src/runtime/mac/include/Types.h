/* Types.h: the types that applications need beyond those of compat/Types.h. */

#ifndef MAC_TYPES_H
#define MAC_TYPES_H

#include <stddef.h>              /* NULL */
#include_next <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef long            Size;
typedef long            Fixed;
typedef long            Fract;
typedef unsigned long   OSType;
typedef OSType          ResType;
typedef unsigned char   Style;
typedef unsigned char   Str63[64];
typedef unsigned char   Str31[32];
typedef unsigned char*  StringPtr;
typedef StringPtr*      StringHandle;

enum { noErr = 0 };

/* The calling convention is a matter of how a routine is called, not of how
 * it is declared: see MixedMode.h.
 */

#define pascal

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#endif
