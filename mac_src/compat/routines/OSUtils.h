/* Routines of OSUtils.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <OSUtils.h>

#ifndef ROUTINES_OSUTILS_H
#define ROUTINES_OSUTILS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr DTInstall(QElemPtr dtTaskPtr);
void Date2Secs(const DateTimeRec* d, unsigned long* secs);
void DateToSeconds(const DateTimeRec* d, unsigned long* secs);
void DebugStr(ConstStr255Param debuggerMsg);
void Debugger(void);
void Delay(long numTicks, unsigned long* finalTicks);
OSErr Dequeue(QElemPtr qElement, QHdrPtr qHeader);
void Enqueue(QElemPtr qElement, QHdrPtr qHeader);
void Environs(short* rom, short* machine);
void FlushCodeCache(void);
void FlushCodeCacheRange(void* address, long count);
void FlushDataCache(void);
void FlushInstructionCache(void);
void GetDateTime(unsigned long* secs);
SignedByte GetMMUMode(void);
ProcPtr GetOSTrapAddress(unsigned short trapNum);
void GetTime(DateTimeRec* d);
ProcPtr GetToolTrapAddress(unsigned short trapNum);
ProcPtr GetToolboxTrapAddress(unsigned short trapNum);
ProcPtr GetTrapAddress(unsigned short trapNum);
long HWPriv(long selector, long argument);
void MakeDataExecutable(void* baseAddress, long length);
ProcPtr NGetTrapAddress(unsigned short trapNum, SignedByte tTyp);
void NSetTrapAddress(ProcPtr trapAddr, unsigned short trapNum, SignedByte tTyp);
OSErr ReadDateTime(unsigned long* time);
void ReadLocation(void* loc);
void ReadXPRam(long which, void* buffer);
void Restart(void);
void SecondsToDate(long secs, DateTimeRec* d);
void Secs2Date(long secs, DateTimeRec* d);
long SetA5(long newA5);
long SetCurrentA5(void);
OSErr SetDateTime(long time);
void SetOSTrapAddress(ProcPtr trapAddr, unsigned short trapNum);
void SetTime(const DateTimeRec* d);
void SetToolTrapAddress(ProcPtr trapAddr, unsigned short trapNum);
void SetToolboxTrapAddress(ProcPtr trapAddr, unsigned short trapNum);
void SetTrapAddress(ProcPtr trapAddr, unsigned short trapNum);
void ShutDwnPower(void);
void ShutDwnStart(void);
Ptr StripAddress(void* theAddress);
void SwapMMUMode(SignedByte* mode);
void SysBeep(short duration);
OSErr SysEnvirons(short versionRequested, SysEnvRec* theWorld);
void SysError(short errorCode);
Ptr Translate24To32(void* addr24);
void WriteLocation(void* loc);
OSErr WriteParam(void);
void WriteXPRam(long which, void* buffer);
void debugstr(ConstStr255Param debuggerMsg);

#ifdef __cplusplus
}
#endif

#endif
