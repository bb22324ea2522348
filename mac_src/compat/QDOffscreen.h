/* QDOffscreen.h: drawing off the screen. See Types.h for what these headers are. */

#ifndef COMPAT_QDOFFSCREEN_H
#define COMPAT_QDOFFSCREEN_H

#include "Types.h"
#include "Quickdraw.h"

typedef GrafPtr GWorldPtr;
typedef Handle GDHandle;
typedef struct PixMap** PixMapHandle;
typedef unsigned long GWorldFlags;
typedef short QDErr;

#include "callbacks/QDOffscreen.h"
#include "routines/QDOffscreen.h"

#endif
