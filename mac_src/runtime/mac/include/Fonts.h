/* Fonts.h: fonts. */

#ifndef MAC_FONTS_H
#define MAC_FONTS_H

#include <Types.h>
#include_next <Fonts.h>

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

#endif
