/* Procedures that the Toolbox calls, as Resources.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Resources.h>

#ifndef CALLBACKS_RESOURCES_H
#define CALLBACKS_RESOURCES_H

#include <MixedMode.h>

typedef void (*ResErrProcPtr)(OSErr error);
typedef UniversalProcPtr ResErrUPP;
#define uppResErrProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(OSErr))))
#define NewResErrProc(procedure) \
    ((ResErrUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppResErrProcInfo, GetCurrentISA()))
#define NewResErrUPP(procedure) NewResErrProc(procedure)
#define DisposeResErrUPP(upp) DisposeRoutineDescriptor(upp)
#define CallResErrProc(upp, error) \
    (void) CallUniversalProc(upp, uppResErrProcInfo, error)
#define InvokeResErrUPP(error, upp) CallResErrProc(upp, error)

#endif
