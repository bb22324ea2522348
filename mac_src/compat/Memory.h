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

Ptr NewPtr(Size size);
Ptr NewPtrClear(Size size);
void DisposePtr(Ptr p);
Size GetPtrSize(Ptr p);
void SetPtrSize(Ptr p, Size size);
Handle NewHandle(Size size);
Handle NewHandleClear(Size size);
void DisposeHandle(Handle h);
Size GetHandleSize(Handle h);
void SetHandleSize(Handle h, Size size);
void HLock(Handle h);
void HUnlock(Handle h);
SignedByte HGetState(Handle h);
void HSetState(Handle h, SignedByte state);
void MoveHHi(Handle h);
void BlockMove(const void* from, void* to, Size count);
void BlockMoveData(const void* from, void* to, Size count);
long FreeMem(void);
long MaxBlock(void);
long CompactMem(Size needed);
void MaxApplZone(void);
void MoreMasters(void);
OSErr MemError(void);
OSErr PtrToHand(const void* from, Handle* to, Size size);
OSErr HandToHand(Handle* h);
OSErr HandAndHand(Handle from, Handle to);
OSErr PtrAndHand(const void* from, Handle to, Size size);

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
