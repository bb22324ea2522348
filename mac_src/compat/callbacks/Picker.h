/* Procedures that the Toolbox calls, as Picker.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Picker.h>

#ifndef CALLBACKS_PICKER_H
#define CALLBACKS_PICKER_H

#include <MixedMode.h>

typedef void (*ColorChangedProcPtr)(long data, void* color);
typedef UniversalProcPtr ColorChangedUPP;
#define uppColorChangedProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewColorChangedProc(procedure) \
    ((ColorChangedUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppColorChangedProcInfo, GetCurrentISA()))
#define NewColorChangedUPP(procedure) NewColorChangedProc(procedure)
#define DisposeColorChangedUPP(upp) DisposeRoutineDescriptor(upp)
#define CallColorChangedProc(upp, data, color) \
    (void) CallUniversalProc(upp, uppColorChangedProcInfo, data, color)
#define InvokeColorChangedUPP(data, color, upp) CallColorChangedProc(upp, data, color)

#endif
