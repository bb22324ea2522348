/* Events.h: the mouse and the clock. See Types.h for what these headers are. */

#ifndef COMPAT_EVENTS_H
#define COMPAT_EVENTS_H

#include "Types.h"

#ifdef __cplusplus
extern "C" {
#endif

Boolean Button(void);
unsigned long TickCount(void);  /* sixtieths of a second since start-up */

#ifdef __cplusplus
}
#endif

#include <Quickdraw.h>

#include "records/Events.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum
{
    nullEvent = 0, mouseDown, mouseUp, keyDown, keyUp, autoKey, updateEvt,
    diskEvt, activateEvt,
    osEvt = 15
};

enum { mDownMask = 2, mUpMask = 4, keyDownMask = 8, updateMask = 64, everyEvent = -1 };
enum { charCodeMask = 0xff, keyCodeMask = 0xff00 };
enum { activeFlag = 1, cmdKey = 0x100, shiftKey = 0x200, alphaLock = 0x400, optionKey = 0x800 };

Boolean GetNextEvent(short mask, EventRecord* event);
Boolean EventAvail(short mask, EventRecord* event);
Boolean WaitNextEvent(short mask, EventRecord* event, unsigned long sleep,
                      struct Region** mouseRegion);
void FlushEvents(short which, short stop);
void SystemTask(void);
Boolean StillDown(void);
Boolean WaitMouseUp(void);
void GetMouse(Point* p);
void Delay(long ticks, unsigned long* finalTicks);

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Events.h"

#endif
