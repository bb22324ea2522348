/* Routines of Slots.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Slots.h>

#ifndef ROUTINES_SLOTS_H
#define ROUTINES_SLOTS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr SCkCardStat(void* spBlkPtr);
OSErr SFindDevBase(void* spBlkPtr);
OSErr SFindStruct(void* spBlkPtr);
OSErr SGetBlock(void* spBlkPtr);
OSErr SGetCString(void* spBlkPtr);
OSErr SGetSRsrc(void* spBlkPtr);
OSErr SGetTypeSRsrc(void* spBlkPtr);
OSErr SNextSRsrc(void* spBlkPtr);
OSErr SNextTypeSRsrc(void* spBlkPtr);
OSErr SPutPRAMRec(void* spBlkPtr);
OSErr SReadByte(void* spBlkPtr);
OSErr SReadDrvrName(void* spBlkPtr);
OSErr SReadFHeader(void* spBlkPtr);
OSErr SReadInfo(void* spBlkPtr);
OSErr SReadLong(void* spBlkPtr);
OSErr SReadPRAMRec(void* spBlkPtr);
OSErr SReadStruct(void* spBlkPtr);
OSErr SReadWord(void* spBlkPtr);
OSErr SRsrcInfo(void* spBlkPtr);

#ifdef __cplusplus
}
#endif

#endif
