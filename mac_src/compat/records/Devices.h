/* Records of Devices.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_DEVICES_H
#define RECORDS_DEVICES_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)

typedef struct DCtlEntry
{
    Ptr dCtlDriver;
    short dCtlFlags;
    QHdr dCtlQHdr;
    long dCtlPosition;
    Handle dCtlStorage;
    short dCtlRefNum;
    long dCtlCurTicks;
    struct GrafPort* dCtlWindow;
    short dCtlDelay;
    short dCtlEMask;
    short dCtlMenu;
} DCtlEntry;

#pragma pack(pop)

#endif
