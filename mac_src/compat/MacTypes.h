/* MacTypes.h: another name of Types.h. Made by docs/generate.py. */

#ifndef COMPAT_MACTYPES_H
#define COMPAT_MACTYPES_H

#include "Types.h"

#endif
