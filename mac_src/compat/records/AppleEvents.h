/* Records of AppleEvents.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_APPLEEVENTS_H
#define RECORDS_APPLEEVENTS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct AEDesc
{
    OSType descriptorType;
    Handle dataHandle;
} AEDesc;

#pragma pack(pop)

#endif
