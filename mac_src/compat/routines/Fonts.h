/* Routines of Fonts.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Fonts.h>

#ifndef ROUTINES_FONTS_H
#define ROUTINES_FONTS_H

#ifdef __cplusplus
extern "C" {
#endif

FMOutPtr FMSwapFont(const FMInput* inRec);
OSErr FlushFonts(void);
void FontMetrics(FMetricRec* theMetrics);
void GetFName(short familyID, unsigned char* theName);
void GetFNum(ConstStr255Param name, short* familyID);
void GetFontName(short familyID, unsigned char* theName);
Boolean GetOutlinePreferred(void);
void InitFonts(void);
Boolean IsOutline(Point numer, Point denom);
OSErr OutlineMetrics(short byteCount, const void* textPtr, Point numer, Point denom, short* yMax, short* yMin, void* awArray, void* lsbArray, void* boundsArray);
Boolean RealFont(short fontNum, short size);
void SetFScaleDisable(Boolean disable);
void SetFontLock(Boolean lockFlag);
void SetFractEnable(Boolean enable);
void SetOutlinePreferred(Boolean outlinePreferred);

#ifdef __cplusplus
}
#endif

#endif
