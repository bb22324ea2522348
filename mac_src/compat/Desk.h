/* Desk.h: desk accessories. See Types.h for what these headers are. */

#ifndef COMPAT_DESK_H
#define COMPAT_DESK_H

#include "Types.h"
#include "Events.h"

#include "routines/Desk.h"

#endif
