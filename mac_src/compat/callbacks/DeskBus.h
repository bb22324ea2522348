/* Procedures that the Toolbox calls, as DeskBus.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <DeskBus.h>

#ifndef CALLBACKS_DESKBUS_H
#define CALLBACKS_DESKBUS_H

#include <MixedMode.h>

typedef void (*ADBCompletionProcPtr)(Ptr buffer, Ptr data, long command);
typedef UniversalProcPtr ADBCompletionUPP;
#define uppADBCompletionProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(Ptr))) \
     | REGISTER_ROUTINE_PARAMETER(2, kRegisterA2, SIZE_CODE(sizeof(Ptr))) \
     | REGISTER_ROUTINE_PARAMETER(3, kRegisterD0, SIZE_CODE(sizeof(long))))
#define NewADBCompletionProc(procedure) \
    ((ADBCompletionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppADBCompletionProcInfo, GetCurrentISA()))
#define NewADBCompletionUPP(procedure) NewADBCompletionProc(procedure)
#define DisposeADBCompletionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallADBCompletionProc(upp, buffer, data, command) \
    (void) CallUniversalProc(upp, uppADBCompletionProcInfo, buffer, data, command)
#define InvokeADBCompletionUPP(buffer, data, command, upp) CallADBCompletionProc(upp, buffer, data, command)

#endif
