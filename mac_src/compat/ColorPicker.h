/* ColorPicker.h: another name of Picker.h. Made by docs/generate.py. */

#ifndef COMPAT_COLORPICKER_H
#define COMPAT_COLORPICKER_H

#include "Picker.h"

#endif
