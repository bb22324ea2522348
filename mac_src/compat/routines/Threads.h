/* Routines of Threads.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Threads.h>

#ifndef ROUTINES_THREADS_H
#define ROUTINES_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CreateThreadPool(ThreadStyle threadStyle, short numToCreate, Size stackSize);
OSErr DisposeThread(ThreadID threadToDump, void* threadResult, Boolean recycleThread);
OSErr GetCurrentThread(ThreadID* currentThreadID);
OSErr GetDefaultThreadStackSize(ThreadStyle threadStyle, Size* stackSize);
OSErr GetFreeThreadCount(ThreadStyle threadStyle, short* freeCount);
OSErr GetSpecificFreeThreadCount(ThreadStyle threadStyle, Size stackSize, short* freeCount);
OSErr GetThreadCurrentTaskRef(ThreadTaskRef* threadTRef);
OSErr GetThreadState(ThreadID threadToGet, ThreadState* threadState);
OSErr GetThreadStateGivenTaskRef(void* threadTRef, ThreadID threadToGet, ThreadState* threadState);
OSErr MacGetCurrentThread(ThreadID* currentThreadID);
OSErr NewThread(ThreadStyle threadStyle, ProcPtr threadEntry, void* threadParam, Size stackSize, ThreadOptions options, void** threadResult, ThreadID* threadMade);
OSErr SetDebuggerNotificationProcs(ProcPtr notifyNewThread, ProcPtr notifyDisposeThread, ProcPtr notifyThreadScheduler);
OSErr SetThreadReadyGivenTaskRef(void* threadTRef, ThreadID threadToSet);
OSErr SetThreadScheduler(ProcPtr threadScheduler);
OSErr SetThreadState(ThreadID threadToSet, ThreadState newState, ThreadID suggestedThread);
OSErr SetThreadStateEndCritical(ThreadID threadToSet, ThreadState newState, ThreadID suggestedThread);
OSErr SetThreadSwitcher(ThreadID thread, ProcPtr threadSwitcher, void* switchProcParam, Boolean inOrOut);
OSErr SetThreadTerminator(ThreadID thread, ProcPtr threadTerminator, void* terminationProcParam);
OSErr ThreadBeginCritical(void);
OSErr ThreadCurrentStackSpace(ThreadID thread, unsigned long* freeStack);
OSErr ThreadEndCritical(void);
OSErr YieldToAnyThread(void);
OSErr YieldToThread(ThreadID suggestedThread);

#ifdef __cplusplus
}
#endif

#endif
