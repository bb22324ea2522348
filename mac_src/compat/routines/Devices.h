/* Routines of Devices.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Devices.h>

#ifndef ROUTINES_DEVICES_H
#define ROUTINES_DEVICES_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CloseDriver(short refNum);
OSErr Control(short refNum, short csCode, void* csParamPtr);
OSErr DriverInstall(void* drvrHandle, short refNum);
OSErr DriverInstallImmed(void* drvrHandle, short refNum);
OSErr DriverInstallReserveMem(void* drvrHandle, short refNum);
OSErr DriverRemove(short refNum);
OSErr DrvrInstall(void* drvrHandle, short refNum);
OSErr DrvrRemove(short refNum);
DCtlHandle GetDCtlEntry(short refNum);
OSErr KillIO(short refNum);
OSErr OpenDriver(ConstStr255Param name, short* drvrRefNum);
OSErr PBControl(void* paramBlock, Boolean async);
OSErr PBControlAsync(void* paramBlock);
OSErr PBControlImmed(void* paramBlock);
OSErr PBControlSync(void* paramBlock);
OSErr PBKillIO(void* paramBlock);
OSErr PBStatus(void* paramBlock, Boolean async);
OSErr PBStatusAsync(void* paramBlock);
OSErr PBStatusImmed(void* paramBlock);
OSErr PBStatusSync(void* paramBlock);
OSErr Status(short refNum, short csCode, void* csParamPtr);

#ifdef __cplusplus
}
#endif

#endif
