/* Power.h: the Power Manager. See Types.h for what these headers are. */

#ifndef COMPAT_POWER_H
#define COMPAT_POWER_H

#include <Types.h>
#include <OSUtils.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { sleepRequest = 1, sleepDemand, sleepWakeUp, sleepRevoke, sleepUnlock = 4, sleepDeny, sleepNow,
       dozeDemand, dozeWakeUp, dozeRequest, noCalls = 1, noRequest = 2 };

typedef struct SleepQRec { struct SleepQRec* sleepQLink; short sleepQType; ProcPtr sleepQProc; short sleepQFlags; } SleepQRec, *SleepQRecPtr;
typedef struct BatteryInfo { unsigned char flags, warningLevel, reserved, batteryLevel; } BatteryInfo;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Power.h"

#endif
