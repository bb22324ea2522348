/* Routines of OSEvents.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <OSEvents.h>

#ifndef ABSENT_OSEVENTS_H
#define ABSENT_OSEVENTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PPostEvent(short what, long message, EvQElPtr *element);

#ifdef __cplusplus
}
#endif

#endif
