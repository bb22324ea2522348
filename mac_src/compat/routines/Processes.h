/* Routines of Processes.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Processes.h>

#ifndef ROUTINES_PROCESSES_H
#define ROUTINES_PROCESSES_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr Chain(void* LaunchParams);
void ExitToShell(void);
OSErr GetCurrentProcess(ProcessSerialNumber* PSN);
OSErr GetFrontProcess(ProcessSerialNumber* PSN);
OSErr GetNextProcess(ProcessSerialNumber* PSN);
OSErr GetProcessInformation(ProcessSerialNumber* PSN, ProcessInfoRec* info);
OSErr LaunchApplication(void* LaunchParams);
OSErr SameProcess(ProcessSerialNumber* PSN1, ProcessSerialNumber* PSN2, Boolean* result);
OSErr SetFrontProcess(ProcessSerialNumber* PSN);
OSErr WakeUpProcess(ProcessSerialNumber* PSN);

#ifdef __cplusplus
}
#endif

#endif
