/* Records of Memory.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_MEMORY_H
#define RECORDS_MEMORY_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct Zone
{
    Ptr bkLim;
    Ptr purgePtr;
    Ptr hFstFree;
    long zcbFree;
    ProcPtr gzProc;
    short moreMast;
    short flags;
    short cntRel;
    short maxRel;
    short cntNRel;
    short maxNRel;
    short cntEmpty;
    short cntHandles;
    long minCBFree;
    ProcPtr purgeProc;
    Ptr sparePtr;
    Ptr allocPtr;
    short heapData[1];
} Zone, *THz;

#pragma pack(pop)

#endif
