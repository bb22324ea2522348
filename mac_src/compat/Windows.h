/* Windows.h: windows. See Types.h for what these headers are. */

#ifndef COMPAT_WINDOWS_H
#define COMPAT_WINDOWS_H

#include "Menus.h"              /* some sources expect it from here */
#include "Quickdraw.h"
#include "Events.h"

#include "records/Windows.h"

#pragma pack(push, 2)

enum
{
    documentProc = 0, dBoxProc = 1, plainDBox = 2, altDBoxProc = 3, noGrowDocProc = 4,
    movableDBoxProc = 5, zoomDocProc = 8, zoomNoGrow = 12, rDocProc = 16
};

enum { dialogKind = 2, userKind = 8 };

enum
{
    inDesk = 0, inMenuBar, inSysWindow, inContent, inDrag, inGrow, inGoAway,
    inZoomIn, inZoomOut
};

enum { wDraw = 0, wHit = 1, wCalcRgns = 2, wNew = 3, wDispose = 4, wGrow = 5, wDrawGIcon = 6 };

enum { wNoHit = 0, wInContent = 1, wInDrag = 2, wInGrow = 3, wInGoAway = 4, wInZoomIn = 5,
       wInZoomOut = 6 };

enum { wContentColor = 0, wFrameColor = 1, wTextColor = 2, wHiliteColor = 3, wTitleBarColor = 4 };

enum
{
    kWindowTitleBarRgn = 0, kWindowTitleTextRgn = 1, kWindowCloseBoxRgn = 2,
    kWindowZoomBoxRgn = 3, kWindowDragRgn = 5, kWindowGrowRgn = 6, kWindowCollapseBoxRgn = 7,
    kWindowStructureRgn = 32, kWindowContentRgn = 33
};

enum { deskPatID = 16 };

enum { noConstraint = 0, hAxisOnly = 1, vAxisOnly = 2 };

typedef struct WinCTab
{
    long wCSeed;
    short wCReserved;
    short ctSize;
    ColorSpec ctTable[5];
} WinCTab, *WCTabPtr, **WCTabHandle;

typedef struct AuxWinRec
{
    struct AuxWinRec** awNext;
    WindowPtr awOwner;
    CTabHandle awCTable;
    Handle dialogCItem;
    long awFlags;
    CTabHandle awReserved;
    long awRefCon;
} AuxWinRec, *AuxWinPtr, **AuxWinHandle;

#pragma pack(pop)

#include "callbacks/Windows.h"
#include "routines/Windows.h"

#endif
