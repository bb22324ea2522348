/* Routines of TextEdit.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_TEXTEDIT_H
#define ROUTINES_TEXTEDIT_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct TERec;

Handle GetStylHandle(struct TERec** hTE);
Handle GetStylScrap(struct TERec** hTE);
Handle GetStyleScrap(struct TERec** hTE);
void SetStylHandle(Handle theHandle, struct TERec** hTE);
void SetStylScrap(long rangeStart, long rangeEnd, Handle newStyles, Boolean redraw, struct TERec** hTE);
void SetStyleScrap(long rangeStart, long rangeEnd, Handle newStyles, Boolean redraw, struct TERec** hTE);
void TEAutoView(Boolean fAuto, struct TERec** hTE);
void TECalText(struct TERec** hTE);
void TEClick(Point pt, Boolean fExtend, struct TERec** h);
void TECopy(struct TERec** hTE);
void TECustomHook(short which, ProcPtr* addr, struct TERec** hTE);
void TECut(struct TERec** hTE);
void TEDelete(struct TERec** hTE);
short TEFeatureFlag(short feature, short action, struct TERec** hTE);
OSErr TEFromScrap(void);
long TEGetHeight(long endLine, long startLine, struct TERec** hTE);
short TEGetOffset(Point pt, struct TERec** hTE);
long TEGetPoint(short offset, struct TERec** hTE);
long TEGetScrapLen(void);
long TEGetScrapLength(void);
Handle TEGetStylHandle(struct TERec** hTE);
void TEIdle(struct TERec** hTE);
long TENumStyles(long rangeStart, long rangeEnd, struct TERec** hTE);
void TEPaste(struct TERec** hTE);
void TEPinScroll(short dh, short dv, struct TERec** hTE);
Handle TEScrapHandle(void);
void TEScroll(short dh, short dv, struct TERec** hTE);
void TESelView(struct TERec** hTE);
void TESetAlignment(short just, struct TERec** hTE);
void TESetJust(short just, struct TERec** hTE);
void TESetScrapLen(long length);
void TESetScrapLength(long length);
void TESetStylHandle(Handle theHandle, struct TERec** hTE);
void TEStylInsert(void* text, long length, Handle hST, struct TERec** hTE);
struct TERec** TEStylNew(const Rect* destRect, const Rect* viewRect);
void TEStylPaste(struct TERec** hTE);
void TEStylePaste(struct TERec** hTE);
OSErr TEToScrap(void);
void TextBox(void* text, long length, const Rect* box, short just);

#ifdef __cplusplus
}
#endif

#endif
