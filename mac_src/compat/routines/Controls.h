/* Routines of Controls.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_CONTROLS_H
#define ROUTINES_CONTROLS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ColorTable;
struct ControlRecord;
struct GrafPort;
struct Region;

void DragControl(struct ControlRecord** theControl, Point startPt, const Rect* limitRect, const Rect* slopRect, short axis);
void Draw1Control(struct ControlRecord** theControl);
Boolean GetAuxCtl(struct ControlRecord** theControl, Handle* acHndl);
Boolean GetAuxiliaryControlRecord(struct ControlRecord** theControl, Handle* acHndl);
long GetCRefCon(struct ControlRecord** theControl);
void GetCTitle(struct ControlRecord** theControl, unsigned char* title);
short GetCVariant(struct ControlRecord** theControl);
ProcPtr GetControlAction(struct ControlRecord** theControl);
short GetControlMaximum(struct ControlRecord** theControl);
short GetControlMinimum(struct ControlRecord** theControl);
long GetControlReference(struct ControlRecord** theControl);
void GetControlTitle(struct ControlRecord** theControl, unsigned char* title);
short GetControlVariant(struct ControlRecord** theControl);
ProcPtr GetCtlAction(struct ControlRecord** theControl);
short GetCtlMax(struct ControlRecord** theControl);
short GetCtlMin(struct ControlRecord** theControl);
struct ControlRecord** GetNewControl(short controlID, struct GrafPort* owner);
void MoveControl(struct ControlRecord** theControl, short h, short v);
void SetCRefCon(struct ControlRecord** theControl, long data);
void SetControlAction(struct ControlRecord** theControl, ProcPtr actionProc);
void SetControlColor(struct ControlRecord** theControl, struct ColorTable** newColorTable);
void SetControlMaximum(struct ControlRecord** theControl, short maxValue);
void SetControlMinimum(struct ControlRecord** theControl, short minValue);
void SetControlReference(struct ControlRecord** theControl, long data);
void SetCtlAction(struct ControlRecord** theControl, ProcPtr actionProc);
void SetCtlColor(struct ControlRecord** theControl, struct ColorTable** newColorTable);
void SetCtlMax(struct ControlRecord** theControl, short maxValue);
void SetCtlMin(struct ControlRecord** theControl, short minValue);
void SizeControl(struct ControlRecord** theControl, short w, short h);
short TestControl(struct ControlRecord** theControl, Point thePt);
void UpdateControls(struct GrafPort* theWindow, struct Region** updateRgn);
void UpdtControl(struct GrafPort* theWindow, struct Region** updateRgn);

#ifdef __cplusplus
}
#endif

#endif
