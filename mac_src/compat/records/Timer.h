/* Records of Timer.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_TIMER_H
#define RECORDS_TIMER_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct TMTask
{
    struct QElem* qLink;
    short qType;
    ProcPtr tmAddr;
    long tmCount;
    long tmWakeUp;
    long tmReserved;
} TMTask;

#pragma pack(pop)

#endif
