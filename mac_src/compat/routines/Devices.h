/* Routines of Devices.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_DEVICES_H
#define ROUTINES_DEVICES_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

OSErr CloseDriver(short refNum);
OSErr Control(short refNum, short csCode, void* csParamPtr);
OSErr DriverInstall(void* drvrHandle, short refNum);
OSErr DriverInstallImmed(void* drvrHandle, short refNum);
OSErr DriverInstallReserveMem(void* drvrHandle, short refNum);
OSErr DriverRemove(short refNum);
Handle GetDCtlEntry(short refNum);
OSErr OpenDriver(ConstStr255Param name, short* drvrRefNum);
OSErr PBControlImmed(void* paramBlock);
OSErr PBStatusImmed(void* paramBlock);
OSErr Status(short refNum, short csCode, void* csParamPtr);

#ifdef __cplusplus
}
#endif

#endif
