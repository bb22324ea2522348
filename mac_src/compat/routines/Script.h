/* Routines of Script.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Script.h>

#ifndef ROUTINES_SCRIPT_H
#define ROUTINES_SCRIPT_H

#ifdef __cplusplus
extern "C" {
#endif

short Char2Pixel(const void* textBuf, short textLen, short slop, short offset, SignedByte direction);
short CharByte(const void* textBuf, short textOffset);
short CharToPixel(const void* textBuf, long textLength, Fixed slop, long offset, short direction, short styleRunPosition, Point numer, Point denom);
short CharType(const void* textBuf, short textOffset);
short CharacterByteType(const void* textBuf, short textOffset, short script);
short CharacterType(const void* textBuf, short textOffset, short script);
void DrawJust(const void* textPtr, short textLength, short slop);
void DrawJustified(const void* textPtr, long textLength, Fixed slop, short styleRunPosition, Point numer, Point denom);
Boolean FillParseTable(void* table, short script);
short FindScriptRun(const void* textPtr, long textLen, long* lenUsed);
void FindWord(const void* textPtr, short textLength, short offset, Boolean leadingEdge, void* breaks, void* offsets);
void FindWordBreaks(const void* textPtr, short textLength, short offset, Boolean leadingEdge, void* breaks, void* offsets, short script);
short Font2Script(short fontNumber);
short FontScript(void);
short FontToScript(short fontNumber);
short GetAppFont(void);
long GetEnvirons(short selector);
void GetIntlResourceTable(short script, short tableCode, Handle* itlHandle, long* offset, long* length);
long GetScript(short script, short selector);
long GetScriptManagerVariable(short selector);
long GetScriptVariable(short script, short selector);
short GetSysDirection(void);
short GetSysFont(void);
void IUGetItlTable(short script, short tableCode, Handle* itlHandle, long* offset, long* length);
OSErr InitDateCache(void* theCache);
short IntlScript(void);
void KeyScript(short code);
void LongDate2Secs(void* lDate, void* lSecs);
void LongDateToSeconds(void* lDate, void* lSecs);
void LongSecondsToDate(void* lSecs, void* lDate);
void LongSecs2Date(void* lSecs, void* lDate);
Boolean ParseTable(void* table);
short Pixel2Char(const void* textBuf, short textLen, short slop, short pixelWidth, Boolean* leadingEdge);
short PixelToChar(const void* textBuf, long textLength, Fixed slop, Fixed pixelWidth, Boolean* leadingEdge, Fixed* widthRemaining, short styleRunPosition, Point numer, Point denom);
Fixed PortionLine(const void* textPtr, long textLen, short styleRunPosition, Point numer, Point denom);
OSErr SetEnvirons(short selector, long param);
OSErr SetScript(short script, short selector, long param);
OSErr SetScriptManagerVariable(short selector, long param);
OSErr SetScriptVariable(short script, short selector, long param);
void SetSysDirection(short value);
short StringToDate(const void* textPtr, long textLen, void* theCache, long* lengthUsed, void* dateTime);
short StringToTime(const void* textPtr, long textLen, void* theCache, long* lengthUsed, void* dateTime);
SignedByte StyledLineBreak(const void* textPtr, long textLen, long textStart, long textEnd, long flags, Fixed* textWidth, long* textOffset);
short TruncString(short width, unsigned char* theString, short truncWhere);
short TruncText(short width, const void* textPtr, short* length, short truncWhere);
long VisibleLength(const void* textPtr, long textLength);

#ifdef __cplusplus
}
#endif

#endif
