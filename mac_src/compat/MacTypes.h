/* MacTypes.h: the later name of Types.h. See Types.h for what these headers are. */

#ifndef COMPAT_MACTYPES_H
#define COMPAT_MACTYPES_H

#include "Types.h"

#endif
