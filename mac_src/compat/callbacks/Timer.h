/* Procedures that the Toolbox calls, as Timer.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Timer.h>

#ifndef CALLBACKS_TIMER_H
#define CALLBACKS_TIMER_H

#include <MixedMode.h>

typedef void (*TimerProcPtr)(TMTaskPtr task);
typedef UniversalProcPtr TimerUPP;
#define uppTimerProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA1, SIZE_CODE(sizeof(TMTaskPtr))))
#define NewTimerProc(procedure) \
    ((TimerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTimerProcInfo, GetCurrentISA()))
#define NewTimerUPP(procedure) NewTimerProc(procedure)
#define DisposeTimerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTimerProc(upp, task) \
    (void) CallUniversalProc(upp, uppTimerProcInfo, task)
#define InvokeTimerUPP(task, upp) CallTimerProc(upp, task)

#endif
