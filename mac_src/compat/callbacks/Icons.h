/* Procedures that the Toolbox calls, as Icons.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Icons.h>

#ifndef CALLBACKS_ICONS_H
#define CALLBACKS_ICONS_H

#include <MixedMode.h>

typedef OSErr (*IconActionProcPtr)(ResType type, Handle* icon, void* data);
typedef UniversalProcPtr IconActionUPP;
#define uppIconActionProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ResType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Handle*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewIconActionProc(procedure) \
    ((IconActionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppIconActionProcInfo, GetCurrentISA()))
#define NewIconActionUPP(procedure) NewIconActionProc(procedure)
#define DisposeIconActionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallIconActionProc(upp, type, icon, data) \
    (OSErr) CallUniversalProc(upp, uppIconActionProcInfo, type, icon, data)
#define InvokeIconActionUPP(type, icon, data, upp) CallIconActionProc(upp, type, icon, data)

typedef Handle (*IconGetterProcPtr)(ResType type, void* data);
typedef UniversalProcPtr IconGetterUPP;
#define uppIconGetterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Handle))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(ResType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewIconGetterProc(procedure) \
    ((IconGetterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppIconGetterProcInfo, GetCurrentISA()))
#define NewIconGetterUPP(procedure) NewIconGetterProc(procedure)
#define DisposeIconGetterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallIconGetterProc(upp, type, data) \
    (Handle) CallUniversalProc(upp, uppIconGetterProcInfo, type, data)
#define InvokeIconGetterUPP(type, data, upp) CallIconGetterProc(upp, type, data)

#endif
