/* Procedures that the Toolbox calls, as TextEdit.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <TextEdit.h>

#ifndef CALLBACKS_TEXTEDIT_H
#define CALLBACKS_TEXTEDIT_H

#include <MixedMode.h>

typedef Boolean (*TEClickLoopProcPtr)(TEHandle text);
typedef UniversalProcPtr TEClickLoopUPP;
#define uppTEClickLoopProcInfo \
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0) \
     | REGISTER_ROUTINE_PARAMETER(1, kRegister, SIZE_CODE(sizeof(TEHandle))))
#define NewTEClickLoopProc(procedure) \
    ((TEClickLoopUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTEClickLoopProcInfo, GetCurrentISA()))
#define NewTEClickLoopUPP(procedure) NewTEClickLoopProc(procedure)
#define DisposeTEClickLoopUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTEClickLoopProc(upp, text) \
    (Boolean) CallUniversalProc(upp, uppTEClickLoopProcInfo, text)
#define InvokeTEClickLoopUPP(text, upp) CallTEClickLoopProc(upp, text)

typedef Boolean (*WordBreakProcPtr)(Ptr text, short position);
typedef UniversalProcPtr WordBreakUPP;
#define uppWordBreakProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Ptr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewWordBreakProc(procedure) \
    ((WordBreakUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppWordBreakProcInfo, GetCurrentISA()))
#define NewWordBreakUPP(procedure) NewWordBreakProc(procedure)
#define DisposeWordBreakUPP(upp) DisposeRoutineDescriptor(upp)
#define CallWordBreakProc(upp, text, position) \
    (Boolean) CallUniversalProc(upp, uppWordBreakProcInfo, text, position)
#define InvokeWordBreakUPP(text, position, upp) CallWordBreakProc(upp, text, position)

typedef void (*HighHookProcPtr)(Rect* rect, TEHandle text);
typedef UniversalProcPtr HighHookUPP;
#define uppHighHookProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(TEHandle))))
#define NewHighHookProc(procedure) \
    ((HighHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppHighHookProcInfo, GetCurrentISA()))
#define NewHighHookUPP(procedure) NewHighHookProc(procedure)
#define DisposeHighHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallHighHookProc(upp, rect, text) \
    (void) CallUniversalProc(upp, uppHighHookProcInfo, rect, text)
#define InvokeHighHookUPP(rect, text, upp) CallHighHookProc(upp, rect, text)

typedef void (*CaretHookProcPtr)(Rect* rect, TEHandle text);
typedef UniversalProcPtr CaretHookUPP;
#define uppCaretHookProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(TEHandle))))
#define NewCaretHookProc(procedure) \
    ((CaretHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppCaretHookProcInfo, GetCurrentISA()))
#define NewCaretHookUPP(procedure) NewCaretHookProc(procedure)
#define DisposeCaretHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallCaretHookProc(upp, rect, text) \
    (void) CallUniversalProc(upp, uppCaretHookProcInfo, rect, text)
#define InvokeCaretHookUPP(rect, text, upp) CallCaretHookProc(upp, rect, text)

typedef void (*TEFindWordProcPtr)(short position, short caller, TEHandle text, TEHandle other, short* start, short* end);
typedef UniversalProcPtr TEFindWordUPP;
#define uppTEFindWordProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(TEHandle))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(TEHandle))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(short*))) \
     | STACK_ROUTINE_PARAMETER(6, SIZE_CODE(sizeof(short*))))
#define NewTEFindWordProc(procedure) \
    ((TEFindWordUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTEFindWordProcInfo, GetCurrentISA()))
#define NewTEFindWordUPP(procedure) NewTEFindWordProc(procedure)
#define DisposeTEFindWordUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTEFindWordProc(upp, position, caller, text, other, start, end) \
    (void) CallUniversalProc(upp, uppTEFindWordProcInfo, position, caller, text, other, start, end)
#define InvokeTEFindWordUPP(position, caller, text, other, start, end, upp) CallTEFindWordProc(upp, position, caller, text, other, start, end)

typedef void (*TEDoTextProcPtr)(TEHandle text, short first, short last, short selector);
typedef UniversalProcPtr TEDoTextUPP;
#define uppTEDoTextProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(TEHandle))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewTEDoTextProc(procedure) \
    ((TEDoTextUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTEDoTextProcInfo, GetCurrentISA()))
#define NewTEDoTextUPP(procedure) NewTEDoTextProc(procedure)
#define DisposeTEDoTextUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTEDoTextProc(upp, text, first, last, selector) \
    (void) CallUniversalProc(upp, uppTEDoTextProcInfo, text, first, last, selector)
#define InvokeTEDoTextUPP(text, first, last, selector, upp) CallTEDoTextProc(upp, text, first, last, selector)

typedef void (*TERecalcProcPtr)(TEHandle text, short changeLength);
typedef UniversalProcPtr TERecalcUPP;
#define uppTERecalcProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(TEHandle))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewTERecalcProc(procedure) \
    ((TERecalcUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTERecalcProcInfo, GetCurrentISA()))
#define NewTERecalcUPP(procedure) NewTERecalcProc(procedure)
#define DisposeTERecalcUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTERecalcProc(upp, text, changeLength) \
    (void) CallUniversalProc(upp, uppTERecalcProcInfo, text, changeLength)
#define InvokeTERecalcUPP(text, changeLength, upp) CallTERecalcProc(upp, text, changeLength)

#endif
