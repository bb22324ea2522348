/* Routines of Displays.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Displays.h>

#ifndef ABSENT_DISPLAYS_H
#define ABSENT_DISPLAYS_H

#ifdef __cplusplus
extern "C" {
#endif

GDHandle DMGetFirstScreenDevice(Boolean active);
GDHandle DMGetNextScreenDevice(GDHandle device, Boolean active);
OSErr DMGetDisplayIDByGDevice(GDHandle device, DisplayIDType *display, Boolean failToMain);
OSErr DMGetGDeviceByDisplayID(DisplayIDType display, GDHandle *device, Boolean failToMain);
OSErr DMSetMainDisplay(GDHandle device, Handle state);
OSErr DMSetDisplayMode(GDHandle device, unsigned long mode, unsigned long *depth, unsigned long reserve, Handle state);
OSErr DMCheckDisplayMode(GDHandle device, unsigned long mode, unsigned long depth, unsigned long *flags, unsigned long reserve, Boolean *supported);
OSErr DMMoveDisplay(GDHandle device, short x, short y, Handle state);
OSErr DMEnableDisplay(GDHandle device, Handle state);
OSErr DMDisableDisplay(GDHandle device, Handle state);
OSErr DMBeginConfigureDisplays(Handle *state);
OSErr DMEndConfigureDisplays(Handle state);
OSErr DMSaveScreenPrefs(unsigned long first, unsigned long second, unsigned long third);
OSErr DMRegisterNotifyProc(ProcPtr procedure, ProcessSerialNumberPtr process);
OSErr DMRemoveNotifyProc(ProcPtr procedure, ProcessSerialNumberPtr process);
OSErr DMCanMirrorNow(Boolean *can);
OSErr DMIsMirroringOn(Boolean *on);
OSErr DMMirrorDevices(GDHandle first, GDHandle second, Handle state);
OSErr DMUnmirrorDevice(GDHandle device, Handle state);
OSErr DMGetDisplayMode(GDHandle device, void *mode);
OSErr DMGetNameByAVID(unsigned long display, unsigned long flags, Str255 name);

#ifdef __cplusplus
}
#endif

#endif
