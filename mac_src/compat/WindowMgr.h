/* WindowMgr.h: another name of Windows.h. Made by docs/generate.py. */

#ifndef COMPAT_WINDOWMGR_H
#define COMPAT_WINDOWMGR_H

#include "Windows.h"

#endif
