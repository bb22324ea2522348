/* Routines of Power.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Power.h>

#ifndef ABSENT_POWER_H
#define ABSENT_POWER_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr DisableWUTime(void);
OSErr SetWUTime(unsigned long time);
OSErr GetWUTime(unsigned long *time, SignedByte *flag);
OSErr BatteryStatus(SignedByte *status, SignedByte *power);
OSErr ModemStatus(SignedByte *status);
long IdleUpdate(void);
long GetCPUSpeed(void);
void EnableIdle(void);
void DisableIdle(void);
void SleepQInstall(SleepQRecPtr entry);
void SleepQRemove(SleepQRecPtr entry);
void AOn(void);
void AOnIgnoreModem(void);
void BOn(void);
void AOff(void);
void BOff(void);
short PMSelectorCount(void);
unsigned long PMFeatures(void);
unsigned char GetSleepTimeout(void);
void SetSleepTimeout(unsigned char timeout);
short BatteryCount(void);
Boolean IsProcessorCyclingEnabled(void);

#ifdef __cplusplus
}
#endif

#endif
