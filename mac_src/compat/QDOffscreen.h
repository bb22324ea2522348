/* QDOffscreen.h: drawing off the screen. See Types.h for what these headers are. */

#ifndef COMPAT_QDOFFSCREEN_H
#define COMPAT_QDOFFSCREEN_H

#include "Types.h"
#include "Quickdraw.h"

typedef CGrafPtr GWorldPtr;
typedef unsigned long GWorldFlags;
typedef short QDErr;

enum
{
    pixPurgeBit = 0, noNewDeviceBit = 1, useTempMemBit = 2, keepLocalBit = 3,
    pixelsPurgeableBit = 6, pixelsLockedBit = 7, mapPixBit = 16, newDepthBit = 17,
    alignPixBit = 18, newRowBytesBit = 19, reallocPixBit = 20, clipPixBit = 28,
    stretchPixBit = 29, ditherPixBit = 30, gwFlagErrBit = 31
};

#define pixPurge        (1L << pixPurgeBit)
#define noNewDevice     (1L << noNewDeviceBit)
#define useTempMem      (1L << useTempMemBit)
#define keepLocal       (1L << keepLocalBit)
#define pixelsPurgeable (1L << pixelsPurgeableBit)
#define pixelsLocked    (1L << pixelsLockedBit)
#define mapPix          (1L << mapPixBit)
#define newDepth        (1L << newDepthBit)
#define alignPix        (1L << alignPixBit)
#define newRowBytes     (1L << newRowBytesBit)
#define reallocPix      (1L << reallocPixBit)
#define clipPix         (1L << clipPixBit)
#define stretchPix      (1L << stretchPixBit)
#define ditherPix       (1L << ditherPixBit)
#define gwFlagErr       (1UL << gwFlagErrBit)

#include "callbacks/QDOffscreen.h"
#include "routines/QDOffscreen.h"

#endif
