/* Records of Dialogs.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_DIALOGS_H
#define RECORDS_DIALOGS_H

#include <Types.h>
#include <Windows.h>

#pragma pack(push, 2)

typedef struct DialogRecord
{
    WindowRecord window;
    Handle items;
    struct TERec** textH;
    short editField;
    short editOpen;
    short aDefItem;
} DialogRecord, *DialogPeek;

#pragma pack(pop)

#endif
