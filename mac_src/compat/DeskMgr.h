/* DeskMgr.h: another name of Desk.h. Made by docs/generate.py. */

#ifndef COMPAT_DESKMGR_H
#define COMPAT_DESKMGR_H

#include "Desk.h"

#endif
