/* Routines of DiskInit.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <DiskInit.h>

#ifndef ROUTINES_DISKINIT_H
#define ROUTINES_DISKINIT_H

#ifdef __cplusplus
extern "C" {
#endif

short DIBadMount(Point where, long evtMessage);
OSErr DIFormat(short drvNum);
void DILoad(void);
void DIUnload(void);
OSErr DIVerify(short drvNum);
OSErr DIZero(short drvNum, ConstStr255Param volName);

#ifdef __cplusplus
}
#endif

#endif
