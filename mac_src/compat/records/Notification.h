/* Records of Notification.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_NOTIFICATION_H
#define RECORDS_NOTIFICATION_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct NMRec
{
    struct QElem* qLink;
    short qType;
    short nmFlags;
    long nmPrivate;
    short nmReserved;
    short nmMark;
    Handle nmIcon;
    Handle nmSound;
    StringPtr nmStr;
    ProcPtr nmResp;
    long nmRefCon;
} NMRec;

#pragma pack(pop)

#endif
