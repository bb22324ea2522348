/* Routines of EPPC.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <EPPC.h>

#ifndef ROUTINES_EPPC_H
#define ROUTINES_EPPC_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr AcceptHighLevelEvent(void* sender, long* msgRefcon, void* msgBuff, long* msgLen);
OSErr GetPortNameFromProcessSerialNumber(void* portName, void* PSN);
OSErr GetProcessSerialNumberFromPortName(void* portName, ProcessSerialNumber* PSN);
Boolean GetSpecificHighLevelEvent(ProcPtr aFilter, void* yourDataPtr, OSErr* err);
void GetSwitchInfo(void* info);
OSErr PostHighLevelEvent(EventRecord* theEvent, void* receiverID, long msgRefcon, void* msgBuff, long msgLen, long postingOptions);

#ifdef __cplusplus
}
#endif

#endif
