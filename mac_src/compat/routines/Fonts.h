/* Routines of Fonts.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_FONTS_H
#define ROUTINES_FONTS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

Ptr FMSwapFont(void* inRec);
void FontMetrics(void* theMetrics);
void GetFName(short familyID, unsigned char* theName);
Boolean GetOutlinePreferred(void);
Boolean IsOutline(Point numer, Point denom);
Boolean RealFont(short fontNum, short size);
void SetFScaleDisable(Boolean disable);
void SetFontLock(Boolean lockFlag);
void SetFractEnable(Boolean enable);
void SetOutlinePreferred(Boolean outlinePreferred);

#ifdef __cplusplus
}
#endif

#endif
