/* Routines of Retrace.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_RETRACE_H
#define ROUTINES_RETRACE_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct QElem;

OSErr AttachVBL(short theSlot);
OSErr SlotVInstall(struct QElem* vblBlockPtr, short theSlot);
OSErr SlotVRemove(struct QElem* vblBlockPtr, short theSlot);
OSErr VInstall(struct QElem* vblTaskPtr);
OSErr VRemove(struct QElem* vblTaskPtr);

#ifdef __cplusplus
}
#endif

#endif
