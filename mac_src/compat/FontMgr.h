/* FontMgr.h: another name of Fonts.h. Made by docs/generate.py. */

#ifndef COMPAT_FONTMGR_H
#define COMPAT_FONTMGR_H

#include "Fonts.h"

#endif
