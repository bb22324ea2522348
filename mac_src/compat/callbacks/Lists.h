/* Procedures that the Toolbox calls, as Lists.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Lists.h>

#ifndef CALLBACKS_LISTS_H
#define CALLBACKS_LISTS_H

#include <MixedMode.h>

typedef short (*ListSearchProcPtr)(Ptr one, Ptr other, short oneLength, short otherLength);
typedef UniversalProcPtr ListSearchUPP;
#define uppListSearchProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewListSearchProc(procedure) \
    ((ListSearchUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppListSearchProcInfo, GetCurrentISA()))
#define NewListSearchUPP(procedure) NewListSearchProc(procedure)
#define DisposeListSearchUPP(upp) DisposeRoutineDescriptor(upp)
#define CallListSearchProc(upp, one, other, oneLength, otherLength) \
    (short) CallUniversalProc(upp, uppListSearchProcInfo, one, other, oneLength, otherLength)
#define InvokeListSearchUPP(one, other, oneLength, otherLength, upp) CallListSearchProc(upp, one, other, oneLength, otherLength)

typedef Boolean (*ListClickLoopProcPtr)(void);
typedef UniversalProcPtr ListClickLoopUPP;
#define uppListClickLoopProcInfo \
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0))
#define NewListClickLoopProc(procedure) \
    ((ListClickLoopUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppListClickLoopProcInfo, GetCurrentISA()))
#define NewListClickLoopUPP(procedure) NewListClickLoopProc(procedure)
#define DisposeListClickLoopUPP(upp) DisposeRoutineDescriptor(upp)
#define CallListClickLoopProc(upp) \
    (Boolean) CallUniversalProc(upp, uppListClickLoopProcInfo)
#define InvokeListClickLoopUPP(upp) CallListClickLoopProc(upp)

typedef void (*ListDefProcPtr)(short message, Boolean selected, Rect* rect, Cell cell, short offset, short length, ListHandle list);
typedef UniversalProcPtr ListDefUPP;
#define uppListDefProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Cell))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(6, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(7, SIZE_CODE(sizeof(ListHandle))))
#define NewListDefProc(procedure) \
    ((ListDefUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppListDefProcInfo, GetCurrentISA()))
#define NewListDefUPP(procedure) NewListDefProc(procedure)
#define DisposeListDefUPP(upp) DisposeRoutineDescriptor(upp)
#define CallListDefProc(upp, message, selected, rect, cell, offset, length, list) \
    (void) CallUniversalProc(upp, uppListDefProcInfo, message, selected, rect, cell, offset, length, list)
#define InvokeListDefUPP(message, selected, rect, cell, offset, length, list, upp) CallListDefProc(upp, message, selected, rect, cell, offset, length, list)

#endif
