/* EPPC.h: events between programs. See Types.h for what these headers are. */

#ifndef COMPAT_EPPC_H
#define COMPAT_EPPC_H

#include "Types.h"
#include "Events.h"
#include "Processes.h"

#pragma pack(push, 2)

enum
{
    receiverIDMask = 0x0000F000, receiverIDisPSN = 0x00008000, receiverIDisSignature = 0x00007000,
    receiverIDisSessionID = 0x00006000, receiverIDisTargetID = 0x00005000,
    systemOptionsMask = 0x00000F00, nReturnReceipt = 0x00000200,
    priorityMask = 0x000000FF, nAttnMsg = 0x00000001
};

enum { HighLevelEventMsgClass = 0x6A617963, rtrnReceiptMsgID = 0x72747263,
       msgWasPartiallyAccepted = 2, msgWasFullyAccepted = 1, msgWasNotAccepted = 0 };

#pragma pack(pop)

#endif
