/* DialogMgr.h: another name of Dialogs.h. Made by docs/generate.py. */

#ifndef COMPAT_DIALOGMGR_H
#define COMPAT_DIALOGMGR_H

#include "Dialogs.h"

#endif
