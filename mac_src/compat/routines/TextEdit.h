/* Routines of TextEdit.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <TextEdit.h>

#ifndef ROUTINES_TEXTEDIT_H
#define ROUTINES_TEXTEDIT_H

#ifdef __cplusplus
extern "C" {
#endif

TEStyleHandle GetStylHandle(TEHandle hTE);
StScrpHandle GetStylScrap(TEHandle hTE);
StScrpHandle GetStyleScrap(TEHandle hTE);
void SetClikLoop(ProcPtr clikProc, TEHandle hTE);
void SetStylHandle(TEStyleHandle theHandle, TEHandle hTE);
void SetStylScrap(long rangeStart, long rangeEnd, StScrpHandle newStyles, Boolean redraw, TEHandle hTE);
void SetStyleScrap(long rangeStart, long rangeEnd, StScrpHandle newStyles, Boolean redraw, TEHandle hTE);
void SetWordBreak(ProcPtr wBrkProc, TEHandle hTE);
void TEActivate(TEHandle hTE);
void TEAutoView(Boolean fAuto, TEHandle hTE);
void TECalText(TEHandle hTE);
void TEClick(Point pt, Boolean fExtend, TEHandle h);
Boolean TEContinuousStyle(short* mode, TextStyle* aStyle, TEHandle hTE);
void TECopy(TEHandle hTE);
void TECustomHook(short which, ProcPtr* addr, TEHandle hTE);
void TECut(TEHandle hTE);
void TEDeactivate(TEHandle hTE);
void TEDelete(TEHandle hTE);
void TEDispose(TEHandle hTE);
short TEFeatureFlag(short feature, short action, TEHandle hTE);
OSErr TEFromScrap(void);
long TEGetHeight(long endLine, long startLine, TEHandle hTE);
OSErr TEGetHiliteRgn(RgnHandle region, TEHandle hTE);
short TEGetOffset(Point pt, TEHandle hTE);
Point TEGetPoint(short offset, TEHandle hTE);
long TEGetScrapLen(void);
long TEGetScrapLength(void);
TEStyleHandle TEGetStylHandle(TEHandle hTE);
void TEGetStyle(short offset, TextStyle* theStyle, short* lineHeight, short* fontAscent, TEHandle hTE);
TEStyleHandle TEGetStyleHandle(TEHandle hTE);
StScrpHandle TEGetStyleScrapHandle(TEHandle hTE);
CharsHandle TEGetText(TEHandle hTE);
void TEIdle(TEHandle hTE);
void TEInit(void);
void TEInsert(const void* text, long length, TEHandle hTE);
void TEKey(short key, TEHandle hTE);
TEHandle TENew(const Rect* destRect, const Rect* viewRect);
long TENumStyles(long rangeStart, long rangeEnd, TEHandle hTE);
void TEPaste(TEHandle hTE);
void TEPinScroll(short dh, short dv, TEHandle hTE);
void TEReplaceStyle(short mode, const TextStyle* oldStyle, const TextStyle* newStyle, Boolean redraw, TEHandle hTE);
Handle TEScrapHandle(void);
void TEScroll(short dh, short dv, TEHandle hTE);
void TESelView(TEHandle hTE);
void TESetAlignment(short just, TEHandle hTE);
void TESetClickLoop(ProcPtr clikProc, TEHandle hTE);
void TESetJust(short just, TEHandle hTE);
void TESetScrapLen(long length);
void TESetScrapLength(long length);
void TESetSelect(long selStart, long selEnd, TEHandle hTE);
void TESetStylHandle(TEStyleHandle theHandle, TEHandle hTE);
void TESetStyle(short mode, const TextStyle* newStyle, Boolean redraw, TEHandle hTE);
void TESetStyleHandle(TEStyleHandle theHandle, TEHandle hTE);
void TESetText(const void* text, long length, TEHandle hTE);
void TESetWordBreak(ProcPtr wBrkProc, TEHandle hTE);
void TEStylInsert(const void* text, long length, StScrpHandle hST, TEHandle hTE);
TEHandle TEStylNew(const Rect* destRect, const Rect* viewRect);
void TEStylPaste(TEHandle hTE);
void TEStyleInsert(const void* text, long length, StScrpHandle hST, TEHandle hTE);
TEHandle TEStyleNew(const Rect* destRect, const Rect* viewRect);
void TEStylePaste(TEHandle hTE);
void TETextBox(const void* text, long length, const Rect* box, short just);
OSErr TEToScrap(void);
void TEUpdate(const Rect* rUpdate, TEHandle hTE);
void TEUseStyleScrap(long rangeStart, long rangeEnd, StScrpHandle newStyles, Boolean redraw, TEHandle hTE);
void TextBox(const void* text, long length, const Rect* box, short just);

#ifdef __cplusplus
}
#endif

#endif
