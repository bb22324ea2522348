/* Notification.h: the Notification Manager. See Types.h for what these headers are. */

#ifndef COMPAT_NOTIFICATION_H
#define COMPAT_NOTIFICATION_H

#include <Types.h>
#include <OSUtils.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Notification.h"

typedef NMRec *NMRecPtr;

#include "callbacks/Notification.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Notification.h"

#endif
