/* Picker.h: the dialog that a colour is chosen in, and other ways to name a colour. */

#ifndef COMPAT_PICKER_H
#define COMPAT_PICKER_H

#include "Types.h"
#include "Quickdraw.h"

#pragma pack(push, 2)

enum { MaxSmallFract = 0x0000FFFF };

typedef struct HSVColor { SmallFract hue, saturation, value; } HSVColor;
typedef struct HSLColor { SmallFract hue, saturation, lightness; } HSLColor;
typedef struct CMYColor { SmallFract cyan, magenta, yellow; } CMYColor;

#pragma pack(pop)

#include "callbacks/Picker.h"
#include "routines/Picker.h"
#include "absent/Picker.h"

#endif
