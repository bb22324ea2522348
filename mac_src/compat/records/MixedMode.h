/* Records of MixedMode.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_MIXEDMODE_H
#define RECORDS_MIXEDMODE_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct RoutineRecord
{
    unsigned long procInfo;
    Byte reserved1;
    Byte ISA;
    unsigned short routineFlags;
    ProcPtr procDescriptor;
    unsigned long reserved2;
    unsigned long selector;
} RoutineRecord;

typedef struct RoutineDescriptor
{
    unsigned short goMixedModeTrap;
    Byte version;
    Byte routineDescriptorFlags;
    unsigned long reserved1;
    Byte reserved2;
    Byte selectorInfo;
    short routineCount;
    RoutineRecord routineRecords;
} RoutineDescriptor;

#pragma pack(pop)

#endif
