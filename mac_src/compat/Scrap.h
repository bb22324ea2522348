/* Scrap.h: the clipboard. See Types.h for what these headers are. */

#ifndef COMPAT_SCRAP_H
#define COMPAT_SCRAP_H

#include "Types.h"
#include "records/Scrap.h"

typedef ScrapStuff *ScrapStuffPtr;

#include "routines/Scrap.h"

#endif
