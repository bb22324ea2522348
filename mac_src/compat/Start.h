/* Start.h: the Start Manager. See Types.h for what these headers are. */

#ifndef COMPAT_START_H
#define COMPAT_START_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct SlotDev      { SignedByte sdExtDevID, sdPartition, sdSlotNum, sdSRsrcID; } SlotDev;
typedef struct SCSIDev      { SignedByte sdReserved1, sdReserved2; short sdRefNum; } SCSIDev;
typedef union DefStartRec   { SlotDev slotDev; SCSIDev scsiDev; } DefStartRec, *DefStartPtr;
typedef struct DefVideoRec  { SignedByte sdSlot, sdsResource; } DefVideoRec, *DefVideoPtr;
typedef struct DefOSRec     { SignedByte sdReserved, sdOSType; } DefOSRec, *DefOSPtr;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/Start.h"
#include "routines/Start.h"

#endif
