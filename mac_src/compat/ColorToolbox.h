/* ColorToolbox.h: an older name of Color.h. */

#ifndef COMPAT_COLORTOOLBOX_H
#define COMPAT_COLORTOOLBOX_H

#include "Color.h"

#endif
