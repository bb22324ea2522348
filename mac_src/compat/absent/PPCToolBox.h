/* Routines of PPCToolBox.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <PPCToolBox.h>

#ifndef ABSENT_PPCTOOLBOX_H
#define ABSENT_PPCTOOLBOX_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr PPCOpen(void *block, Boolean async);
OSErr PPCInform(void *block, Boolean async);
OSErr PPCStart(void *block, Boolean async);
OSErr PPCAccept(void *block, Boolean async);
OSErr PPCReject(void *block, Boolean async);
OSErr PPCWrite(void *block, Boolean async);
OSErr PPCRead(void *block, Boolean async);
OSErr PPCEnd(void *block, Boolean async);
OSErr PPCClose(void *block, Boolean async);
OSErr IPCListPorts(void *block, Boolean async);
OSErr DeleteUserIdentity(unsigned long user);
OSErr GetDefaultUser(unsigned long *user, Str32 name);

#ifdef __cplusplus
}
#endif

#endif
