/* Procedures that the Toolbox calls, as Notification.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Notification.h>

#ifndef CALLBACKS_NOTIFICATION_H
#define CALLBACKS_NOTIFICATION_H

#include <MixedMode.h>

typedef void (*NMProcPtr)(NMRecPtr request);
typedef UniversalProcPtr NMUPP;
#define uppNMProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(NMRecPtr))))
#define NewNMProc(procedure) \
    ((NMUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppNMProcInfo, GetCurrentISA()))
#define NewNMUPP(procedure) NewNMProc(procedure)
#define DisposeNMUPP(upp) DisposeRoutineDescriptor(upp)
#define CallNMProc(upp, request) \
    (void) CallUniversalProc(upp, uppNMProcInfo, request)
#define InvokeNMUPP(request, upp) CallNMProc(upp, request)

#endif
