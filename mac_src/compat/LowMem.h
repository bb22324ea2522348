/* LowMem.h: the system's globals by calls. See Types.h for what these headers are. */

#ifndef COMPAT_LOWMEM_H
#define COMPAT_LOWMEM_H

#include <Types.h>
#include <Quickdraw.h>
#include <Memory.h>
#include <Windows.h>
#include <Controls.h>
#include <Menus.h>

#include "routines/LowMem.h"

#endif
