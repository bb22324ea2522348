/* PPCToolBox.h: the Program-to-Program Communications Toolbox. See Types.h for what these headers are. */

#ifndef COMPAT_PPCTOOLBOX_H
#define COMPAT_PPCTOOLBOX_H

#include <Types.h>
#include <OSUtils.h>
#include <Memory.h>
#include <AppleTalk.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef short           PPCServiceType, PPCLocationKind, PPCPortKinds, PPCSessionOrigin, PPCPortRefNum;
typedef long            PPCSessRefNum;

enum { ppcServiceRealTime = 1, ppcNoLocation = 0, ppcNBPLocation = 1, ppcNBPTypeLocation = 2,
       ppcByCreatorAndType = 1, ppcByString = 2, ppcLocalOrigin = 1, ppcRemoteOrigin = 2 };

typedef struct PPCPortRec
{
    short nameScript;
    Str32 name;
    PPCPortKinds portKindSelector;
    union
    {
        Str32 portTypeStr;
        struct { OSType creator, type; } port;
    } u;
} PPCPortRec, *PPCPortPtr;

typedef struct LocationNameRec
{
    PPCLocationKind locationKindSelector;
    union { EntityName nbpEntity; Str32 nbpType; } u;
} LocationNameRec, *LocationNamePtr;

typedef struct PortInfoRec { SignedByte filler1; Boolean authRequired; PPCPortRec name; } PortInfoRec, *PortInfoPtr;
typedef PortInfoRec *PortInfoArrayPtr;

#include "callbacks/PPCToolBox.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/PPCToolBox.h"
#include "absent/PPCToolBox.h"

#endif
