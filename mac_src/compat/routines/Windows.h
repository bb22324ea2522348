/* Routines of Windows.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Windows.h>

#ifndef ROUTINES_WINDOWS_H
#define ROUTINES_WINDOWS_H

#ifdef __cplusplus
extern "C" {
#endif

void BeginUpdate(WindowPtr theWindow);
void BringToFront(WindowPtr theWindow);
void CalcVBehind(WindowPtr startWindow, RgnHandle clobberedRgn);
void CalcVis(WindowPtr window);
void CalcVisBehind(WindowPtr startWindow, RgnHandle clobberedRgn);
Boolean CheckUpdate(EventRecord* theEvent);
void ClipAbove(WindowPtr window);
void CloseWindow(WindowPtr theWindow);
void DisposeWindow(WindowPtr theWindow);
long DragGrayRgn(RgnHandle theRgn, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis, ProcPtr actionProc);
long DragTheRgn(RgnHandle theRgn, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis, ProcPtr actionProc);
void DragWindow(WindowPtr theWindow, Point startPt, const Rect* boundsRect);
void DrawGrowIcon(WindowPtr theWindow);
void DrawNew(WindowPtr window, Boolean update);
void EndUpdate(WindowPtr theWindow);
short FindWindow(Point thePoint, WindowPtr* theWindow);
WindowPtr FrontWindow(void);
Boolean GetAuxWin(WindowPtr theWindow, AuxWinHandle* awHndl);
void GetCWMgrPort(GrafPtr* wPort);
RgnHandle GetGrayRgn(void);
short GetMBarHeight(void);
WindowPtr GetNewCWindow(short windowID, void* wStorage, WindowPtr behind);
WindowPtr GetNewWindow(short windowID, void* wStorage, WindowPtr behind);
void GetWMgrPort(GrafPtr* wPort);
long GetWRefCon(WindowPtr theWindow);
void GetWTitle(WindowPtr theWindow, unsigned char* title);
short GetWVariant(WindowPtr theWindow);
PicHandle GetWindowPic(WindowPtr theWindow);
long GrowWindow(WindowPtr theWindow, Point startPt, const Rect* sizeRect);
void HideWindow(WindowPtr theWindow);
void HiliteWindow(WindowPtr theWindow, Boolean fHilite);
void InitWindows(void);
void InvalRect(const Rect* badRect);
void InvalRgn(RgnHandle badRgn);
short LMGetMBarHeight(void);
void MoveWindow(WindowPtr theWindow, short hGlobal, short vGlobal, Boolean front);
WindowPtr NewCWindow(void* wStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, WindowPtr behind, Boolean goAwayFlag, long refCon);
WindowPtr NewWindow(void* wStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, WindowPtr behind, Boolean goAwayFlag, long refCon);
void PaintBehind(WindowPtr startWindow, RgnHandle clobberedRgn);
void PaintOne(WindowPtr window, RgnHandle clobberedRgn);
long PinRect(const Rect* theRect, Point thePt);
void SaveOld(WindowPtr window);
void SelectWindow(WindowPtr theWindow);
void SendBehind(WindowPtr theWindow, WindowPtr behindWindow);
void SetWRefCon(WindowPtr theWindow, long data);
void SetWTitle(WindowPtr theWindow, ConstStr255Param title);
void SetWinColor(WindowPtr theWindow, CTabHandle newColorTable);
void SetWindowPic(WindowPtr theWindow, PicHandle pic);
void ShowHide(WindowPtr theWindow, Boolean showFlag);
void ShowWindow(WindowPtr theWindow);
void SizeWindow(WindowPtr theWindow, short w, short h, Boolean fUpdate);
Boolean TrackBox(WindowPtr theWindow, Point thePt, short partCode);
Boolean TrackGoAway(WindowPtr theWindow, Point thePt);
void ValidRect(const Rect* goodRect);
void ValidRgn(RgnHandle goodRgn);
void ZoomWindow(WindowPtr theWindow, short partCode, Boolean front);

#ifdef __cplusplus
}
#endif

#endif
