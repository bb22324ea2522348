/* FontTypes.h: an older place of what Fonts.h has. */

#ifndef COMPAT_FONTTYPES_H
#define COMPAT_FONTTYPES_H

#include "Fonts.h"

#endif
