/* Dialogs.h: dialogs and alerts. See Types.h for what these headers are. */

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

typedef WindowPtr DialogPtr;
typedef DialogPtr DialogRef;

#ifdef MACPROOF_OLD_GLOBALS
enum { OK = 1, Cancel = 2 };     /* of THINK C */
#endif
enum { ok = 1, cancel = 2, kOkItemIndex = 1, kCancelItemIndex = 2 };
enum { kStdOkItemIndex = 1, kStdCancelItemIndex = 2 };
enum { stopIcon = 0, noteIcon = 1, cautionIcon = 2 };
enum { kStopIcon = 0, kNoteIcon = 1, kCautionIcon = 2 };

enum
{
    userItem = 0, ctrlItem = 4, btnCtrl = 0, chkCtrl = 1, radCtrl = 2, resCtrl = 3,
    statText = 8, editText = 16, iconItem = 32, picItem = 64, itemDisable = 128, helpItem = 1,
    kButtonDialogItem = ctrlItem + btnCtrl, kCheckBoxDialogItem = ctrlItem + chkCtrl,
    kRadioButtonDialogItem = ctrlItem + radCtrl, kResourceControlDialogItem = ctrlItem + resCtrl,
    kStaticTextDialogItem = statText, kEditTextDialogItem = editText,
    kIconDialogItem = iconItem, kPictureDialogItem = picItem, kUserDialogItem = userItem,
    kItemDisableBit = itemDisable
};

enum { overlayDITL = 0, appendDITLRight = 1, appendDITLBottom = 2 };
typedef short DITLMethod;

enum { volBits = 3, alBit = 4, OKDismissal = 8 };

typedef struct DialogTemplate
{
    Rect boundsRect;
    short procID;
    Boolean visible;
    Boolean filler1;
    Boolean goAwayFlag;
    Boolean filler2;
    long refCon;
    short itemsID;
    Str255 title;
} DialogTemplate, *DialogTPtr, **DialogTHndl;

typedef short StageList;

typedef struct AlertTemplate
{
    Rect boundsRect;
    short itemsID;
    StageList stages;
} AlertTemplate, *AlertTPtr, **AlertTHndl;

#pragma pack(pop)

#include "callbacks/Dialogs.h"
#include "routines/Dialogs.h"

/* glue of the libraries of the time under shorter names */

#define DlgCut          DialogCut
#define DlgCopy         DialogCopy
#define DlgPaste        DialogPaste
#define DlgDelete       DialogDelete

#endif
