/* Routines of SCSI.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <SCSI.h>

#ifndef ROUTINES_SCSI_H
#define ROUTINES_SCSI_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr SCSICmd(void* buffer, short count);
OSErr SCSIComplete(short* stat, short* message, long wait);
OSErr SCSIGet(void);
OSErr SCSIRBlind(void* tibPtr);
OSErr SCSIRead(void* tibPtr);
OSErr SCSIReset(void);
OSErr SCSISelAtn(short targetID);
OSErr SCSISelect(short targetID);
short SCSIStat(void);
OSErr SCSIWBlind(void* tibPtr);
OSErr SCSIWrite(void* tibPtr);

#ifdef __cplusplus
}
#endif

#endif
