/* ControlDefinitions.h: the controls of Mac OS 8, which are not there; their numbers are declared. */

#ifndef COMPAT_CONTROLDEFINITIONS_H
#define COMPAT_CONTROLDEFINITIONS_H

#include "Types.h"
#include "Controls.h"
#include "Icons.h"
#include "Lists.h"
#include "Menus.h"
#include "TextEdit.h"

enum
{
    kControlButtonPart = 10, kControlCheckBoxPart = 11, kControlRadioButtonPart = 11,
    kControlUpButtonPart = 20, kControlDownButtonPart = 21, kControlPageUpPart = 22,
    kControlPageDownPart = 23, kControlIndicatorPart = 129, kControlLabelPart = 1,
    kControlMenuPart = 2, kControlTrianglePart = 4, kControlEditTextPart = 5,
    kControlPicturePart = 6, kControlIconPart = 7, kControlClockPart = 8, kControlListBoxPart = 24,
    kControlListBoxDoubleClickPart = 25
};

enum
{
    kControlPushButtonProc = 368, kControlCheckBoxProc = 369, kControlRadioButtonProc = 370,
    kControlPushButLeftIconProc = 374, kControlPushButRightIconProc = 375,
    kControlScrollBarProc = 384, kControlScrollBarLiveProc = 386, kControlPopupButtonProc = 400,
    kControlSliderProc = 48, kControlProgressBarProc = 80, kControlLittleArrowsProc = 96,
    kControlBevelButtonSmallBevelProc = 32, kControlTriangleProc = 64,
    kControlTabLargeProc = 128, kControlTabSmallProc = 129, kControlSeparatorLineProc = 144,
    kControlGroupBoxTextTitleProc = 160, kControlImageWellProc = 176, kControlClockTimeProc = 240,
    kControlUserPaneProc = 256, kControlEditTextProc = 272, kControlStaticTextProc = 288,
    kControlPictureProc = 304, kControlIconProc = 320, kControlWindowHeaderProc = 336,
    kControlListBoxProc = 352
};

enum { kControlCheckBoxUncheckedValue = 0, kControlCheckBoxCheckedValue = 1,
       kControlCheckBoxMixedValue = 2, kControlRadioButtonUncheckedValue = 0,
       kControlRadioButtonCheckedValue = 1, kControlRadioButtonMixedValue = 2 };

#endif
