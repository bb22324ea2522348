/* Lists.h: lists of cells that the user can select. See Types.h for what these headers are. */

#ifndef MAC_LISTS_H
#define MAC_LISTS_H

#include <Types.h>
#include <Quickdraw.h>
#include <Windows.h>
#include <Controls.h>

#include "records/Lists.h"

#pragma pack(push, 2)

typedef Point Cell;
typedef ListHandle ListRef;
typedef Rect ListBounds;
typedef char DataArray[32001], *DataPtr, **DataHandle;

enum
{
    lDoVAutoscroll = 2,
    lDoHAutoscroll = 1,
    lDoVAutoscrollBit = 1,
    lDoHAutoscrollBit = 0,

    lOnlyOne = -128,
    lExtendDrag = 64,
    lNoDisjoint = 32,
    lNoExtend = 16,
    lNoRect = 8,
    lUseSense = 4,
    lNoNilHilite = 2,

    lInitMsg = 0,
    lDrawMsg = 1,
    lHiliteMsg = 2,
    lCloseMsg = 3
};

#pragma pack(pop)

#include "callbacks/Lists.h"
#include "routines/Lists.h"

#endif
