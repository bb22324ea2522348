/* Routines of EPPC.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <EPPC.h>

#ifndef ABSENT_EPPC_H
#define ABSENT_EPPC_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PostHighLevelEvent(const EventRecord *event, void *receiver, long refcon, void *message, unsigned long length, unsigned long options);

#ifdef __cplusplus
}
#endif

#endif
