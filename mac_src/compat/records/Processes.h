/* Records of Processes.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_PROCESSES_H
#define RECORDS_PROCESSES_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct ProcessSerialNumber
{
    unsigned long highLongOfPSN;
    unsigned long lowLongOfPSN;
} ProcessSerialNumber;

typedef struct ProcessInfoRec
{
    unsigned long processInfoLength;
    StringPtr processName;
    ProcessSerialNumber processNumber;
    OSType processType;
    OSType processSignature;
    unsigned long processMode;
    Ptr processLocation;
    unsigned long processSize;
    unsigned long processFreeMem;
    ProcessSerialNumber processLauncher;
    unsigned long processLaunchDate;
    unsigned long processActiveTime;
    struct FSSpec* processAppSpec;
} ProcessInfoRec;

#pragma pack(pop)

#endif
