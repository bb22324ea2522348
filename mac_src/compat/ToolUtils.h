/* ToolUtils.h: fixed-point numbers, strings from resources, patterns. */

#ifndef MAC_TOOLUTILS_H
#define MAC_TOOLUTILS_H

#include <Types.h>
#include <Quickdraw.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

Fixed FixRatio(short numerator, short denominator);
Fixed FixMul(Fixed a, Fixed b);
short FixRound(Fixed x);
StringHandle GetString(short id);
void GetIndString(unsigned char* string, short list, short index);
PicHandle GetPicture(short id);
Handle GetIcon(short id);
void PlotIcon(const Rect* r, Handle icon);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/ToolUtils.h"

#endif
