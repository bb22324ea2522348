/* Controls.h: controls. See Types.h for what these headers are. */

#ifndef MAC_CONTROLS_H
#define MAC_CONTROLS_H

#include <Types.h>
#include <Windows.h>
#include <MixedMode.h>

#include "records/Controls.h"

#pragma pack(push, 2)

typedef ControlHandle ControlRef;
typedef short ControlPartCode;

enum { pushButProc = 0, checkBoxProc = 1, radioButProc = 2, useWFont = 8, scrollBarProc = 16,
       popupMenuProc = 1008 };

enum { popupFixedWidth = 1, popupVariableWidth = 2, popupUseAddResMenu = 4, popupUseWFont = 8 };

enum { popupTitleBold = 0x0100, popupTitleItalic = 0x0200, popupTitleUnderline = 0x0400,
       popupTitleOutline = 0x0800, popupTitleShadow = 0x1000, popupTitleCondense = 0x2000,
       popupTitleExtend = 0x4000, popupTitleNoStyle = 0x8000,
       popupTitleLeftJust = 0, popupTitleCenterJust = 1, popupTitleRightJust = 255 };

enum
{
    inLabel = 1, inMenu = 2, inTriangle = 4, inButton = 10, inCheckBox = 11, inUpButton = 20,
    inDownButton = 21, inPageUp = 22, inPageDown = 23, inThumb = 129
};

enum { kControlNoPart = 0, kControlInactivePart = 254, kControlDisabledPart = 255 };

enum
{
    drawCntl = 0, testCntl = 1, calcCRgns = 2, initCntl = 3, dispCntl = 4, posCntl = 5,
    thumbCntl = 6, dragCntl = 7, autoTrack = 8, calcCntlRgn = 10, calcThumbRgn = 11,
    drawThumbOutline = 12
};

enum { cFrameColor = 0, cBodyColor = 1, cTextColor = 2, cThumbColor = 3, kNumberCtlCTabEntries = 4 };

typedef struct CtlCTab
{
    long ccSeed;
    short ccRider;
    short ctSize;
    ColorSpec ctTable[4];
} CtlCTab, *CCTabPtr, **CCTabHandle;

typedef struct AuxCtlRec
{
    struct AuxCtlRec** acNext;
    ControlHandle acOwner;
    CCTabHandle acCTable;
    short acFlags;
    long acReserved;
    long acRefCon;
} AuxCtlRec, *AuxCtlPtr, **AuxCtlHandle;

typedef struct PopupPrivateData
{
    MenuHandle mHandle;
    short mID;
    SignedByte mPrivate[1];
} PopupPrivateData, *PopupPrivateDataPtr, **PopupPrivateDataHandle;

#pragma pack(pop)

#include "callbacks/Controls.h"
#include "routines/Controls.h"

#endif
