/* DeviceMgr.h: another name of Devices.h. Made by docs/generate.py. */

#ifndef COMPAT_DEVICEMGR_H
#define COMPAT_DEVICEMGR_H

#include "Devices.h"

#endif
