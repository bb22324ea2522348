/* OSEvents.h: events of the Operating System. See Types.h for what these headers are. */

#ifndef COMPAT_OSEVENTS_H
#define COMPAT_OSEVENTS_H

#include <Types.h>
#include <Events.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct EvQEl
{
    QElemPtr qLink;
    short qType, evtQWhat;
    long evtQMessage, evtQWhen;
    Point evtQWhere;
    short evtQModifiers;
} EvQEl, *EvQElPtr;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/OSEvents.h"

#endif
