/* PackageMgr.h: another name of Packages.h. Made by docs/generate.py. */

#ifndef COMPAT_PACKAGEMGR_H
#define COMPAT_PACKAGEMGR_H

#include "Packages.h"

#endif
