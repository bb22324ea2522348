/* Routines of Balloons.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Balloons.h>

#ifndef ROUTINES_BALLOONS_H
#define ROUTINES_BALLOONS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr HMExtractHelpMsg(ResType whichType, short whichResID, short whichMsg, short whichState, void* aHelpMsg);
Boolean HMGetBalloons(void);
OSErr HMGetDialogResID(short* resID);
OSErr HMGetHelpMenuHandle(MenuHandle* mh);
OSErr HMGetIndHelpMsg(ResType whichType, short whichResID, short whichMsg, short whichState, long* options, Point* tip, Rect* altRect, short* theProc, short* variant, void* helpMsg, short* count);
OSErr HMGetMenuResID(short menuID, short* resID);
Boolean HMIsBalloon(void);
OSErr HMRemoveBalloon(void);
OSErr HMScanTemplateItems(short whichID, short whichResFile, ResType whichType);
OSErr HMSetBalloons(Boolean flag);
OSErr HMSetDialogResID(short resID);
OSErr HMSetMenuResID(short menuID, short resID);
OSErr HMShowBalloon(void* aHelpMsg, Point tip, void* alternateRect, void* tipProc, short theProc, short variant, short method);
OSErr HMShowMenuBalloon(short itemNum, short itemMenuID, long itemFlags, long itemReserved, Point tip, void* alternateRect, void* tipProc, short theProc, short variant);

#ifdef __cplusplus
}
#endif

#endif
