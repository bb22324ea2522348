/* Routines of Threads.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Threads.h>

#ifndef ABSENT_THREADS_H
#define ABSENT_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr CreateThreadPool(ThreadStyle style, short count, Size stack);
OSErr GetFreeThreadCount(ThreadStyle style, short *count);
OSErr GetSpecificFreeThreadCount(ThreadStyle style, Size stack, short *count);
OSErr GetDefaultThreadStackSize(ThreadStyle style, Size *size);
OSErr ThreadCurrentStackSpace(ThreadID thread, unsigned long *free);
OSErr NewThread(ThreadStyle style, ThreadEntryProcPtr entry, void *parameter, Size stack, ThreadOptions options, void **result, ThreadID *made);
OSErr DisposeThread(ThreadID thread, void *result, Boolean recycle);
OSErr YieldToThread(ThreadID suggested);
OSErr YieldToAnyThread(void);
OSErr GetCurrentThread(ThreadID *thread);
OSErr MacGetCurrentThread(ThreadID *thread);
OSErr GetThreadState(ThreadID thread, ThreadState *state);
OSErr SetThreadState(ThreadID thread, ThreadState state, ThreadID suggested);
OSErr SetThreadStateEndCritical(ThreadID thread, ThreadState state, ThreadID suggested);
OSErr SetThreadScheduler(ThreadSchedulerProcPtr scheduler);
OSErr SetThreadSwitcher(ThreadID thread, ThreadSwitchProcPtr switcher, void *parameter, Boolean inOrOut);
OSErr SetThreadTerminator(ThreadID thread, ThreadTerminationProcPtr terminator, void *parameter);
OSErr ThreadBeginCritical(void);
OSErr ThreadEndCritical(void);
OSErr GetThreadCurrentTaskRef(ThreadTaskRef *task);
OSErr GetThreadStateGivenTaskRef(ThreadTaskRef task, ThreadID thread, ThreadState *state);
OSErr SetThreadReadyGivenTaskRef(ThreadTaskRef task, ThreadID thread);

#ifdef __cplusplus
}
#endif

#endif
