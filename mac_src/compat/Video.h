/* Video.h: the calls of a video card's driver. See Types.h for what these headers are. */

#ifndef COMPAT_VIDEO_H
#define COMPAT_VIDEO_H

#include "Types.h"
#include "Quickdraw.h"

#pragma pack(push, 2)

enum
{
    mBaseOffset = 1, mRowBytes = 2, mBounds = 3, mVersion = 4, mHRes = 5, mVRes = 6,
    mPixelType = 7, mPixelSize = 8, mCmpCount = 9, mCmpSize = 10, mPlaneBytes = 11,
    mVertRefRate = 14, mVidParams = 1, mTable = 2, mPageCnt = 3, mDevType = 4,
    oneBitMode = 128, twoBitMode = 129, fourBitMode = 130, eightBitMode = 131,
    sixteenBitMode = 132, thirtyTwoBitMode = 133
};

enum
{
    cscReset = 0, cscKillIO = 1, cscSetMode = 2, cscSetEntries = 3, cscSetGamma = 4,
    cscGrayPage = 5, cscGrayScreen = 5, cscSetGray = 6, cscSetInterrupt = 7,
    cscDirectSetEntries = 8, cscSetDefaultMode = 9,
    cscGetMode = 2, cscGetEntries = 3, cscGetPageCnt = 4, cscGetPages = 4, cscGetPageBase = 5,
    cscGetBaseAddr = 5, cscGetGray = 6, cscGetInterrupt = 7, cscGetGamma = 8,
    cscGetDefaultMode = 9
};

typedef struct VPBlock
{
    long vpBaseOffset;
    short vpRowBytes;
    Rect vpBounds;
    short vpVersion;
    short vpPackType;
    long vpPackSize;
    long vpHRes;
    long vpVRes;
    short vpPixelType;
    short vpPixelSize;
    short vpCmpCount;
    short vpCmpSize;
    long vpPlaneBytes;
} VPBlock, *VPBlockPtr;

typedef struct VDEntryRecord
{
    Ptr csTable;
} VDEntryRecord, *VDEntRecPtr;

typedef struct VDGrayRecord
{
    Boolean csMode;
    SInt8 filler;
} VDGrayRecord, *VDGrayPtr;

typedef struct VDSetEntryRecord
{
    ColorSpec *csTable;
    short csStart;
    short csCount;
} VDSetEntryRecord, *VDSetEntryPtr;

typedef struct VDGammaRecord
{
    Ptr csGTable;
} VDGammaRecord, *VDGamRecPtr;

typedef struct VDPageInfo
{
    short csMode;
    long csData;
    short csPage;
    Ptr csBaseAddr;
} VDPageInfo, *VDPgInfoPtr;

typedef struct VDSizeInfo
{
    short csHSize;
    short csHPos;
    short csVSize;
    short csVPos;
} VDSizeInfo, *VDSzInfoPtr;

typedef struct VDSettings
{
    short csParamCnt;
    short csBrightMax;
    short csBrightDef;
    short csBrightVal;
    short csCntrstMax;
    short csCntrstDef;
    short csCntrstVal;
    short csTintMax;
    short csTintDef;
    short csTintVal;
    short csHueMax;
    short csHueDef;
    short csHueVal;
    short csHorizDef;
    short csHorizVal;
    short csHorizMax;
    short csVertDef;
    short csVertVal;
    short csVertMax;
} VDSettings, *VDSettingsPtr;

#pragma pack(pop)

#endif
