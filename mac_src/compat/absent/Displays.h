/* Routines of Displays.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Displays.h>

#ifndef ABSENT_DISPLAYS_H
#define ABSENT_DISPLAYS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr DMMoveDisplay(GDHandle device, short x, short y, Handle state);
OSErr DMDisableDisplay(GDHandle device, Handle state);
OSErr DMSaveScreenPrefs(unsigned long first, unsigned long second, unsigned long third);
OSErr DMMirrorDevices(GDHandle first, GDHandle second, Handle state);
OSErr DMUnmirrorDevice(GDHandle device, Handle state);
OSErr DMGetNameByAVID(unsigned long display, unsigned long flags, Str255 name);

#ifdef __cplusplus
}
#endif

#endif
