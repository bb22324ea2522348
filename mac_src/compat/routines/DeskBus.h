/* Routines of DeskBus.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <DeskBus.h>

#ifndef ROUTINES_DESKBUS_H
#define ROUTINES_DESKBUS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr ADBOp(void* data, ProcPtr compRout, void* buffer, short commandNum);
void ADBReInit(void);
short CountADBs(void);
OSErr GetADBInfo(ADBDataBlock* info, short ADBAddr);
short GetIndADB(ADBDataBlock* info, short index);
OSErr IPCListPortsAsync(void* paramBlock);
OSErr IPCListPortsSync(void* paramBlock);
OSErr PPCAcceptAsync(void* paramBlock);
OSErr PPCAcceptSync(void* paramBlock);
OSErr PPCCloseAsync(void* paramBlock);
OSErr PPCCloseSync(void* paramBlock);
OSErr PPCEndAsync(void* paramBlock);
OSErr PPCEndSync(void* paramBlock);
OSErr PPCInformAsync(void* paramBlock);
OSErr PPCInformSync(void* paramBlock);
OSErr PPCInit(void);
OSErr PPCOpenAsync(void* paramBlock);
OSErr PPCOpenSync(void* paramBlock);
OSErr PPCReadAsync(void* paramBlock);
OSErr PPCReadSync(void* paramBlock);
OSErr PPCRejectAsync(void* paramBlock);
OSErr PPCRejectSync(void* paramBlock);
OSErr PPCStartAsync(void* paramBlock);
OSErr PPCStartSync(void* paramBlock);
OSErr PPCWriteAsync(void* paramBlock);
OSErr PPCWriteSync(void* paramBlock);
OSErr SetADBInfo(ADBSetInfoBlock* info, short ADBAddr);

#ifdef __cplusplus
}
#endif

#endif
