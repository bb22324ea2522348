/* Procedures that the Toolbox calls, as Retrace.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Retrace.h>

#ifndef CALLBACKS_RETRACE_H
#define CALLBACKS_RETRACE_H

#include <MixedMode.h>

typedef void (*VBLProcPtr)(VBLTaskPtr task);
typedef UniversalProcPtr VBLUPP;
#define uppVBLProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(VBLTaskPtr))))
#define NewVBLProc(procedure) \
    ((VBLUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppVBLProcInfo, GetCurrentISA()))
#define NewVBLUPP(procedure) NewVBLProc(procedure)
#define DisposeVBLUPP(upp) DisposeRoutineDescriptor(upp)
#define CallVBLProc(upp, task) \
    (void) CallUniversalProc(upp, uppVBLProcInfo, task)
#define InvokeVBLUPP(task, upp) CallVBLProc(upp, task)

#endif
