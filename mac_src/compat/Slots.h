/* Slots.h: the Slot Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SLOTS_H
#define COMPAT_SLOTS_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SpBlock
{
    long spResult;
    Ptr spsPointer;
    long spSize, spOffsetData;
    Ptr spIOFileName, spsExecPBlk;
    long spParamData, spMisc, spReserved;
    short spIOReserved, spRefNum, spCategory, spCType, spDrvrSW, spDrvrHW;
    SignedByte spTBMask, spSlot, spID, spExtDev, spHwDev, spByteLanes, spFlags, spKey;
} SpBlock, *SpBlockPtr;

typedef struct SInfoRecord
{
    Ptr siDirPtr;
    short siInitStatusA, siInitStatusV;
    SignedByte siState, siCPUByteLanes, siTopOfROM, siStatusFlags;
    short siTOConst;
    SignedByte siReserved[2];
    Ptr siROMAddr;
    char siSlot, siPadding[3];
} SInfoRecord, *SInfoRecPtr;

typedef struct FHeaderRec
{
    long fhDirOffset, fhLength, fhCRC;
    SignedByte fhROMRev, fhFormat;
    long fhTstPat;
    SignedByte fhReserved, fhByteLanes;
} FHeaderRec, *FHeaderRecPtr;

typedef struct SlotIntQElement { Ptr sqLink; short sqType, sqPrio; ProcPtr sqAddr; long sqParm; } SlotIntQElement, *SQElemPtr;

enum { fCardIsChanged = 1, fCkForSame = 0, fCkForNext = 1, fWarmStart = 2, stateNil = 0,
       stateSDMInit, statePRAMInit, statePInit, stateSInit };
enum { foneslot = 0, fnext = 1 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Slots.h"

#endif
