/* Fonts.h: fonts. See Types.h for what these headers are. */

#ifndef COMPAT_FONTS_H
#define COMPAT_FONTS_H

#ifdef __cplusplus
extern "C"
#endif
void InitFonts(void);

#include "Types.h"
#include "records/Fonts.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { systemFont = 0, applFont = 1, newYork = 2, geneva = 3, monaco = 4 };

void GetFNum(ConstStr255Param name, short* number);
void GetFontName(short number, unsigned char* name);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Fonts.h"

#endif
