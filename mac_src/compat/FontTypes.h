/* FontTypes.h: another name of Fonts.h. Made by docs/generate.py. */

#ifndef COMPAT_FONTTYPES_H
#define COMPAT_FONTTYPES_H

#include "Fonts.h"

#endif
