/* ColorPicker.h: the later name of Picker.h. */

#ifndef COMPAT_COLORPICKER_H
#define COMPAT_COLORPICKER_H

#include "Picker.h"

#endif
