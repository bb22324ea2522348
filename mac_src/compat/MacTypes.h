/* MacTypes.h: the later name of Types.h, with the names of whole numbers that it brought.
 * See Types.h for what these headers are.
 */

#ifndef COMPAT_MACTYPES_H
#define COMPAT_MACTYPES_H

#include "Types.h"

typedef signed char         SInt8;
typedef unsigned char       UInt8;
typedef short               SInt16;
typedef unsigned short      UInt16;
typedef long                SInt32;
typedef unsigned long       UInt32;
typedef long long           SInt64;
typedef unsigned long long  UInt64;
typedef SInt32              OSStatus;

#endif
