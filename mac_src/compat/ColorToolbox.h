/* ColorToolbox.h: another name of Color.h. Made by docs/generate.py. */

#ifndef COMPAT_COLORTOOLBOX_H
#define COMPAT_COLORTOOLBOX_H

#include "Color.h"

#endif
