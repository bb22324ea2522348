/* Balloons.h: help in balloons. See Types.h for what these headers are. */

#ifndef COMPAT_BALLOONS_H
#define COMPAT_BALLOONS_H

#include "Types.h"
#include "Quickdraw.h"
#include "Menus.h"
#include "TextEdit.h"
#include "Windows.h"

#pragma pack(push, 2)

enum
{
    hmBalloonHelpVersion = 2, kHMHelpMenuID = -16490, kHMAboutHelpItem = 1, kHMHelpID = -5696,
    kBalloonWDEFID = 126,

    khmmSkipItem = 0x0100, khmmString = 1, khmmPict = 2, khmmStringRes = 3, khmmTEHandle = 4,
    khmmPictHandle = 5, khmmTERes = 6, khmmSTRRes = 7,

    kHMSkipItem = 0x0100, kHMStringItem = 1, kHMPictItem = 2, kHMStringResItem = 3,
    kHMTEResItem = 6, kHMSTRResItem = 7, kHMTrackCntlItem = 8,

    kHMSaveBitsNoWindow = 0, kHMSaveBitsWindow = 1, kHMRegularWindow = 2
};

typedef struct HMStringResType
{
    short hmmResID;
    short hmmIndex;
} HMStringResType;

typedef struct HMMessageRecord
{
    short hmmHelpType;
    union
    {
        char hmmString[256];
        short hmmPict;
        TEHandle hmmTEHandle;
        HMStringResType hmmStringRes;
        PicHandle hmmPictHandle;
        short hmmTERes;
        short hmmSTRRes;
    } u;
} HMMessageRecord, *HMMessageRecPtr;

#pragma pack(pop)

#include "routines/Balloons.h"
#include "absent/Balloons.h"

#endif
