/* Procedures that the Toolbox calls, as Windows.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Windows.h>

#ifndef CALLBACKS_WINDOWS_H
#define CALLBACKS_WINDOWS_H

#include <MixedMode.h>

typedef long (*WindowDefProcPtr)(short variant, WindowPtr window, short message, long parameter);
typedef UniversalProcPtr WindowDefUPP;
#define uppWindowDefProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(WindowPtr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewWindowDefProc(procedure) \
    ((WindowDefUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppWindowDefProcInfo, GetCurrentISA()))
#define NewWindowDefUPP(procedure) NewWindowDefProc(procedure)
#define DisposeWindowDefUPP(upp) DisposeRoutineDescriptor(upp)
#define CallWindowDefProc(upp, variant, window, message, parameter) \
    (long) CallUniversalProc(upp, uppWindowDefProcInfo, variant, window, message, parameter)
#define InvokeWindowDefUPP(variant, window, message, parameter, upp) CallWindowDefProc(upp, variant, window, message, parameter)

#endif
