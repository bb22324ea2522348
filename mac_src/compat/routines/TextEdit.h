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

void TEAutoView(Boolean fAuto, struct TERec** hTE);
void TECalText(struct TERec** hTE);
void TEClick(Point pt, Boolean fExtend, struct TERec** h);
void TECopy(struct TERec** hTE);
void TECut(struct TERec** hTE);
void TEDelete(struct TERec** hTE);
long TEGetHeight(long endLine, long startLine, struct TERec** hTE);
short TEGetOffset(Point pt, struct TERec** hTE);
long TEGetPoint(short offset, struct TERec** hTE);
long TEGetScrapLen(void);
long TEGetScrapLength(void);
void TEIdle(struct TERec** hTE);
void TEPaste(struct TERec** hTE);
void TEPinScroll(short dh, short dv, struct TERec** hTE);
Handle TEScrapHandle(void);
void TEScroll(short dh, short dv, struct TERec** hTE);
void TESelView(struct TERec** hTE);
void TESetAlignment(short just, struct TERec** hTE);
void TESetJust(short just, struct TERec** hTE);
void TESetScrapLen(long length);
void TESetScrapLength(long length);
void TextBox(void* text, long length, const Rect* box, short just);

#ifdef __cplusplus
}
#endif

#endif
