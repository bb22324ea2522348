/* Dialogs.h: dialogs. */

#ifndef MAC_DIALOGS_H
#define MAC_DIALOGS_H

#include <Types.h>
#include <Windows.h>
#include <Controls.h>
#include <MixedMode.h>
#include <Events.h>
#include <TextEdit.h>

#include "records/Dialogs.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef WindowPtr DialogPtr;

enum { ok = 1, cancel = 2 };
enum
{
    userItem = 0, ctrlItem = 4, btnCtrl = 0, chkCtrl = 1, radCtrl = 2,
    statText = 8, editText = 16, itemDisable = 128
};

void InitDialogs(ProcPtr restart);
DialogPtr GetNewDialog(short id, void* storage, WindowPtr behind);
DialogPtr NewDialog(void* storage, const Rect* bounds, ConstStr255Param title,
                    Boolean visible, short procID, WindowPtr behind, Boolean goAway,
                    long refCon, Handle items);
void CloseDialog(DialogPtr dialog);
void DisposeDialog(DialogPtr dialog);
void ModalDialog(ProcPtr filter, short* item);
Boolean IsDialogEvent(const struct EventRecord* event);
void DrawDialog(DialogPtr dialog);
short Alert(short id, ProcPtr filter);
short StopAlert(short id, ProcPtr filter);
short NoteAlert(short id, ProcPtr filter);
short CautionAlert(short id, ProcPtr filter);
void ParamText(ConstStr255Param p0, ConstStr255Param p1, ConstStr255Param p2,
               ConstStr255Param p3);
void GetDialogItem(DialogPtr dialog, short item, short* type, Handle* handle, Rect* box);
void SetDialogItem(DialogPtr dialog, short item, short type, Handle handle, const Rect* box);
void GetDialogItemText(Handle item, unsigned char* text);
void SetDialogItemText(Handle item, ConstStr255Param text);
void SelectDialogItemText(DialogPtr dialog, short item, short first, short last);

/* their names before 1994 */

#define DisposDialog       DisposeDialog
#define GetDItem           GetDialogItem
#define SetDItem           SetDialogItem
#define GetIText           GetDialogItemText
#define SetIText           SetDialogItemText
#define SelIText           SelectDialogItemText

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Dialogs.h"
#include "routines/Dialogs.h"

#endif
