/* ListMgr.h: another name of Lists.h. Made by docs/generate.py. */

#ifndef COMPAT_LISTMGR_H
#define COMPAT_LISTMGR_H

#include "Lists.h"

#endif
