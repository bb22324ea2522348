/* Lists.h: lists of cells that the user can select. */

#ifndef MAC_LISTS_H
#define MAC_LISTS_H

#include <Types.h>
#include <Quickdraw.h>
#include <Windows.h>

#include "records/Lists.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef Point Cell;
typedef ListRec** ListHandle;

enum
{
    lDoVAutoscroll = 2,
    lDoHAutoscroll = 1,

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

ListHandle LNew(const Rect* view, const Rect* bounds, Point cellSize, short definition,
                WindowPtr window, Boolean draw, Boolean hasGrow, Boolean horizontal,
                Boolean vertical);
void LDispose(ListHandle list);
short LAddRow(short count, short row, ListHandle list);
short LAddColumn(short count, short column, ListHandle list);
void LSetCell(const void* data, short length, Cell cell, ListHandle list);
void LGetCell(void* data, short* length, Cell cell, ListHandle list);
Boolean LClick(Point place, short modifiers, ListHandle list);
Boolean LGetSelect(Boolean next, Cell* cell, ListHandle list);
void LSetSelect(Boolean select, Cell cell, ListHandle list);
void LUpdate(RgnHandle region, ListHandle list);
void LActivate(Boolean activate, ListHandle list);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Lists.h"
#include "routines/Lists.h"

#endif
