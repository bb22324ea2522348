/* MenuMgr.h: another name of Menus.h. Made by docs/generate.py. */

#ifndef COMPAT_MENUMGR_H
#define COMPAT_MENUMGR_H

#include "Menus.h"

#endif
