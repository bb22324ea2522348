/* Routines of AppleTalk.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <AppleTalk.h>

#ifndef ABSENT_APPLETALK_H
#define ABSENT_APPLETALK_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr MPPOpen(void);
OSErr MPPClose(void);
OSErr ATPLoad(void);
OSErr ATPUnload(void);
OSErr OpenXPP(short *driver);
Boolean IsMPPOpen(void);
Boolean IsATPOpen(void);
OSErr PRegisterName(void *block, Boolean async);
OSErr PRemoveName(void *block, Boolean async);
OSErr PLookupName(void *block, Boolean async);
OSErr PConfirmName(void *block, Boolean async);
OSErr PKillNBP(void *block, Boolean async);
OSErr PGetAppleTalkInfo(void *block, Boolean async);
OSErr PSetSelfSend(void *block, Boolean async);
OSErr POpenSkt(void *block, Boolean async);
OSErr PCloseSkt(void *block, Boolean async);
OSErr PWriteDDP(void *block, Boolean async);
OSErr POpenATPSkt(void *block, Boolean async);
OSErr PCloseATPSkt(void *block, Boolean async);
OSErr PSendRequest(void *block, Boolean async);
OSErr PNSendRequest(void *block, Boolean async);
OSErr PGetRequest(void *block, Boolean async);
OSErr PSendResponse(void *block, Boolean async);
OSErr PAddResponse(void *block, Boolean async);
OSErr PRelTCB(void *block, Boolean async);
OSErr PRelRspCB(void *block, Boolean async);
OSErr PAttachPH(void *block, Boolean async);
OSErr PDetachPH(void *block, Boolean async);
OSErr PWriteLAP(void *block, Boolean async);
OSErr GetZoneList(void *block, Boolean async);
OSErr GetLocalZones(void *block, Boolean async);
OSErr GetMyZone(void *block, Boolean async);
OSErr BuildBDS(void *buffer, void *list, short size);
void NBPSetEntity(void *buffer, ConstStr255Param object, ConstStr255Param type, ConstStr255Param zone);
void NBPSetNTE(void *entry, ConstStr255Param object, ConstStr255Param type, ConstStr255Param zone, short socket);
OSErr NBPExtract(void *buffer, short found, short which, EntityName *entity, AddrBlock *address);
OSErr GetNodeAddress(short *node, short *net);
OSErr LAPAddATQ(void *element);
OSErr LAPRmvATQ(void *element);

#ifdef __cplusplus
}
#endif

#endif
