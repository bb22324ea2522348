/* Routines of Events.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Events.h>

#ifndef ROUTINES_EVENTS_H
#define ROUTINES_EVENTS_H

#ifdef __cplusplus
extern "C" {
#endif

Boolean Button(void);
Boolean EventAvail(unsigned short eventMask, EventRecord* theEvent);
void FlushEvents(unsigned short whichMask, unsigned short stopMask);
unsigned long GetCaretTime(void);
unsigned long GetDblTime(void);
QHdrPtr GetEvQHdr(void);
void GetKeys(void* theKeys);
void GetMouse(Point* mouseLoc);
Boolean GetNextEvent(unsigned short eventMask, EventRecord* theEvent);
Boolean GetOSEvent(unsigned short mask, EventRecord* theEvent);
long KeyTrans(const void* transData, unsigned short keycode, void* state);
long KeyTranslate(const void* transData, unsigned short keycode, void* state);
QHdrPtr LMGetEventQueue(void);
unsigned long LMGetTicks(void);
Boolean OSEventAvail(unsigned short mask, EventRecord* theEvent);
OSErr PostEvent(short eventNum, long eventMsg);
void SetEventMask(unsigned short value);
Boolean StillDown(void);
unsigned long TickCount(void);
Boolean WaitMouseUp(void);
Boolean WaitNextEvent(unsigned short eventMask, EventRecord* theEvent, unsigned long sleep, RgnHandle mouseRgn);

#ifdef __cplusplus
}
#endif

#endif
