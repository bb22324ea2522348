/* Records of Menus.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_MENUS_H
#define RECORDS_MENUS_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct MenuInfo
{
    short menuID;
    short menuWidth;
    short menuHeight;
    Handle menuProc;
    long enableFlags;
    Str255 menuData;
} MenuInfo, *MenuPtr, **MenuHandle;

#pragma pack(pop)

#endif
