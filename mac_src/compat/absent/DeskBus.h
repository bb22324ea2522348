/* Routines of DeskBus.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <DeskBus.h>

#ifndef ABSENT_DESKBUS_H
#define ABSENT_DESKBUS_H

#ifdef __cplusplus
extern "C" {
#endif

void ADBReInit(void);
OSErr ADBOp(Ptr data, ProcPtr completion, Ptr buffer, short command);
OSErr SetADBInfo(ADBSetInfoBlock *info, ADBAddress address);

#ifdef __cplusplus
}
#endif

#endif
