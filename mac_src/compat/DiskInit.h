/* DiskInit.h: the Disk Initialization Package. See Types.h for what these headers are. */

#ifndef COMPAT_DISKINIT_H
#define COMPAT_DISKINIT_H

#include <Types.h>

#include "routines/DiskInit.h"

#endif
