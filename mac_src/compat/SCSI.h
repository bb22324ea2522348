/* SCSI.h: the SCSI Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SCSI_H
#define COMPAT_SCSI_H

#include <Types.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { scInc = 1, scNoInc, scAdd, scMove, scLoop, scNop, scStop, scComp };
enum { sbSIGWord = 0x4552, sbMac = 1, pMapSIG = 0x504D, pdSigWord = 0x5453, oldPMSigWord = 0x5453,
       newPMSigWord = 0x504D };

typedef struct SCSIInstr { unsigned short scOpcode; long scParam1, scParam2; } SCSIInstr;
typedef struct Partition
{
    unsigned short pmSig, pmSigPad;
    unsigned long pmMapBlkCnt, pmPyPartStart, pmPartBlkCnt;
    unsigned char pmPartName[32], pmParType[32];
    unsigned long pmLgDataStart, pmDataCnt, pmPartStatus, pmLgBootStart, pmBootSize, pmBootAddr,
                  pmBootAddr2, pmBootEntry, pmBootEntry2, pmBootCksum;
    unsigned char pmProcessor[16];
    unsigned short pmPad[188];
} Partition;
typedef struct Block0
{
    unsigned short sbSig, sbBlkSize;
    unsigned long sbBlkCount;
    unsigned short sbDevType, sbDevId;
    unsigned long sbData;
    unsigned short sbDrvrCount;
    unsigned long ddBlock;
    unsigned short ddSize, ddType, ddPad[243];
} Block0;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/SCSI.h"

#endif
