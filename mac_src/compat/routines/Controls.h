/* Routines of Controls.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Controls.h>

#ifndef ROUTINES_CONTROLS_H
#define ROUTINES_CONTROLS_H

#ifdef __cplusplus
extern "C" {
#endif

void DisposeControl(ControlHandle theControl);
void DragControl(ControlHandle theControl, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis);
void Draw1Control(ControlHandle theControl);
void DrawControls(WindowPtr theWindow);
short FindControl(Point thePoint, WindowPtr theWindow, ControlHandle* theControl);
Boolean GetAuxCtl(ControlHandle theControl, AuxCtlHandle* acHndl);
Boolean GetAuxiliaryControlRecord(ControlHandle theControl, AuxCtlHandle* acHndl);
long GetCRefCon(ControlHandle theControl);
void GetCTitle(ControlHandle theControl, unsigned char* title);
short GetCVariant(ControlHandle theControl);
ProcPtr GetControlAction(ControlHandle theControl);
short GetControlMaximum(ControlHandle theControl);
short GetControlMinimum(ControlHandle theControl);
long GetControlReference(ControlHandle theControl);
void GetControlTitle(ControlHandle theControl, unsigned char* title);
short GetControlValue(ControlHandle theControl);
short GetControlVariant(ControlHandle theControl);
ProcPtr GetCtlAction(ControlHandle theControl);
short GetCtlMax(ControlHandle theControl);
short GetCtlMin(ControlHandle theControl);
short GetCtlValue(ControlHandle theControl);
ControlHandle GetNewControl(short controlID, WindowPtr owner);
void HideControl(ControlHandle theControl);
void HiliteControl(ControlHandle theControl, short hiliteState);
void KillControls(WindowPtr theWindow);
void MoveControl(ControlHandle theControl, short h, short v);
ControlHandle NewControl(WindowPtr theWindow, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short value, short min, short max, short procID, long refCon);
void SetCRefCon(ControlHandle theControl, long data);
void SetCTitle(ControlHandle theControl, ConstStr255Param title);
void SetControlAction(ControlHandle theControl, ProcPtr actionProc);
void SetControlColor(ControlHandle theControl, CTabHandle newColorTable);
void SetControlMaximum(ControlHandle theControl, short maxValue);
void SetControlMinimum(ControlHandle theControl, short minValue);
void SetControlReference(ControlHandle theControl, long data);
void SetControlTitle(ControlHandle theControl, ConstStr255Param title);
void SetControlValue(ControlHandle theControl, short theValue);
void SetCtlAction(ControlHandle theControl, ProcPtr actionProc);
void SetCtlColor(ControlHandle theControl, CTabHandle newColorTable);
void SetCtlMax(ControlHandle theControl, short maxValue);
void SetCtlMin(ControlHandle theControl, short minValue);
void SetCtlValue(ControlHandle theControl, short theValue);
void ShowControl(ControlHandle theControl);
void SizeControl(ControlHandle theControl, short w, short h);
short TestControl(ControlHandle theControl, Point thePt);
short TrackControl(ControlHandle theControl, Point startPt, ProcPtr actionProc);
void UpdateControls(WindowPtr theWindow, RgnHandle updateRgn);
void UpdtControl(WindowPtr theWindow, RgnHandle updateRgn);

#ifdef __cplusplus
}
#endif

#endif
