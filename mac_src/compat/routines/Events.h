/* Routines of Events.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_EVENTS_H
#define ROUTINES_EVENTS_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

unsigned long GetCaretTime(void);
unsigned long GetDblTime(void);
void GetKeys(void* theKeys);
short GetOSEvent(unsigned short mask, void* theEvent);
long KeyTrans(void* transData, unsigned short keycode, void* state);
long KeyTranslate(void* transData, unsigned short keycode, void* state);
short OSEventAvail(unsigned short mask, void* theEvent);
OSErr PostEvent(short eventNum, long eventMsg);
void SetEventMask(unsigned short value);

#ifdef __cplusplus
}
#endif

#endif
