/* Routines of Notification.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_NOTIFICATION_H
#define ROUTINES_NOTIFICATION_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct QElem;

OSErr NMInstall(struct QElem* nmReqPtr);
OSErr NMRemove(struct QElem* nmReqPtr);

#ifdef __cplusplus
}
#endif

#endif
