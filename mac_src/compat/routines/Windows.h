/* Routines of Windows.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_WINDOWS_H
#define ROUTINES_WINDOWS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ColorTable;
struct EventRecord;
struct GrafPort;
struct Picture;
struct Region;

void CalcVBehind(struct GrafPort* startWindow, struct Region** clobberedRgn);
void CalcVis(struct GrafPort* window);
void CalcVisBehind(struct GrafPort* startWindow, struct Region** clobberedRgn);
Boolean CheckUpdate(struct EventRecord* theEvent);
void ClipAbove(struct GrafPort* window);
long DragGrayRgn(struct Region** theRgn, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis, ProcPtr actionProc);
long DragTheRgn(struct Region** theRgn, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis, ProcPtr actionProc);
void DrawNew(struct GrafPort* window, Boolean update);
Boolean GetAuxWin(struct GrafPort* theWindow, Handle* awHndl);
void GetCWMgrPort(struct GrafPort** wPort);
struct GrafPort* GetNewCWindow(short windowID, void* wStorage, struct GrafPort* behind);
void GetWMgrPort(struct GrafPort** wPort);
short GetWVariant(struct GrafPort* theWindow);
struct Picture** GetWindowPic(struct GrafPort* theWindow);
void HiliteWindow(struct GrafPort* theWindow, Boolean fHilite);
short LMGetMBarHeight(void);
struct GrafPort* NewCWindow(void* wStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, struct GrafPort* behind, Boolean goAwayFlag, long refCon);
void PaintBehind(struct GrafPort* startWindow, struct Region** clobberedRgn);
void PaintOne(struct GrafPort* window, struct Region** clobberedRgn);
long PinRect(const Rect* theRect, Point thePt);
void SaveOld(struct GrafPort* window);
void SetWinColor(struct GrafPort* theWindow, struct ColorTable** newColorTable);
void SetWindowPic(struct GrafPort* theWindow, struct Picture** pic);
void ShowHide(struct GrafPort* theWindow, Boolean showFlag);
Boolean TrackBox(struct GrafPort* theWindow, Point thePt, short partCode);
void ValidRgn(struct Region** goodRgn);
void ZoomWindow(struct GrafPort* theWindow, short partCode, Boolean front);

#ifdef __cplusplus
}
#endif

#endif
