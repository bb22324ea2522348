/* Aliases.h: the Alias Manager. See Types.h for what these headers are. */

#ifndef COMPAT_ALIASES_H
#define COMPAT_ALIASES_H

#include <Types.h>
#include <Memory.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { rAliasType = 'alis' };
enum { kARMMountVol = 1, kARMNoUI = 2, kARMMultVols = 8, kARMSearch = 0x100,
       kARMSearchMore = 0x200, kARMSearchRelFirst = 0x400 };
enum { asiZoneName = -3, asiServerName = -2, asiVolumeName = -1, asiAliasName = 0,
       asiParentName = 1 };
enum { kResolveAliasFileNoUI = 1 };

/* what lies behind these two is the Alias Manager's own */

typedef struct AliasRecord { OSType userType; unsigned short aliasSize; } AliasRecord;
typedef AliasRecord     *AliasPtr, **AliasHandle;
typedef short           AliasInfoType;

#include "callbacks/Aliases.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Aliases.h"

#endif
