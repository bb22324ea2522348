/* Procedures that the Toolbox calls, as Gestalt.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Gestalt.h>

#ifndef CALLBACKS_GESTALT_H
#define CALLBACKS_GESTALT_H

#include <MixedMode.h>

typedef OSErr (*SelectorFunctionProcPtr)(OSType selector, long* response);
typedef UniversalProcPtr SelectorFunctionUPP;
#define uppSelectorFunctionProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(OSType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long*))))
#define NewSelectorFunctionProc(procedure) \
    ((SelectorFunctionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSelectorFunctionProcInfo, GetCurrentISA()))
#define NewSelectorFunctionUPP(procedure) NewSelectorFunctionProc(procedure)
#define DisposeSelectorFunctionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSelectorFunctionProc(upp, selector, response) \
    (OSErr) CallUniversalProc(upp, uppSelectorFunctionProcInfo, selector, response)
#define InvokeSelectorFunctionUPP(selector, response, upp) CallSelectorFunctionProc(upp, selector, response)

#endif
