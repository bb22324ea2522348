/* ToolUtils.h: bits, fixed-point numbers, strings and pictures from resources, patterns. */

#ifndef MAC_TOOLUTILS_H
#define MAC_TOOLUTILS_H

#include <Types.h>
#include <Quickdraw.h>

enum { sysPatListID = 0, iBeamCursor = 1, crossCursor = 2, plusCursor = 3, watchCursor = 4 };

#define HiWord(x)   ((short) ((unsigned long) (x) >> 16))
#define LoWord(x)   ((short) (x))

#include "routines/ToolUtils.h"

#endif
