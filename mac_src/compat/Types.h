/* Types.h: the basic Macintosh types, as far as old programs use them.
 *
 * These headers let Toolbox source of 1994 compile with a compiler that
 * has no Macintosh interfaces. They declare and define nothing else:
 * whoever calls the Toolbox brings the routines.
 */

#ifndef COMPAT_TYPES_H
#define COMPAT_TYPES_H

#include "ConditionalMacros.h"

/* Records of the Toolbox are aligned for the 68000 on either processor. */

#pragma pack(push, 2)

/* whole numbers */

typedef signed char         SInt8;
typedef unsigned char       UInt8;
typedef short               SInt16;
typedef unsigned short      UInt16;
typedef long                SInt32;
typedef unsigned long       UInt32;

#ifdef __GNUC__
__extension__ typedef long long          SInt64;
__extension__ typedef unsigned long long UInt64;
#endif

typedef unsigned char   Byte;
typedef signed char     SignedByte;
typedef unsigned char   Boolean;

#ifndef __cplusplus
#ifndef true
enum { false = 0, true = 1 };
#endif
#endif
#ifndef TRUE
#define TRUE  1
#endif
#ifndef FALSE
#define FALSE 0
#endif

typedef struct UnsignedWide { unsigned long hi, lo; } UnsignedWide;
typedef struct Int64Bit { SInt32 hiLong; UInt32 loLong; } Int64Bit;

/* numbers with a fraction; Fixed has 16 bits of it, Fract 30, ShortFixed 8 */

typedef long            Fixed;
typedef Fixed*          FixedPtr;
typedef long            Fract;
typedef Fract*          FractPtr;
typedef unsigned long   UnsignedFixed;
typedef short           ShortFixed;
typedef unsigned short  SmallFract;

typedef float           Float32;
typedef double          Float64;
typedef struct Float80 { SInt16 exp; UInt16 man[4]; } Float80;
typedef struct Float96 { SInt16 exp[2]; UInt16 man[4]; } Float96;
typedef Float80         extended80;
typedef Float96         extended96;

/* addresses */

typedef char*           Ptr;
typedef Ptr*            Handle;
typedef void*           LogicalAddress;
typedef const void*     ConstLogicalAddress;
typedef void*           PhysicalAddress;
typedef UInt8*          BytePtr;
typedef void*           ProcPtr;
typedef void*           Register68kProcPtr;
typedef void*           UniversalProcPtr;
typedef ProcPtr*        ProcHandle;
typedef UniversalProcPtr* UniversalProcHandle;

#ifndef nil
#define nil 0
#endif

#ifndef NULL
#define NULL 0
#endif

/* strings begin with their length */

typedef unsigned char   Str255[256];
typedef unsigned char   Str63[64];
typedef unsigned char   Str32[33];
typedef unsigned char   Str31[32];
typedef unsigned char   Str27[28];
typedef unsigned char   Str15[16];
typedef unsigned char   Str32Field[34];
typedef Str63           StrFileName;
typedef unsigned char*  StringPtr;
typedef StringPtr*      StringHandle;

/* Not a pointer to unsigned char, since a compiler without Pascal strings
 * gives "\p" as const char.
 */

typedef const void*     ConstStr255Param;
typedef ConstStr255Param ConstStr63Param;
typedef ConstStr255Param ConstStr32Param;
typedef ConstStr255Param ConstStr31Param;
typedef ConstStr255Param ConstStr27Param;
typedef ConstStr255Param ConstStr15Param;
typedef ConstStr255Param ConstStrFileNameParam;

#define StrLength(string)   (*(const unsigned char *) (string))

/* what a number stands for */

typedef short           OSErr;
typedef long            OSStatus;
typedef long            Size;
typedef unsigned long   OSType;
typedef OSType          ResType;
typedef OSType          FourCharCode;
typedef OSType*         OSTypePtr;
typedef ResType*        ResTypePtr;
typedef unsigned char   Style;
typedef short           StyleParameter;
typedef Style           StyleField;
typedef short           CharParameter;
typedef short           ScriptCode;
typedef short           LangCode;
typedef short           RegionCode;
typedef UInt16          UniChar;
typedef UniChar*        UniCharPtr;
typedef UInt32          UniCharCount;
typedef UInt32          ByteCount;
typedef UInt32          ByteOffset;
typedef UInt32          ItemCount;
typedef UInt32          OptionBits;
typedef SInt32          Duration;
typedef UnsignedWide    AbsoluteTime;
typedef UInt32          PBVersion;
typedef UInt32          TextEncoding;

enum { noErr = 0, kNilOptions = 0, kInvalidID = 0, kVariableLengthArray = 1 };

/* places */

typedef struct Point { short v, h; } Point;
typedef Point*          PointPtr;
typedef struct Rect  { short top, left, bottom, right; } Rect;
typedef Rect*           RectPtr;
typedef Byte            VHSelect;

/* versions, as a 'vers' resource has them */

typedef struct NumVersion
{
    UInt8 majorRev;
    UInt8 minorAndBugRev;
    UInt8 stage;
    UInt8 nonRelRev;
} NumVersion;

typedef union NumVersionVariant { NumVersion parts; unsigned long whole; } NumVersionVariant;

typedef struct VersRec
{
    NumVersion numericVersion;
    short countryCode;
    Str255 shortVersion;
    Str255 reserved;
} VersRec, *VersRecPtr, **VersRecHndl;

enum { developStage = 0x20, alphaStage = 0x40, betaStage = 0x60, finalStage = 0x80 };

typedef struct QElem* QElemPtr;

/* The calling convention is a matter of how a routine is called, not of how
 * it is declared: see MixedMode.h.
 */

#define pascal

#pragma pack(pop)

#endif
