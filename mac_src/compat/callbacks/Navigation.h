/* Procedures that the Toolbox calls, as Navigation.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Navigation.h>

#ifndef CALLBACKS_NAVIGATION_H
#define CALLBACKS_NAVIGATION_H

#include <MixedMode.h>

typedef void (*NavEventProcPtr)(long message, NavCBRecPtr parameters, void* data);
typedef UniversalProcPtr NavEventUPP;
#define uppNavEventProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(NavCBRecPtr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewNavEventProc(procedure) \
    ((NavEventUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppNavEventProcInfo, GetCurrentISA()))
#define NewNavEventUPP(procedure) NewNavEventProc(procedure)
#define DisposeNavEventUPP(upp) DisposeRoutineDescriptor(upp)
#define CallNavEventProc(upp, message, parameters, data) \
    (void) CallUniversalProc(upp, uppNavEventProcInfo, message, parameters, data)
#define InvokeNavEventUPP(message, parameters, data, upp) CallNavEventProc(upp, message, parameters, data)

typedef Boolean (*NavPreviewProcPtr)(NavCBRecPtr parameters, void* data);
typedef UniversalProcPtr NavPreviewUPP;
#define uppNavPreviewProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(NavCBRecPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewNavPreviewProc(procedure) \
    ((NavPreviewUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppNavPreviewProcInfo, GetCurrentISA()))
#define NewNavPreviewUPP(procedure) NewNavPreviewProc(procedure)
#define DisposeNavPreviewUPP(upp) DisposeRoutineDescriptor(upp)
#define CallNavPreviewProc(upp, parameters, data) \
    (Boolean) CallUniversalProc(upp, uppNavPreviewProcInfo, parameters, data)
#define InvokeNavPreviewUPP(parameters, data, upp) CallNavPreviewProc(upp, parameters, data)

typedef Boolean (*NavObjectFilterProcPtr)(AEDesc* item, void* info, void* data, short mode);
typedef UniversalProcPtr NavObjectFilterUPP;
#define uppNavObjectFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewNavObjectFilterProc(procedure) \
    ((NavObjectFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppNavObjectFilterProcInfo, GetCurrentISA()))
#define NewNavObjectFilterUPP(procedure) NewNavObjectFilterProc(procedure)
#define DisposeNavObjectFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallNavObjectFilterProc(upp, item, info, data, mode) \
    (Boolean) CallUniversalProc(upp, uppNavObjectFilterProcInfo, item, info, data, mode)
#define InvokeNavObjectFilterUPP(item, info, data, mode, upp) CallNavObjectFilterProc(upp, item, info, data, mode)

#endif
