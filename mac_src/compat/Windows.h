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

#endif
