/* Desk.h: desk accessories. See Types.h for what these headers are. */

#ifndef COMPAT_DESK_H
#define COMPAT_DESK_H

#include "Types.h"
#include "Quickdraw.h"
#include "Events.h"

enum
{
    undoEdit = 0, cutEdit = 2, copyEdit = 3, pasteEdit = 4, clearEdit = 5
};

#include "routines/Desk.h"

#endif
