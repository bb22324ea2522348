/* Routines of Memory.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Memory.h>

#ifndef ROUTINES_MEMORY_H
#define ROUTINES_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

THz ApplicationZone(void);
void BlockMove(const void* sourcePtr, void* destPtr, Size byteCount);
void BlockMoveData(const void* sourcePtr, void* destPtr, Size byteCount);
void BlockMoveUncached(const void* sourcePtr, void* destPtr, Size byteCount);
void BlockZero(void* destPtr, Size byteCount);
void BlockZeroUncached(void* destPtr, Size byteCount);
Size CompactMem(Size cbNeeded);
Size CompactMemSys(Size cbNeeded);
OSErr DeferUserFn(ProcPtr userFunction, long argument);
void DisposeHandle(Handle h);
void DisposePtr(void* p);
void EmptyHandle(Handle h);
long FreeMem(void);
long FreeMemSys(void);
Handle GZSaveHnd(void);
Ptr GetApplLimit(void);
Size GetHandleSize(Handle h);
Size GetPtrSize(void* p);
THz GetZone(void);
void HClrRBit(Handle h);
SignedByte HGetState(Handle h);
void HLock(Handle h);
void HLockHi(Handle h);
void HNoPurge(Handle h);
void HPurge(Handle h);
void HSetRBit(Handle h);
void HSetState(Handle h, SignedByte flags);
void HUnlock(Handle h);
OSErr HandAndHand(Handle hand1, Handle hand2);
OSErr HandToHand(Handle* theHndl);
THz HandleZone(Handle h);
OSErr HoldMemory(void* address, long count);
void InitZone(ProcPtr pGrowZone, short cMoreMasters, void* limitPtr, void* startPtr);
Size InlineGetHandleSize(Handle h);
OSErr LockMemory(void* address, long count);
OSErr LockMemoryContiguous(void* address, long count);
void MaxApplZone(void);
long MaxBlock(void);
long MaxBlockSys(void);
Size MaxMem(Size* grow);
OSErr MemError(void);
void MoreMasters(void);
void MoveHHi(Handle h);
Handle NewEmptyHandle(void);
Handle NewEmptyHandleSys(void);
Handle NewHandle(Size logicalSize);
Handle NewHandleClear(Size logicalSize);
Handle NewHandleSys(Size logicalSize);
Handle NewHandleSysClear(Size logicalSize);
Ptr NewPtr(Size logicalSize);
Ptr NewPtrClear(Size logicalSize);
Ptr NewPtrSys(Size logicalSize);
Ptr NewPtrSysClear(Size logicalSize);
OSErr PtrAndHand(const void* ptr1, Handle hand2, long size);
OSErr PtrToHand(const void* srcPtr, Handle* dstHndl, long size);
OSErr PtrToXHand(const void* srcPtr, Handle dstHndl, long size);
THz PtrZone(void* p);
void PurgeMem(Size cbNeeded);
void PurgeMemSys(Size cbNeeded);
void PurgeSpace(long* total, long* contig);
void ReallocateHandle(Handle h, Size logicalSize);
Handle RecoverHandle(void* p);
Handle RecoverHandleSys(void* p);
void ReserveMem(Size cbNeeded);
void ReserveMemSys(Size cbNeeded);
void SetApplLimit(void* zoneLimit);
void SetGrowZone(ProcPtr growZone);
void SetHandleSize(Handle h, Size newSize);
void SetPtrSize(void* p, Size newSize);
void SetZone(THz hz);
long StackSpace(void);
THz SystemZone(void);
void TempDisposeHandle(Handle h, OSErr* resultCode);
long TempFreeMem(void);
void TempHLock(Handle h, OSErr* resultCode);
void TempHUnlock(Handle h, OSErr* resultCode);
Size TempMaxMem(Size* grow);
Handle TempNewHandle(Size logicalSize, OSErr* resultCode);
Ptr TempTopMem(void);
Ptr TopMem(void);
OSErr UnholdMemory(void* address, long count);
OSErr UnlockMemory(void* address, long count);

#ifdef __cplusplus
}
#endif

#endif
