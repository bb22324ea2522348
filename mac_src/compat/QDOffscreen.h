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

enum                            /* not macros: sources name parameters so */
{
    pixPurge = (int) (1U << pixPurgeBit),
    noNewDevice = (int) (1U << noNewDeviceBit),
    useTempMem = (int) (1U << useTempMemBit),
    keepLocal = (int) (1U << keepLocalBit),
    pixelsPurgeable = (int) (1U << pixelsPurgeableBit),
    pixelsLocked = (int) (1U << pixelsLockedBit),
    mapPix = (int) (1U << mapPixBit),
    newDepth = (int) (1U << newDepthBit),
    alignPix = (int) (1U << alignPixBit),
    newRowBytes = (int) (1U << newRowBytesBit),
    reallocPix = (int) (1U << reallocPixBit),
    clipPix = (int) (1U << clipPixBit),
    stretchPix = (int) (1U << stretchPixBit),
    ditherPix = (int) (1U << ditherPixBit),
    gwFlagErr = (int) (1U << gwFlagErrBit)
};

#include "callbacks/QDOffscreen.h"
#include "routines/QDOffscreen.h"

#endif
