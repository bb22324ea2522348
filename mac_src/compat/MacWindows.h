/* MacWindows.h: another name of Windows.h. Made by docs/generate.py. */

#ifndef COMPAT_MACWINDOWS_H
#define COMPAT_MACWINDOWS_H

#include "Windows.h"

#endif
