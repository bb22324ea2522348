/* Color.h: drawing in colour, which was apart from Quickdraw.h in THINK C. */

#ifndef COMPAT_COLOR_H
#define COMPAT_COLOR_H

#include "Quickdraw.h"
#include "Palettes.h"
#include "Windows.h"
#include "Menus.h"
#include "Controls.h"
#include "Dialogs.h"

#endif
