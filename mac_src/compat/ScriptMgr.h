/* ScriptMgr.h: another name of Script.h. Made by docs/generate.py. */

#ifndef COMPAT_SCRIPTMGR_H
#define COMPAT_SCRIPTMGR_H

#include "Script.h"

#endif
