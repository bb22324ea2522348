/* Routines of Power.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Power.h>

#ifndef ROUTINES_POWER_H
#define ROUTINES_POWER_H

#ifdef __cplusplus
extern "C" {
#endif

void AOff(void);
void AOn(void);
void AOnIgnoreModem(void);
void BOff(void);
void BOn(void);
short BatteryCount(void);
OSErr BatteryStatus(SignedByte* status, SignedByte* power);
void DisableIdle(void);
OSErr DisableWUTime(void);
void EnableIdle(void);
long GetCPUSpeed(void);
Byte GetSleepTimeout(void);
OSErr GetWUTime(unsigned long* time, SignedByte* flag);
long IdleUpdate(void);
Boolean IsProcessorCyclingEnabled(void);
OSErr ModemStatus(SignedByte* status);
unsigned long PMFeatures(void);
short PMSelectorCount(void);
void SetSleepTimeout(Byte timeout);
OSErr SetWUTime(unsigned long time);
void SleepQInstall(SleepQRecPtr qRecPtr);
void SleepQRemove(SleepQRecPtr qRecPtr);

#ifdef __cplusplus
}
#endif

#endif
