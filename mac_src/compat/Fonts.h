/* Fonts.h: fonts. See Types.h for what these headers are. */

#ifndef COMPAT_FONTS_H
#define COMPAT_FONTS_H

#ifdef __cplusplus
extern "C"
#endif
void InitFonts(void);

#endif
