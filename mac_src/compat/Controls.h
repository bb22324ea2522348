/* Controls.h: controls. */

#ifndef MAC_CONTROLS_H
#define MAC_CONTROLS_H

#include <Types.h>
#include <Windows.h>
#include <MixedMode.h>

#include "records/Controls.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef ControlRecord *ControlPtr, **ControlHandle;

enum { pushButProc = 0, checkBoxProc = 1, radioButProc = 2, useWFont = 8, scrollBarProc = 16 };

enum
{
    inButton = 10, inCheckBox = 11, inUpButton = 20, inDownButton = 21,
    inPageUp = 22, inPageDown = 23, inThumb = 129
};

ControlHandle NewControl(WindowPtr window, const Rect* bounds, ConstStr255Param title,
                         Boolean visible, short value, short min, short max,
                         short procID, long refCon);
void DisposeControl(ControlHandle control);
void KillControls(WindowPtr window);
void DrawControls(WindowPtr window);
void ShowControl(ControlHandle control);
void HideControl(ControlHandle control);
void HiliteControl(ControlHandle control, short part);
short FindControl(Point where, WindowPtr window, ControlHandle* control);
short TrackControl(ControlHandle control, Point start, ProcPtr action);
void SetControlValue(ControlHandle control, short value);
short GetControlValue(ControlHandle control);
void SetControlTitle(ControlHandle control, ConstStr255Param title);

/* their names before 1994 */

#define SetCtlValue        SetControlValue
#define GetCtlValue        GetControlValue
#define SetCTitle          SetControlTitle

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Controls.h"
#include "routines/Controls.h"

#endif
