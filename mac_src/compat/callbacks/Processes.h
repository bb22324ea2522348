/* Procedures that the Toolbox calls, as Processes.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Processes.h>

#ifndef CALLBACKS_PROCESSES_H
#define CALLBACKS_PROCESSES_H

#include <MixedMode.h>

typedef void (*SystemProcessProcPtr)(void);
typedef UniversalProcPtr SystemProcessUPP;
#define uppSystemProcessProcInfo \
    (kPascalStackBased)
#define NewSystemProcessProc(procedure) \
    ((SystemProcessUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSystemProcessProcInfo, GetCurrentISA()))
#define NewSystemProcessUPP(procedure) NewSystemProcessProc(procedure)
#define DisposeSystemProcessUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSystemProcessProc(upp) \
    (void) CallUniversalProc(upp, uppSystemProcessProcInfo)
#define InvokeSystemProcessUPP(upp) CallSystemProcessProc(upp)

#endif
