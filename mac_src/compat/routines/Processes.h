/* Routines of Processes.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_PROCESSES_H
#define ROUTINES_PROCESSES_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

OSErr Chain(void* LaunchParams);
OSErr GetCurrentProcess(void* PSN);
OSErr GetFrontProcess(void* PSN);
OSErr GetNextProcess(void* PSN);
OSErr GetProcessInformation(void* PSN, void* info);
OSErr LaunchApplication(void* LaunchParams);
OSErr SameProcess(void* PSN1, void* PSN2, Boolean* result);
OSErr SetFrontProcess(void* PSN);
OSErr WakeUpProcess(void* PSN);

#ifdef __cplusplus
}
#endif

#endif
