/* Quickdraw.h: drawing. See Types.h for what these headers are. */

#ifndef COMPAT_QUICKDRAW_H
#define COMPAT_QUICKDRAW_H

#include "Types.h"

#include "records/Quickdraw.h"

#ifndef __QUICKDRAW__
#define __QUICKDRAW__
#endif

#pragma pack(push, 2)

typedef GrafPtr         WindowPtr;      /* a window record begins with its port */
typedef WindowPtr       WindowRef;
typedef CGrafPtr        CWindowPtr;
typedef QDGlobalsPtr    QDPtr;
typedef const Pattern*  ConstPatternParam;

/* transfer modes */

enum
{
    srcCopy = 0, srcOr = 1, srcXor = 2, srcBic = 3,
    notSrcCopy = 4, notSrcOr = 5, notSrcXor = 6, notSrcBic = 7,
    patCopy = 8, patOr = 9, patXor = 10, patBic = 11,
    notPatCopy = 12, notPatOr = 13, notPatXor = 14, notPatBic = 15,

    blend = 32, addPin = 33, addOver = 34, subPin = 35, transparent = 36,
    addMax = 37, adMax = 37, subOver = 38, adMin = 39,
    grayishTextOr = 49, hilite = 50, ditherCopy = 64
};

/* colours of the eight that every port has */

enum
{
    blackColor = 33, whiteColor = 30, redColor = 205, greenColor = 341, blueColor = 409,
    cyanColor = 273, magentaColor = 137, yellowColor = 69,

    normalBit = 0, inverseBit = 1, redBit = 4, greenBit = 3, blueBit = 2,
    cyanBit = 8, magentaBit = 7, yellowBit = 6, blackBit = 5
};

enum { normal = 0, bold = 1, italic = 2, underline = 4, outline = 8, shadow = 16, condense = 32,
       extend = 64 };

enum { frame = 0, paint = 1, erase = 2, invert = 3, fill = 4 };

enum { picLParen = 0, picRParen = 1 };

enum { hiliteBit = 7, pHiliteBit = 0, defQDColors = 127 };

enum { RGBDirect = 16, baseAddr32 = 4 };

enum { clutType = 0, fixedType = 1, directType = 2 };

enum
{
    gdDevType = 0, burstDevice = 7, ext32Device = 8, ramInit = 10, mainScreen = 11,
    allInit = 12, screenDevice = 13, noDriver = 14, screenActive = 15
};

enum { singleDevicesBit = 0, dontMatchSeedsBit = 1, allDevicesBit = 2,
       singleDevices = 1, dontMatchSeeds = 2, allDevices = 4 };


enum { deviceIsIndirect = 0x1, deviceNeedsLock = 0x2, deviceIsStatic = 0x4,
       deviceIsExternalBuffer = 0x8, deviceIsDDSurface = 0x10 };

typedef SignedByte GrafVerb;

/* small records */

typedef short   Bits16[16];

typedef struct ITab
{
    long iTabSeed;
    short iTabRes;
    Byte iTTable[1];
} ITab, *ITabPtr, **ITabHandle;

typedef struct SProcRec
{
    Handle nxtSrch;
    ProcPtr srchProc;
} SProcRec, *SProcPtr, **SProcHndl;

typedef struct CProcRec
{
    Handle nxtComp;
    ProcPtr compProc;
} CProcRec, *CProcPtr, **CProcHndl;

typedef ColorSpec CSpecArray[1];

typedef struct MatchRec
{
    unsigned short red;
    unsigned short green;
    unsigned short blue;
    long matchData;
} MatchRec;

typedef struct ReqListRec
{
    short reqLSize;
    short reqLData[1];
} ReqListRec;

typedef struct GammaTbl
{
    short gVersion;
    short gType;
    short gFormulaSize;
    short gChanCnt;
    short gDataCnt;
    short gDataWidth;
    short gFormulaData[1];
} GammaTbl, *GammaTblPtr, **GammaTblHandle;

typedef struct OpenCPicParams
{
    Rect srcRect;
    Fixed hRes;
    Fixed vRes;
    short version;
    short reserved1;
    long reserved2;
} OpenCPicParams;

#pragma pack(pop)

#ifdef __cplusplus
extern "C" {
#endif

extern QDGlobals qd;

/* THINK C gave QuickDraw's globals under their own names. */

#if defined(THINK_C) || defined(MACPROOF_OLD_GLOBALS)
extern GrafPtr thePort;
extern Pattern white, black, gray, ltGray, dkGray;
extern Cursor arrow;
extern BitMap screenBits;
extern long randSeed;
#endif

#ifdef __cplusplus
}
#endif

#define topLeft(r)      (((Point *) &(r))[0])
#define botRight(r)     (((Point *) &(r))[1])

#include "callbacks/Quickdraw.h"
#include "routines/Quickdraw.h"

/* A pattern was an array once, and "PenPat(gray)" passed its address. Now that it is a record, this
 * passes the address of a copy, and leaves pointers and arrays as they are.
 */

#ifdef __cplusplus
inline void PenPat(const Pattern& pattern) { PenPat(&pattern); }
inline void BackPat(const Pattern& pattern) { BackPat(&pattern); }
inline void FillRect(const Rect* r, const Pattern& pattern) { FillRect(r, &pattern); }
inline void FillOval(const Rect* r, const Pattern& pattern) { FillOval(r, &pattern); }
inline void FillRgn(RgnHandle region, const Pattern& pattern) { FillRgn(region, &pattern); }
#elif defined(__GNUC__)
#define COMPAT_PATTERN(x) __builtin_choose_expr(                            \
    __builtin_types_compatible_p(__typeof__((void) 0, (x)), Pattern),       \
    (const void *) (__typeof__((void) 0, (x))[1]) { (x) }, (x))
#define PenPat(p)               (PenPat)(COMPAT_PATTERN(p))
#define BackPat(p)              (BackPat)(COMPAT_PATTERN(p))
#define FillRect(r, p)          (FillRect)(r, COMPAT_PATTERN(p))
#define FillOval(r, p)          (FillOval)(r, COMPAT_PATTERN(p))
#define FillRoundRect(r, w, h, p) (FillRoundRect)(r, w, h, COMPAT_PATTERN(p))
#define FillArc(r, start, angle, p) (FillArc)(r, start, angle, COMPAT_PATTERN(p))
#define FillPoly(polygon, p)    (FillPoly)(polygon, COMPAT_PATTERN(p))
#define FillRgn(region, p)      (FillRgn)(region, COMPAT_PATTERN(p))
#endif

#endif
