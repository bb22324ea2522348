/* Routines of Picker.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Picker.h>

#ifndef ROUTINES_PICKER_H
#define ROUTINES_PICKER_H

#ifdef __cplusplus
extern "C" {
#endif

void CMY2RGB(const void* cmyColor, RGBColor* rgbColor);
short Fix2SmallFract(Fixed f);
Boolean GetColor(Point where, ConstStr255Param prompt, const RGBColor* inColor, RGBColor* outColor);
void HSL2RGB(const void* hslColor, RGBColor* rgbColor);
void HSV2RGB(const void* hsvColor, RGBColor* rgbColor);
void RGB2CMY(const RGBColor* rgbColor, void* cmyColor);
void RGB2HSL(const RGBColor* rgbColor, void* hslColor);
void RGB2HSV(const RGBColor* rgbColor, void* hsvColor);
Fixed SmallFract2Fix(short s);

#ifdef __cplusplus
}
#endif

#endif
