/* Routines of Memory.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_MEMORY_H
#define ROUTINES_MEMORY_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct Zone;

struct Zone* ApplicationZone(void);
void BlockMoveUncached(void* sourcePtr, void* destPtr, Size byteCount);
void BlockZero(void* destPtr, Size byteCount);
void BlockZeroUncached(void* destPtr, Size byteCount);
Size CompactMemSys(Size cbNeeded);
void EmptyHandle(Handle h);
long FreeMemSys(void);
Ptr GetApplLimit(void);
struct Zone* GetZone(void);
void HClrRBit(Handle h);
void HLockHi(Handle h);
void HNoPurge(Handle h);
void HPurge(Handle h);
void HSetRBit(Handle h);
struct Zone* HandleZone(Handle h);
void InitZone(ProcPtr pGrowZone, short cMoreMasters, void* limitPtr, void* startPtr);
long MaxBlockSys(void);
Size MaxMem(Size* grow);
Handle NewEmptyHandle(void);
Handle NewEmptyHandleSys(void);
Handle NewHandleSys(Size logicalSize);
Handle NewHandleSysClear(Size logicalSize);
Ptr NewPtrSys(Size logicalSize);
Ptr NewPtrSysClear(Size logicalSize);
OSErr PtrToXHand(void* srcPtr, Handle dstHndl, long size);
struct Zone* PtrZone(void* p);
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
void SetZone(struct Zone* hz);
long StackSpace(void);
struct Zone* SystemZone(void);
void TempDisposeHandle(Handle h, OSErr* resultCode);
long TempFreeMem(void);
void TempHLock(Handle h, OSErr* resultCode);
void TempHUnlock(Handle h, OSErr* resultCode);
Size TempMaxMem(Size* grow);
Handle TempNewHandle(Size logicalSize, OSErr* resultCode);
Ptr TempTopMem(void);
Ptr TopMem(void);

#ifdef __cplusplus
}
#endif

#endif
