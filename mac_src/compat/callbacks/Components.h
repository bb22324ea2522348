/* Procedures that the Toolbox calls, as Components.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Components.h>

#ifndef CALLBACKS_COMPONENTS_H
#define CALLBACKS_COMPONENTS_H

#include <MixedMode.h>

typedef long (*ComponentRoutineProcPtr)(ComponentParameters* parameters, Handle storage);
typedef UniversalProcPtr ComponentRoutineUPP;
#define uppComponentRoutineProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ComponentParameters*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Handle))))
#define NewComponentRoutineProc(procedure) \
    ((ComponentRoutineUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppComponentRoutineProcInfo, GetCurrentISA()))
#define NewComponentRoutineUPP(procedure) NewComponentRoutineProc(procedure)
#define DisposeComponentRoutineUPP(upp) DisposeRoutineDescriptor(upp)
#define CallComponentRoutineProc(upp, parameters, storage) \
    (long) CallUniversalProc(upp, uppComponentRoutineProcInfo, parameters, storage)
#define InvokeComponentRoutineUPP(parameters, storage, upp) CallComponentRoutineProc(upp, parameters, storage)

typedef long (*ComponentFunctionProcPtr)(void);
typedef UniversalProcPtr ComponentFunctionUPP;
#define uppComponentFunctionProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))))
#define NewComponentFunctionProc(procedure) \
    ((ComponentFunctionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppComponentFunctionProcInfo, GetCurrentISA()))
#define NewComponentFunctionUPP(procedure) NewComponentFunctionProc(procedure)
#define DisposeComponentFunctionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallComponentFunctionProc(upp) \
    (long) CallUniversalProc(upp, uppComponentFunctionProcInfo)
#define InvokeComponentFunctionUPP(upp) CallComponentFunctionProc(upp)

#endif
