/* Routines of Disks.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Disks.h>

#ifndef ABSENT_DISKS_H
#define ABSENT_DISKS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr DiskEject(short drive);
OSErr SetTagBuffer(void *buffer);
OSErr DriveStatus(short drive, DrvSts *status);

#ifdef __cplusplus
}
#endif

#endif
