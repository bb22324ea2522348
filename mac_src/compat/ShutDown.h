/* ShutDown.h: the Shutdown Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SHUTDOWN_H
#define COMPAT_SHUTDOWN_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { sdOnPowerOff = 1, sdOnRestart = 2, sdOnUnmount = 4, sdOnDrivers = 8,
       sdRestartOrPower = 3 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/ShutDown.h"
#include "absent/ShutDown.h"

#endif
