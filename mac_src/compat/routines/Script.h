/* Routines of Script.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_SCRIPT_H
#define ROUTINES_SCRIPT_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

short Char2Pixel(void* textBuf, short textLen, short slop, short offset, SignedByte direction);
short CharByte(void* textBuf, short textOffset);
short CharToPixel(void* textBuf, long textLength, Fixed slop, long offset, short direction, short styleRunPosition, Point numer, Point denom);
short CharType(void* textBuf, short textOffset);
short CharacterByteType(void* textBuf, short textOffset);
short CharacterType(void* textBuf, short textOffset);
void DrawJustified(void* textPtr, long textLength, Fixed slop, short styleRunPosition, Point numer, Point denom);
void FindWord(void* textPtr, short textLength, short offset, Boolean leadingEdge, void* breaks, void* offsets);
short Font2Script(short fontNumber);
short FontScript(void);
short FontToScript(short fontNumber);
long GetEnvirons(short selector);
long GetScript(short script, short selector);
long GetScriptManagerVariable(short selector);
long GetScriptVariable(short script, short selector);
OSErr InitDateCache(void* theCache);
short IntlScript(void);
void KeyScript(short code);
void LongDate2Secs(void* lDate, void* lSecs);
void LongDateToSeconds(void* lDate, void* lSecs);
void LongSecondsToDate(void* lSecs, void* lDate);
void LongSecs2Date(void* lSecs, void* lDate);
short Pixel2Char(void* textBuf, short textLen, short slop, short pixelWidth, Boolean* leadingEdge);
short PixelToChar(void* textBuf, long textLength, Fixed slop, Fixed pixelWidth, Boolean* leadingEdge, Fixed* widthRemaining, short styleRunPosition, Point numer, Point denom);
Fixed PortionLine(void* textPtr, long textLen, short styleRunPosition, Point numer, Point denom);
OSErr SetEnvirons(short selector, long param);
OSErr SetScript(short script, short selector, long param);
OSErr SetScriptManagerVariable(short selector, long param);
OSErr SetScriptVariable(short script, short selector, long param);
short StringToDate(void* textPtr, long textLen, void* theCache, long* lengthUsed, void* dateTime);
short StringToTime(void* textPtr, long textLen, void* theCache, long* lengthUsed, void* dateTime);
SignedByte StyledLineBreak(void* textPtr, long textLen, long textStart, long textEnd, long flags, Fixed* textWidth, long* textOffset);
short TruncString(short width, unsigned char* theString, short truncWhere);
short TruncText(short width, void* textPtr, short* length, short truncWhere);
long VisibleLength(void* textPtr, long textLength);

#ifdef __cplusplus
}
#endif

#endif
