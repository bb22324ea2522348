/* Routines of ToolUtils.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_TOOLUTILS_H
#define ROUTINES_TOOLUTILS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct Pattern;

short AngleFromSlope(Fixed slope);
long BitAnd(long value1, long value2);
void BitClr(void* bytePtr, long bitNum);
long BitNot(long value);
long BitOr(long value1, long value2);
void BitSet(void* bytePtr, long bitNum);
long BitShift(long value, short count);
Boolean BitTst(void* bytePtr, long bitNum);
long BitXor(long value1, long value2);
Fract Fix2Frac(Fixed x);
Fixed FixATan2(long x, long y);
Fixed Frac2Fix(Fract x);
Fract FracDiv(Fract x, Fract y);
Handle GetCursor(short cursorID);
void GetIndPattern(struct Pattern* thePattern, short patListID, short index);
Handle GetPattern(short patID);
void LongMul(long a, long b, void* dest);
long Munger(Handle h, long offset, void* ptr1, long len1, void* ptr2, long len2);
Fixed SlopeFromAngle(short angle);

#ifdef __cplusplus
}
#endif

#endif
