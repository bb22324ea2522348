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

#endif
