/* Procedures that the Toolbox calls, as Files.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Files.h>

#ifndef CALLBACKS_FILES_H
#define CALLBACKS_FILES_H

#include <MixedMode.h>

typedef void (*IOCompletionProcPtr)(ParmBlkPtr block);
typedef UniversalProcPtr IOCompletionUPP;
#define uppIOCompletionProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(ParmBlkPtr))))
#define NewIOCompletionProc(procedure) \
    ((IOCompletionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppIOCompletionProcInfo, GetCurrentISA()))
#define NewIOCompletionUPP(procedure) NewIOCompletionProc(procedure)
#define DisposeIOCompletionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallIOCompletionProc(upp, block) \
    (void) CallUniversalProc(upp, uppIOCompletionProcInfo, block)
#define InvokeIOCompletionUPP(block, upp) CallIOCompletionProc(upp, block)

#endif
