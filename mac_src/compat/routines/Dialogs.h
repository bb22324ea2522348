/* Routines of Dialogs.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_DIALOGS_H
#define ROUTINES_DIALOGS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct EventRecord;
struct GrafPort;
struct Region;

void AppendDITL(struct GrafPort* theDialog, Handle theHandle, short method);
long CommToolboxDispatch(void* block);
void CouldAlert(short alertID);
void CouldDialog(short dialogID);
short CountDITL(struct GrafPort* theDialog);
void DialogCopy(struct GrafPort* theDialog);
void DialogCut(struct GrafPort* theDialog);
void DialogDelete(struct GrafPort* theDialog);
void DialogPaste(struct GrafPort* theDialog);
Boolean DialogSelect(struct EventRecord* theEvent, struct GrafPort** theDialog, short* itemHit);
void ErrorSound(ProcPtr soundProc);
short FindDItem(struct GrafPort* theDialog, Point thePt);
short FindDialogItem(struct GrafPort* theDialog, Point thePt);
void FreeAlert(short alertID);
void FreeDialog(short dialogID);
short GetAlertStage(void);
OSErr GetStdFilterProc(ProcPtr* theProc);
void HideDItem(struct GrafPort* theDialog, short itemNo);
void HideDialogItem(struct GrafPort* theDialog, short itemNo);
struct GrafPort* NewCDialog(void* dStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, struct GrafPort* behind, Boolean goAwayFlag, long refCon, Handle items);
struct GrafPort* NewColorDialog(void* dStorage, const Rect* boundsRect, ConstStr255Param title, Boolean visible, short procID, struct GrafPort* behind, Boolean goAwayFlag, long refCon, Handle items);
void ResetAlertStage(void);
void ResetAlrtStage(void);
void SelectDialogItemTxt(struct GrafPort* theDialog, short itemNo, short strtSel, short endSel);
void SetDAFont(short fontNum);
OSErr SetDialogCancelItem(struct GrafPort* theDialog, short newItem);
OSErr SetDialogDefaultItem(struct GrafPort* theDialog, short newItem);
void SetDialogFont(short fontNum);
OSErr SetDialogTracksCursor(struct GrafPort* theDialog, Boolean tracks);
void ShortenDITL(struct GrafPort* theDialog, short numberItems);
void ShowDItem(struct GrafPort* theDialog, short itemNo);
void ShowDialogItem(struct GrafPort* theDialog, short itemNo);
Boolean StdFilterProc(struct GrafPort* theDialog, struct EventRecord* theEvent, short* itemHit);
void UpdateDialog(struct GrafPort* theDialog, struct Region** updateRgn);
void UpdtDialog(struct GrafPort* theDialog, struct Region** updateRgn);

#ifdef __cplusplus
}
#endif

#endif
