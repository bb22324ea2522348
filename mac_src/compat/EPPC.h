/* EPPC.h: high-level events. See Types.h for what these headers are. */

#ifndef COMPAT_EPPC_H
#define COMPAT_EPPC_H

#include <Types.h>
#include <OSUtils.h>
#include <Memory.h>
#include <PPCToolBox.h>
#include <Processes.h>
#include <Events.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { HighLevelEventMsgClass = 'jaym', rtrnReceiptMsgID = 'rtrn' };
enum { receiverIDMask = 0xF000, receiverIDisPSN = 0x8000, receiverIDisSignature = 0x7000,
       receiverIDisSessionID = 0x6000, receiverIDisTargetID = 0x5000, systemOptionsMask = 0xF00,
       nReturnReceipt = 0x200, priorityMask = 0xFF, nAttnMsg = 1,
       msgWasPartiallyAccepted = 2, msgWasFullyAccepted = 1, msgWasNotAccepted = 0 };

typedef struct TargetID
{
    long sessionID;
    PPCPortRec name;
    LocationNameRec location;
    PPCPortRec recvrName;
} TargetID, *TargetIDPtr, **TargetIDHdl, **TargetIDHandle;
typedef TargetID SenderID, *SenderIDPtr;

typedef struct HighLevelEventMsg
{
    short HighLevelEventMsgHeaderLength, version;
    long reserved1;
    EventRecord theMsgEvent;
    unsigned long userRefcon, postingOptions, msgLength;
} HighLevelEventMsg, *HighLevelEventMsgPtr, **HighLevelEventMsgHdl;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/EPPC.h"


#endif
