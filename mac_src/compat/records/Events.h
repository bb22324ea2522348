/* Records of Events.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_EVENTS_H
#define RECORDS_EVENTS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct EventRecord
{
    short what;
    long message;
    long when;
    Point where;
    short modifiers;
} EventRecord;

#pragma pack(pop)

#endif
