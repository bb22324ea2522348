/* MacTypes.h: the later name of Types.h. */

#ifndef COMPAT_MACTYPES_H
#define COMPAT_MACTYPES_H

#include "Types.h"

#endif
