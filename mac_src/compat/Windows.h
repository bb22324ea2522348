/* Windows.h: windows. See Types.h for what these headers are. */

#ifndef COMPAT_WINDOWS_H
#define COMPAT_WINDOWS_H

#include "Menus.h"              /* some sources expect it from here */
#include "Quickdraw.h"

typedef GrafPtr WindowPtr;      /* a window record begins with its port */

enum
{
    documentProc    = 0,
    dBoxProc        = 1,
    plainDBox       = 2,
    altDBoxProc     = 3,
    noGrowDocProc   = 4
};

#ifdef __cplusplus
extern "C" {
#endif

void InitWindows(void);

WindowPtr NewWindow(void* storage, const Rect* bounds, ConstStr255Param title,
                    Boolean visible, short procID, WindowPtr behind,
                    Boolean goAway, long refCon);
void DisposeWindow(WindowPtr window);

#ifdef __cplusplus
}
#endif

#include "records/Windows.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef WindowRecord* WindowPeek;

enum
{
    inDesk = 0, inMenuBar, inSysWindow, inContent, inDrag, inGrow, inGoAway,
    inZoomIn, inZoomOut
};

WindowPtr GetNewWindow(short id, void* storage, WindowPtr behind);
void CloseWindow(WindowPtr window);
void ShowWindow(WindowPtr window);
void HideWindow(WindowPtr window);
void SelectWindow(WindowPtr window);
void BringToFront(WindowPtr window);
void SendBehind(WindowPtr window, WindowPtr behind);
WindowPtr FrontWindow(void);
void DrawGrowIcon(WindowPtr window);
short FindWindow(Point where, WindowPtr* window);
Boolean TrackGoAway(WindowPtr window, Point where);
void MoveWindow(WindowPtr window, short h, short v, Boolean front);
void DragWindow(WindowPtr window, Point start, const Rect* limit);
long GrowWindow(WindowPtr window, Point start, const Rect* limit);
void SizeWindow(WindowPtr window, short width, short height, Boolean update);
void InvalRect(const Rect* r);
void InvalRgn(RgnHandle region);
void ValidRect(const Rect* r);
void BeginUpdate(WindowPtr window);
void EndUpdate(WindowPtr window);
void SetWTitle(WindowPtr window, ConstStr255Param title);
void GetWTitle(WindowPtr window, unsigned char* title);
void SetWRefCon(WindowPtr window, long refCon);
long GetWRefCon(WindowPtr window);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Windows.h"
#include "routines/Windows.h"

#endif
