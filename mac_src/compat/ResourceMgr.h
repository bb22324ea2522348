/* ResourceMgr.h: another name of Resources.h. Made by docs/generate.py. */

#ifndef COMPAT_RESOURCEMGR_H
#define COMPAT_RESOURCEMGR_H

#include "Resources.h"

#endif
