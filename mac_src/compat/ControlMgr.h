/* ControlMgr.h: another name of Controls.h. Made by docs/generate.py. */

#ifndef COMPAT_CONTROLMGR_H
#define COMPAT_CONTROLMGR_H

#include "Controls.h"

#endif
