/* Routines of ToolUtils.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <ToolUtils.h>

#ifndef ROUTINES_TOOLUTILS_H
#define ROUTINES_TOOLUTILS_H

#ifdef __cplusplus
extern "C" {
#endif

short AngleFromSlope(Fixed slope);
long BitAnd(long value1, long value2);
void BitClr(void* bytePtr, long bitNum);
long BitNot(long value);
long BitOr(long value1, long value2);
void BitSet(void* bytePtr, long bitNum);
long BitShift(long value, short count);
Boolean BitTst(const void* bytePtr, long bitNum);
long BitXor(long value1, long value2);
Fract Fix2Frac(Fixed x);
long Fix2Long(Fixed x);
Fixed FixATan2(long x, long y);
Fixed FixDiv(Fixed a, Fixed b);
Fixed FixMul(Fixed a, Fixed b);
Fixed FixRatio(short numer, short denom);
short FixRound(Fixed x);
Fixed Frac2Fix(Fract x);
Fract FracCos(Fixed x);
Fract FracDiv(Fract x, Fract y);
Fract FracMul(Fract x, Fract y);
Fract FracSin(Fixed x);
Fract FracSqrt(Fract x);
CursHandle GetCursor(short cursorID);
Handle GetIcon(short iconID);
void GetIndPattern(Pattern* thePattern, short patListID, short index);
void GetIndString(unsigned char* theString, short strListID, short index);
PatHandle GetPattern(short patID);
PicHandle GetPicture(short picID);
StringHandle GetString(short stringID);
Fixed Long2Fix(long x);
void LongMul(long a, long b, Int64Bit* dest);
long Munger(Handle h, long offset, const void* ptr1, long len1, const void* ptr2, long len2);
StringHandle NewString(ConstStr255Param theString);
void PackBits(void* srcPtr, void* dstPtr, short srcBytes);
void PlotIcon(const Rect* theRect, Handle theIcon);
void ScreenRes(short* scrnHRes, short* scrnVRes);
void SetString(StringHandle h, ConstStr255Param theString);
Fixed SlopeFromAngle(short angle);
void UnpackBits(void* srcPtr, void* dstPtr, short dstBytes);

#ifdef __cplusplus
}
#endif

#endif
