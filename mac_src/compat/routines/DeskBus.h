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
OSErr SetADBInfo(ADBSetInfoBlock* info, short ADBAddr);

#ifdef __cplusplus
}
#endif

#endif
