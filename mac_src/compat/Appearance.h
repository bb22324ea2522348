/* Appearance.h: the Appearance Manager of Mac OS 8, which is not there; a call of it ends the run. */

#ifndef COMPAT_APPEARANCE_H
#define COMPAT_APPEARANCE_H

#include "Types.h"
#include "Controls.h"
#include "ControlDefinitions.h"
#include "Dialogs.h"
#include "Menus.h"
#include "Quickdraw.h"
#include "Windows.h"

typedef short ThemeBrush;
typedef short ThemeTextColor;
typedef UInt32 ThemeDrawState;
typedef UInt16 ThemeFontID;

enum { kThemeStateInactive = 0, kThemeStateActive = 1, kThemeStatePressed = 2,
       kThemeStateDisabled = 0 };

enum
{
    kThemeBrushDialogBackgroundActive = 1, kThemeBrushDialogBackgroundInactive = 2,
    kThemeBrushAlertBackgroundActive = 3, kThemeBrushAlertBackgroundInactive = 4,
    kThemeBrushModelessDialogBackgroundActive = 5,
    kThemeBrushModelessDialogBackgroundInactive = 6,
    kThemeBrushUtilityWindowBackgroundActive = 7,
    kThemeBrushUtilityWindowBackgroundInactive = 8
};

enum { kThemeSystemFont = 0, kThemeSmallSystemFont = 1, kThemeSmallEmphasizedSystemFont = 2,
       kThemeViewsFont = 3 };

typedef short AlertType;

enum { kAlertStopAlert = 0, kAlertNoteAlert = 1, kAlertCautionAlert = 2, kAlertPlainAlert = 3 };

enum { kAlertDefaultOKText = -1, kAlertDefaultCancelText = -1, kAlertDefaultOtherText = -1,
       kAlertStdAlertOKButton = 1, kAlertStdAlertCancelButton = 2, kAlertStdAlertOtherButton = 3,
       kAlertStdAlertHelpButton = 4 };

enum { kWindowDefaultPosition = 0x0000, kWindowCenterMainScreen = 0x280A,
       kWindowAlertPositionMainScreen = 0x300A, kWindowStaggerMainScreen = 0x380A,
       kWindowCenterParentWindow = 0xA80A, kWindowAlertPositionParentWindow = 0xB00A };

enum { kDialogFlagsUseThemeBackground = 1, kDialogFlagsUseControlHierarchy = 2,
       kDialogFlagsHandleMovableModal = 4, kDialogFlagsUseThemeControls = 8 };

#pragma pack(push, 2)

typedef struct AlertStdAlertParamRec
{
    Boolean movable;
    Boolean helpButton;
    ModalFilterUPP filterProc;
    StringPtr defaultText;
    StringPtr cancelText;
    StringPtr otherText;
    SInt16 defaultButton;
    SInt16 cancelButton;
    UInt16 position;
} AlertStdAlertParamRec, *AlertStdAlertParamPtr;

#pragma pack(pop)

#include "absent/Appearance.h"

#endif
