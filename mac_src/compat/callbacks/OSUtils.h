/* Procedures that the Toolbox calls, as OSUtils.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <OSUtils.h>

#ifndef CALLBACKS_OSUTILS_H
#define CALLBACKS_OSUTILS_H

#include <MixedMode.h>

typedef void (*DeferredTaskProcPtr)(long parameter);
typedef UniversalProcPtr DeferredTaskUPP;
#define uppDeferredTaskProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA1, SIZE_CODE(sizeof(long))))
#define NewDeferredTaskProc(procedure) \
    ((DeferredTaskUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDeferredTaskProcInfo, GetCurrentISA()))
#define NewDeferredTaskUPP(procedure) NewDeferredTaskProc(procedure)
#define DisposeDeferredTaskUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDeferredTaskProc(upp, parameter) \
    (void) CallUniversalProc(upp, uppDeferredTaskProcInfo, parameter)
#define InvokeDeferredTaskUPP(parameter, upp) CallDeferredTaskProc(upp, parameter)

#endif
