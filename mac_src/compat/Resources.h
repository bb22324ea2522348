/* Resources.h: the Resource Manager. See Types.h for what these headers are. */

#ifndef COMPAT_RESOURCES_H
#define COMPAT_RESOURCES_H

#include <Types.h>
#include <Files.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { resSysHeap = 64, resPurgeable = 32, resLocked = 16, resProtected = 8, resPreload = 4,
       resChanged = 2, resSysRefBit = 7, resSysHeapBit = 6, resPurgeableBit = 5, resLockedBit = 4,
       resProtectedBit = 3, resPreloadBit = 2, resChangedBit = 1, mapReadOnly = 128,
       mapCompact = 64, mapChanged = 32, mapReadOnlyBit = 7, mapCompactBit = 6, mapChangedBit = 5,
       kResFileNotOpened = -1, kSystemResFile = 0, kRsrcChainBelowSystemMap = 0,
       kRsrcChainBelowApplicationMap = 1, kRsrcChainAboveApplicationMap = 2 };

#include "callbacks/Resources.h"


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Resources.h"

#endif
