/* Procedures that the Toolbox calls, as SoundInput.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <SoundInput.h>

#ifndef CALLBACKS_SOUNDINPUT_H
#define CALLBACKS_SOUNDINPUT_H

#include <MixedMode.h>

typedef void (*SICompletionProcPtr)(SPBPtr block);
typedef UniversalProcPtr SICompletionUPP;
#define uppSICompletionProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SPBPtr))))
#define NewSICompletionProc(procedure) \
    ((SICompletionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSICompletionProcInfo, GetCurrentISA()))
#define NewSICompletionUPP(procedure) NewSICompletionProc(procedure)
#define DisposeSICompletionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSICompletionProc(upp, block) \
    (void) CallUniversalProc(upp, uppSICompletionProcInfo, block)
#define InvokeSICompletionUPP(block, upp) CallSICompletionProc(upp, block)

typedef void (*SIInterruptProcPtr)(void);
typedef UniversalProcPtr SIInterruptUPP;
#define uppSIInterruptProcInfo \
    (kPascalStackBased)
#define NewSIInterruptProc(procedure) \
    ((SIInterruptUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSIInterruptProcInfo, GetCurrentISA()))
#define NewSIInterruptUPP(procedure) NewSIInterruptProc(procedure)
#define DisposeSIInterruptUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSIInterruptProc(upp) \
    (void) CallUniversalProc(upp, uppSIInterruptProcInfo)
#define InvokeSIInterruptUPP(upp) CallSIInterruptProc(upp)

#endif
