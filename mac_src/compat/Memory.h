/* Memory.h: the Memory Manager. */

#ifndef MAC_MEMORY_H
#define MAC_MEMORY_H

#include <Types.h>
#include <Errors.h>
#include <MixedMode.h>

#include "records/Memory.h"

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef Zone        *THz;

enum { maxSize = 0x800000, defaultPhysicalEntryCount = 8 };
enum { kPageInMemory = 0, kPageOnDisk = 1, kNotPaged = 2 };

/* their names before 1994, and those that the routines had in MultiFinder */

#define DisposPtr          DisposePtr
#define DisposHandle       DisposeHandle
#define ReallocHandle      ReallocateHandle
#define ResrvMem           ReserveMem
#define ApplicZone         ApplicationZone
#define MFMaxMem           TempMaxMem
#define MFFreeMem          TempFreeMem
#define MFTempNewHandle    TempNewHandle
#define MFTempHLock        TempHLock
#define MFTempHUnlock      TempHUnlock
#define MFTempDisposHandle TempDisposeHandle
#define MFTopMem           TempTopMem

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Memory.h"
#include "routines/Memory.h"

#endif
