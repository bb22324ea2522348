/* Routines of Displays.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Displays.h>

#ifndef ROUTINES_DISPLAYS_H
#define ROUTINES_DISPLAYS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr DMBeginConfigureDisplays(Handle* displayState);
OSErr DMCanMirrorNow(Boolean* canMirrorNow);
OSErr DMCheckDisplayMode(GDHandle theDevice, long mode, long depthMode, unsigned long* switchFlags, long reserved, Boolean* modeOk);
OSErr DMDisposeList(void* panelList);
OSErr DMEnableDisplay(GDHandle enableDevice, Handle displayState);
OSErr DMEndConfigureDisplays(Handle displayState);
OSErr DMGetDisplayIDByGDevice(GDHandle displayDevice, DisplayIDType* displayID, Boolean failToMain);
OSErr DMGetDisplayMode(GDHandle theDevice, void* switchInfo);
GDHandle DMGetFirstScreenDevice(Boolean activeOnly);
OSErr DMGetGDeviceByDisplayID(DisplayIDType displayID, GDHandle* displayDevice, Boolean failToMain);
OSErr DMGetIndexedDisplayModeFromList(void* panelList, long itemIndex, long reserved, ProcPtr listIterator, void* userData);
GDHandle DMGetNextScreenDevice(GDHandle theDevice, Boolean activeOnly);
OSErr DMIsMirroringOn(Boolean* isMirroringOn);
OSErr DMNewDisplayModeList(DisplayIDType displayID, long modeListFlags, long reserved, void* thePanelCount, void* thePanelList);
OSErr DMRegisterNotifyProc(ProcPtr notificationProc, ProcessSerialNumberPtr whichPSN);
OSErr DMRemoveNotifyProc(ProcPtr notificationProc, ProcessSerialNumberPtr whichPSN);
OSErr DMSetDisplayMode(GDHandle theDevice, long mode, unsigned long* depthMode, long reserved, Handle displayState);
OSErr DMSetMainDisplay(GDHandle newMainDevice, Handle displayState);

#ifdef __cplusplus
}
#endif

#endif
