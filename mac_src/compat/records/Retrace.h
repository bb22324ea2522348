/* Records of Retrace.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_RETRACE_H
#define RECORDS_RETRACE_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct VBLTask
{
    struct QElem* qLink;
    short qType;
    ProcPtr vblAddr;
    short vblCount;
    short vblPhase;
} VBLTask;

#pragma pack(pop)

#endif
