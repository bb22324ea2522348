/* Procedures that the Toolbox calls, as Controls.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Controls.h>

#ifndef CALLBACKS_CONTROLS_H
#define CALLBACKS_CONTROLS_H

#include <MixedMode.h>

typedef void (*ControlActionProcPtr)(ControlHandle control, short part);
typedef UniversalProcPtr ControlActionUPP;
#define uppControlActionProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ControlHandle))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewControlActionProc(procedure) \
    ((ControlActionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppControlActionProcInfo, GetCurrentISA()))
#define NewControlActionUPP(procedure) NewControlActionProc(procedure)
#define DisposeControlActionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallControlActionProc(upp, control, part) \
    (void) CallUniversalProc(upp, uppControlActionProcInfo, control, part)
#define InvokeControlActionUPP(control, part, upp) CallControlActionProc(upp, control, part)

typedef long (*ControlDefProcPtr)(short variant, ControlHandle control, short message, long parameter);
typedef UniversalProcPtr ControlDefUPP;
#define uppControlDefProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(ControlHandle))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewControlDefProc(procedure) \
    ((ControlDefUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppControlDefProcInfo, GetCurrentISA()))
#define NewControlDefUPP(procedure) NewControlDefProc(procedure)
#define DisposeControlDefUPP(upp) DisposeRoutineDescriptor(upp)
#define CallControlDefProc(upp, variant, control, message, parameter) \
    (long) CallUniversalProc(upp, uppControlDefProcInfo, variant, control, message, parameter)
#define InvokeControlDefUPP(variant, control, message, parameter, upp) CallControlDefProc(upp, variant, control, message, parameter)

typedef void (*ThumbActionProcPtr)(void);
typedef UniversalProcPtr ThumbActionUPP;
#define uppThumbActionProcInfo \
    (kPascalStackBased)
#define NewThumbActionProc(procedure) \
    ((ThumbActionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppThumbActionProcInfo, GetCurrentISA()))
#define NewThumbActionUPP(procedure) NewThumbActionProc(procedure)
#define DisposeThumbActionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallThumbActionProc(upp) \
    (void) CallUniversalProc(upp, uppThumbActionProcInfo)
#define InvokeThumbActionUPP(upp) CallThumbActionProc(upp)

typedef void (*IndicatorActionProcPtr)(void);
typedef UniversalProcPtr IndicatorActionUPP;
#define uppIndicatorActionProcInfo \
    (kPascalStackBased)
#define NewIndicatorActionProc(procedure) \
    ((IndicatorActionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppIndicatorActionProcInfo, GetCurrentISA()))
#define NewIndicatorActionUPP(procedure) NewIndicatorActionProc(procedure)
#define DisposeIndicatorActionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallIndicatorActionProc(upp) \
    (void) CallUniversalProc(upp, uppIndicatorActionProcInfo)
#define InvokeIndicatorActionUPP(upp) CallIndicatorActionProc(upp)

#endif
