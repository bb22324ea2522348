/* Types.h: the basic Macintosh types, as far as programs here use them.
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

#pragma pack(pop)

#endif
