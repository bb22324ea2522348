/* Procedures that the Toolbox calls, as Events.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Events.h>

#ifndef CALLBACKS_EVENTS_H
#define CALLBACKS_EVENTS_H

#include <MixedMode.h>

typedef void (*GetNextEventFilterProcPtr)(EventRecord* event, Boolean* result);
typedef UniversalProcPtr GetNextEventFilterUPP;
#define uppGetNextEventFilterProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseGNEFilterProc))
#define NewGetNextEventFilterProc(procedure) \
    ((GetNextEventFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppGetNextEventFilterProcInfo, GetCurrentISA()))
#define NewGetNextEventFilterUPP(procedure) NewGetNextEventFilterProc(procedure)
#define DisposeGetNextEventFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallGetNextEventFilterProc(upp, event, result) \
    (void) CallUniversalProc(upp, uppGetNextEventFilterProcInfo, event, result)
#define InvokeGetNextEventFilterUPP(event, result, upp) CallGetNextEventFilterProc(upp, event, result)

#endif
