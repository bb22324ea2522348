/* Routines of Slots.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Slots.h>

#ifndef ROUTINES_SLOTS_H
#define ROUTINES_SLOTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr InsertSRTRec(void* spBlkPtr);
OSErr SCalcSPointer(void* spBlkPtr);
OSErr SCalcStep(void* spBlkPtr);
OSErr SCardChanged(void* spBlkPtr);
OSErr SCkCardStat(void* spBlkPtr);
OSErr SFindBigDevBase(void* spBlkPtr);
OSErr SFindDevBase(void* spBlkPtr);
OSErr SFindSInfoRecPtr(void* spBlkPtr);
OSErr SFindSRsrcPtr(void* spBlkPtr);
OSErr SFindStruct(void* spBlkPtr);
OSErr SGetBlock(void* spBlkPtr);
OSErr SGetCString(void* spBlkPtr);
OSErr SGetDriver(void* spBlkPtr);
OSErr SGetSRsrc(void* spBlkPtr);
OSErr SGetSRsrcPtr(void* spBlkPtr);
OSErr SGetTypeSRsrc(void* spBlkPtr);
OSErr SNextSRsrc(void* spBlkPtr);
OSErr SNextTypeSRsrc(void* spBlkPtr);
OSErr SOffsetData(void* spBlkPtr);
OSErr SPtrToSlot(void* spBlkPtr);
OSErr SPutPRAMRec(void* spBlkPtr);
OSErr SReadByte(void* spBlkPtr);
OSErr SReadDrvrName(void* spBlkPtr);
OSErr SReadFHeader(void* spBlkPtr);
OSErr SReadInfo(void* spBlkPtr);
OSErr SReadLong(void* spBlkPtr);
OSErr SReadPBSize(void* spBlkPtr);
OSErr SReadPRAMRec(void* spBlkPtr);
OSErr SReadStruct(void* spBlkPtr);
OSErr SReadWord(void* spBlkPtr);
OSErr SRsrcInfo(void* spBlkPtr);
OSErr SSearchSRT(void* spBlkPtr);
OSErr SVersion(void* spBlkPtr);
OSErr SetSRsrcState(void* spBlkPtr);

#ifdef __cplusplus
}
#endif

#endif
