/* MemoryMgr.h: another name of Memory.h. Made by docs/generate.py. */

#ifndef COMPAT_MEMORYMGR_H
#define COMPAT_MEMORYMGR_H

#include "Memory.h"

#endif
