/* Procedures that the Toolbox calls, as ShutDown.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <ShutDown.h>

#ifndef CALLBACKS_SHUTDOWN_H
#define CALLBACKS_SHUTDOWN_H

#include <MixedMode.h>

typedef void (*ShutDwnProcPtr)(void);
typedef UniversalProcPtr ShutDwnUPP;
#define uppShutDwnProcInfo \
    (kPascalStackBased)
#define NewShutDwnProc(procedure) \
    ((ShutDwnUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppShutDwnProcInfo, GetCurrentISA()))
#define NewShutDwnUPP(procedure) NewShutDwnProc(procedure)
#define DisposeShutDwnUPP(upp) DisposeRoutineDescriptor(upp)
#define CallShutDwnProc(upp) \
    (void) CallUniversalProc(upp, uppShutDwnProcInfo)
#define InvokeShutDwnUPP(upp) CallShutDwnProc(upp)

#endif
