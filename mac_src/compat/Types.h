/* Types.h: the basic Macintosh types, as far as old programs use them.
 *
 * These headers let Toolbox source of 1994 compile with a compiler that
 * has no Macintosh interfaces. They declare and define nothing else:
 * whoever calls the Toolbox brings the routines.
 */

#ifndef COMPAT_TYPES_H
#define COMPAT_TYPES_H

/* Records of the Toolbox are aligned for the 68000 on either processor. */

#pragma pack(push, 2)

typedef unsigned char   Boolean;
typedef unsigned char   Byte;
typedef signed char     SignedByte;
typedef char*           Ptr;
typedef Ptr*            Handle;
typedef short           OSErr;
typedef unsigned char   Str255[256];

/* Strings begin with their length. Not a pointer to unsigned char, since
 * a compiler without Pascal strings gives "\p" as const char.
 */

typedef const void*     ConstStr255Param;

typedef struct Point { short v, h; } Point;
typedef struct Rect  { short top, left, bottom, right; } Rect;

typedef struct UnsignedWide { unsigned long hi, lo; } UnsignedWide;

#ifndef nil
#define nil 0
#endif

#ifndef NULL
#define NULL 0
#endif

typedef long            Size;
typedef long            Fixed;
typedef long            Fract;
typedef unsigned long   OSType;
typedef OSType          ResType;
typedef unsigned char   Style;
typedef unsigned char   Str63[64];
typedef unsigned char   Str32[33];
typedef unsigned char   Str31[32];
typedef unsigned char   Str27[28];
typedef unsigned char   Str15[16];
typedef unsigned char*  StringPtr;
typedef StringPtr*      StringHandle;
typedef void*           ProcPtr;

enum { noErr = 0 };

/* The calling convention is a matter of how a routine is called, not of how
 * it is declared: see MixedMode.h.
 */

#define pascal

#pragma pack(pop)

#endif
