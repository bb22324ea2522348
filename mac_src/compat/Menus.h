/* Menus.h: menus. See Types.h for what these headers are. */

#ifndef COMPAT_MENUS_H
#define COMPAT_MENUS_H

#include "Types.h"
#include "Files.h"                /* as later interfaces do, by way of Processes.h */
#include "Quickdraw.h"
#include "Fonts.h"              /* the marks of items are characters of the system font */
#include "ToolUtils.h"          /* HiWord and LoWord take a choice apart */
#include "records/Menus.h"

#pragma pack(push, 2)

typedef MenuHandle MenuRef;

enum { noMark = 0 };

enum { textMenuProc = 0, hMenuCmd = 27, hierMenu = -1 };

enum { mDrawMsg = 0, mChooseMsg = 1, mSizeMsg = 2, mDrawItemMsg = 4, mCalcItemMsg = 5,
       mPopUpMsg = 3 };

enum { mctAllItems = -98, mctLastIDIndic = -99 };

typedef struct MCEntry
{
    short mctID;
    short mctItem;
    RGBColor mctRGB1;
    RGBColor mctRGB2;
    RGBColor mctRGB3;
    RGBColor mctRGB4;
    short mctReserved;
} MCEntry, *MCEntryPtr;

typedef MCEntry MCTable[1], *MCTablePtr, **MCTableHandle;

typedef struct MenuCRsrc
{
    short numEntries;
    MCTable mcEntryRecs;
} MenuCRsrc, *MenuCRsrcPtr, **MenuCRsrcHandle;

typedef Handle MenuBarHandle;

#pragma pack(pop)

#include "callbacks/Menus.h"
#include "routines/Menus.h"

#endif
