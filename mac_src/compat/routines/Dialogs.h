/* Routines of Dialogs.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Dialogs.h>

#ifndef ROUTINES_DIALOGS_H
#define ROUTINES_DIALOGS_H

#ifdef __cplusplus
extern "C" {
#endif

short Alert(short alertID, ProcPtr filterProc);
void AppendDITL(DialogPtr theDialog, Handle theHandle, short method);
short CautionAlert(short alertID, ProcPtr filterProc);
void CloseDialog(DialogPtr theDialog);
void CouldAlert(short alertID);
void CouldDialog(short dialogID);
short CountDITL(DialogPtr theDialog);
void DialogCopy(DialogPtr theDialog);
void DialogCut(DialogPtr theDialog);
void DialogDelete(DialogPtr theDialog);
void DialogPaste(DialogPtr theDialog);
Boolean DialogSelect(EventRecord* theEvent, DialogPtr* theDialog, short* itemHit);
void DisposDialog(DialogPtr theDialog);
void DisposeDialog(DialogPtr theDialog);
void DrawDialog(DialogPtr theDialog);
void ErrorSound(ProcPtr soundProc);
short FindDItem(DialogPtr theDialog, Point thePt);
short FindDialogItem(DialogPtr theDialog, Point thePt);
void FreeAlert(short alertID);
void FreeDialog(short dialogID);
short GetAlertStage(void);
void GetDItem(DialogPtr theDialog, short itemNo, short* itemType, Handle* item, Rect* box);
void GetDialogItem(DialogPtr theDialog, short itemNo, short* itemType, Handle* item, Rect* box);
void GetDialogItemText(Handle item, unsigned char* text);
void GetIText(Handle item, unsigned char* text);
DialogPtr GetNewDialog(short dialogID, void* dStorage, WindowPtr behind);
OSErr GetStdFilterProc(ProcPtr* theProc);
void HideDItem(DialogPtr theDialog, short itemNo);
void HideDialogItem(DialogPtr theDialog, short itemNo);
void InitDialogs(ProcPtr resumeProc);
Boolean IsDialogEvent(EventRecord* theEvent);
void ModalDialog(ProcPtr filterProc, short* itemHit);
DialogPtr NewCDialog(void* dStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, WindowPtr behind, Boolean goAwayFlag, long refCon, Handle items);
DialogPtr NewColorDialog(void* dStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, WindowPtr behind, Boolean goAwayFlag, long refCon, Handle items);
DialogPtr NewDialog(void* dStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, WindowPtr behind, Boolean goAwayFlag, long refCon, Handle items);
short NoteAlert(short alertID, ProcPtr filterProc);
void ParamText(ConstStr255Param param0, ConstStr255Param param1, ConstStr255Param param2, ConstStr255Param param3);
void ResetAlertStage(void);
void ResetAlrtStage(void);
void SelIText(DialogPtr theDialog, short itemNo, short strtSel, short endSel);
void SelectDialogItemText(DialogPtr theDialog, short itemNo, short strtSel, short endSel);
void SelectDialogItemTxt(DialogPtr theDialog, short itemNo, short strtSel, short endSel);
void SetDAFont(short fontNum);
void SetDItem(DialogPtr theDialog, short itemNo, short itemType, Handle item, const Rect* box);
OSErr SetDialogCancelItem(DialogPtr theDialog, short newItem);
OSErr SetDialogDefaultItem(DialogPtr theDialog, short newItem);
void SetDialogFont(short fontNum);
void SetDialogItem(DialogPtr theDialog, short itemNo, short itemType, Handle item, const Rect* box);
void SetDialogItemText(Handle item, ConstStr255Param text);
OSErr SetDialogTracksCursor(DialogPtr theDialog, Boolean tracks);
void SetIText(Handle item, ConstStr255Param text);
void ShortenDITL(DialogPtr theDialog, short numberItems);
void ShowDItem(DialogPtr theDialog, short itemNo);
void ShowDialogItem(DialogPtr theDialog, short itemNo);
Boolean StdFilterProc(DialogPtr theDialog, EventRecord* theEvent, short* itemHit);
short StopAlert(short alertID, ProcPtr filterProc);
void UpdateDialog(DialogPtr theDialog, RgnHandle updateRgn);
void UpdtDialog(DialogPtr theDialog, RgnHandle updateRgn);

#ifdef __cplusplus
}
#endif

#endif
