/* Procedures that the Toolbox calls, as Threads.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Threads.h>

#ifndef CALLBACKS_THREADS_H
#define CALLBACKS_THREADS_H

#include <MixedMode.h>

typedef void* (*ThreadEntryProcPtr)(void* parameter);
typedef UniversalProcPtr ThreadEntryUPP;
#define uppThreadEntryProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(void*))))
#define NewThreadEntryProc(procedure) \
    ((ThreadEntryUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppThreadEntryProcInfo, GetCurrentISA()))
#define NewThreadEntryUPP(procedure) NewThreadEntryProc(procedure)
#define DisposeThreadEntryUPP(upp) DisposeRoutineDescriptor(upp)
#define CallThreadEntryProc(upp, parameter) \
    (void*) CallUniversalProc(upp, uppThreadEntryProcInfo, parameter)
#define InvokeThreadEntryUPP(parameter, upp) CallThreadEntryProc(upp, parameter)

typedef ThreadID (*ThreadSchedulerProcPtr)(SchedulerInfoRecPtr information);
typedef UniversalProcPtr ThreadSchedulerUPP;
#define uppThreadSchedulerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(ThreadID))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SchedulerInfoRecPtr))))
#define NewThreadSchedulerProc(procedure) \
    ((ThreadSchedulerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppThreadSchedulerProcInfo, GetCurrentISA()))
#define NewThreadSchedulerUPP(procedure) NewThreadSchedulerProc(procedure)
#define DisposeThreadSchedulerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallThreadSchedulerProc(upp, information) \
    (ThreadID) CallUniversalProc(upp, uppThreadSchedulerProcInfo, information)
#define InvokeThreadSchedulerUPP(information, upp) CallThreadSchedulerProc(upp, information)

typedef void (*ThreadSwitchProcPtr)(ThreadID thread, void* parameter);
typedef UniversalProcPtr ThreadSwitchUPP;
#define uppThreadSwitchProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ThreadID))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewThreadSwitchProc(procedure) \
    ((ThreadSwitchUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppThreadSwitchProcInfo, GetCurrentISA()))
#define NewThreadSwitchUPP(procedure) NewThreadSwitchProc(procedure)
#define DisposeThreadSwitchUPP(upp) DisposeRoutineDescriptor(upp)
#define CallThreadSwitchProc(upp, thread, parameter) \
    (void) CallUniversalProc(upp, uppThreadSwitchProcInfo, thread, parameter)
#define InvokeThreadSwitchUPP(thread, parameter, upp) CallThreadSwitchProc(upp, thread, parameter)

typedef void (*ThreadTerminationProcPtr)(ThreadID thread, void* parameter);
typedef UniversalProcPtr ThreadTerminationUPP;
#define uppThreadTerminationProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ThreadID))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewThreadTerminationProc(procedure) \
    ((ThreadTerminationUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppThreadTerminationProcInfo, GetCurrentISA()))
#define NewThreadTerminationUPP(procedure) NewThreadTerminationProc(procedure)
#define DisposeThreadTerminationUPP(upp) DisposeRoutineDescriptor(upp)
#define CallThreadTerminationProc(upp, thread, parameter) \
    (void) CallUniversalProc(upp, uppThreadTerminationProcInfo, thread, parameter)
#define InvokeThreadTerminationUPP(thread, parameter, upp) CallThreadTerminationProc(upp, thread, parameter)

#endif
