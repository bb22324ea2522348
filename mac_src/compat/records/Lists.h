/* Records of Lists.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_LISTS_H
#define RECORDS_LISTS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct ListRec
{
    Rect rView;
    struct GrafPort* port;
    Point indent;
    Point cellSize;
    Rect visible;
    struct ControlRecord** vScroll;
    struct ControlRecord** hScroll;
    SignedByte selFlags;
    Boolean lActive;
    SignedByte lReserved;
    Byte listFlags;
    long clikTime;
    Point clikLoc;
    Point mouseLoc;
    ProcPtr lClickLoop;
    Point lastClick;
    long refCon;
    Handle listDefProc;
    Handle userHandle;
    Rect dataBounds;
    Handle cells;
    short maxIndex;
    short cellArray[1];
} ListRec, *ListPtr, **ListHandle;

#pragma pack(pop)

#endif
