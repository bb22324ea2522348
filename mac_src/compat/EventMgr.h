/* EventMgr.h: another name of Events.h. Made by docs/generate.py. */

#ifndef COMPAT_EVENTMGR_H
#define COMPAT_EVENTMGR_H

#include "Events.h"

#endif
