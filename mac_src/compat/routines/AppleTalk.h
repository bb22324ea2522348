/* Routines of AppleTalk.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <AppleTalk.h>

#ifndef ROUTINES_APPLETALK_H
#define ROUTINES_APPLETALK_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr ATPLoad(void);
OSErr ATPUnload(void);
short BuildBDS(void* buffPtr, void* bdsPtr, short buffSize);
short GetBridgeAddress(void);
OSErr GetLocalZones(void* thePBptr, Boolean async);
OSErr GetMyZone(void* thePBptr, Boolean async);
OSErr GetNodeAddress(short* myNode, short* myNet);
OSErr GetZoneList(void* thePBptr, Boolean async);
Boolean IsATPOpen(void);
Boolean IsMPPOpen(void);
OSErr LAPAddATQ(void* theATQEntry);
OSErr LAPRmvATQ(void* theATQEntry);
OSErr MPPClose(void);
OSErr MPPOpen(void);
OSErr NBPExtract(void* theBuffer, short numInBuf, short whichOne, void* abEntity, void* address);
void NBPSetEntity(void* buffer, ConstStr255Param nbpObject, ConstStr255Param nbpType, ConstStr255Param nbpZone);
void NBPSetNTE(void* ntePtr, ConstStr255Param nbpObject, ConstStr255Param nbpType, ConstStr255Param nbpZone, short socket);
OSErr OpenXPP(short* xppRefnum);
OSErr PAddResponse(void* thePBptr, Boolean async);
OSErr PAttachPH(void* thePBptr, Boolean async);
OSErr PCloseATPSkt(void* thePBptr, Boolean async);
OSErr PCloseSkt(void* thePBptr, Boolean async);
OSErr PConfirmName(void* thePBptr, Boolean async);
OSErr PDetachPH(void* thePBptr, Boolean async);
OSErr PGetAppleTalkInfo(void* thePBptr, Boolean async);
OSErr PGetRequest(void* thePBptr, Boolean async);
OSErr PKillNBP(void* thePBptr, Boolean async);
OSErr PLookupName(void* thePBptr, Boolean async);
OSErr PNSendRequest(void* thePBptr, Boolean async);
OSErr POpenATPSkt(void* thePBptr, Boolean async);
OSErr POpenSkt(void* thePBptr, Boolean async);
OSErr PRegisterName(void* thePBptr, Boolean async);
OSErr PRelRspCB(void* thePBptr, Boolean async);
OSErr PRelTCB(void* thePBptr, Boolean async);
OSErr PRemoveName(void* thePBptr, Boolean async);
OSErr PSendRequest(void* thePBptr, Boolean async);
OSErr PSendResponse(void* thePBptr, Boolean async);
OSErr PSetSelfSend(void* thePBptr, Boolean async);
OSErr PWriteDDP(void* thePBptr, Boolean async);
OSErr PWriteLAP(void* thePBptr, Boolean async);

#ifdef __cplusplus
}
#endif

#endif
