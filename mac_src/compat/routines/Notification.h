/* Routines of Notification.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Notification.h>

#ifndef ROUTINES_NOTIFICATION_H
#define ROUTINES_NOTIFICATION_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr NMInstall(void* nmReqPtr);
OSErr NMRemove(void* nmReqPtr);

#ifdef __cplusplus
}
#endif

#endif
