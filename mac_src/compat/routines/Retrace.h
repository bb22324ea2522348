/* Routines of Retrace.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Retrace.h>

#ifndef ROUTINES_RETRACE_H
#define ROUTINES_RETRACE_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AttachVBL(short theSlot);
QHdrPtr GetVBLQHdr(void);
OSErr SlotVInstall(QElemPtr vblBlockPtr, short theSlot);
OSErr SlotVRemove(QElemPtr vblBlockPtr, short theSlot);
OSErr VInstall(QElemPtr vblTaskPtr);
OSErr VRemove(QElemPtr vblTaskPtr);

#ifdef __cplusplus
}
#endif

#endif
