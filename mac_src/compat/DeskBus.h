/* DeskBus.h: the Apple Desktop Bus. See Types.h for what these headers are. */

#ifndef COMPAT_DESKBUS_H
#define COMPAT_DESKBUS_H

#include <Types.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef SignedByte ADBAddress;
typedef struct ADBDataBlock { SignedByte devType, origADBAddr; ProcPtr dbServiceRtPtr; Ptr dbDataAreaAddr; } ADBDataBlock, *ADBDBlkPtr;
typedef struct ADBSetInfoBlock { ProcPtr siServiceRtPtr; Ptr siDataAreaAddr; } ADBSetInfoBlock, *ADBSInfoPtr;
typedef struct ADBOpBlock { Ptr dataBuffPtr; ProcPtr opServiceRtPtr; Ptr opDataAreaPtr; } ADBOpBlock, *ADBOpBPtr;

#include "callbacks/DeskBus.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/DeskBus.h"

#endif
