/* Procedures that the Toolbox calls, as TextEdit.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <TextEdit.h>

#ifndef CALLBACKS_TEXTEDIT_H
#define CALLBACKS_TEXTEDIT_H

#include <MixedMode.h>

typedef Boolean (*TEClickLoopProcPtr)(TEPtr text);
typedef UniversalProcPtr TEClickLoopUPP;
#define uppTEClickLoopProcInfo \
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0) \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA3, SIZE_CODE(sizeof(TEPtr))))
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
    (kRegisterBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | REGISTER_RESULT_LOCATION(kRegisterD0) \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(Ptr))) \
     | REGISTER_ROUTINE_PARAMETER(2, kRegisterD0, SIZE_CODE(sizeof(short))))
#define NewWordBreakProc(procedure) \
    ((WordBreakUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppWordBreakProcInfo, GetCurrentISA()))
#define NewWordBreakUPP(procedure) NewWordBreakProc(procedure)
#define DisposeWordBreakUPP(upp) DisposeRoutineDescriptor(upp)
#define CallWordBreakProc(upp, text, position) \
    (Boolean) CallUniversalProc(upp, uppWordBreakProcInfo, text, position)
#define InvokeWordBreakUPP(text, position, upp) CallWordBreakProc(upp, text, position)

typedef void (*HighHookProcPtr)(const Rect* rect, TEPtr text);
typedef UniversalProcPtr HighHookUPP;
#define uppHighHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseHighHook))
#define NewHighHookProc(procedure) \
    ((HighHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppHighHookProcInfo, GetCurrentISA()))
#define NewHighHookUPP(procedure) NewHighHookProc(procedure)
#define DisposeHighHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallHighHookProc(upp, rect, text) \
    (void) CallUniversalProc(upp, uppHighHookProcInfo, rect, text)
#define InvokeHighHookUPP(rect, text, upp) CallHighHookProc(upp, rect, text)

typedef void (*CaretHookProcPtr)(const Rect* rect, TEPtr text);
typedef UniversalProcPtr CaretHookUPP;
#define uppCaretHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseCaretHook))
#define NewCaretHookProc(procedure) \
    ((CaretHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppCaretHookProcInfo, GetCurrentISA()))
#define NewCaretHookUPP(procedure) NewCaretHookProc(procedure)
#define DisposeCaretHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallCaretHookProc(upp, rect, text) \
    (void) CallUniversalProc(upp, uppCaretHookProcInfo, rect, text)
#define InvokeCaretHookUPP(rect, text, upp) CallCaretHookProc(upp, rect, text)

typedef Boolean (*EOLHookProcPtr)(char letter, TEPtr text, TEHandle handle);
typedef UniversalProcPtr EOLHookUPP;
#define uppEOLHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseEOLHook))
#define NewEOLHookProc(procedure) \
    ((EOLHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppEOLHookProcInfo, GetCurrentISA()))
#define NewEOLHookUPP(procedure) NewEOLHookProc(procedure)
#define DisposeEOLHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallEOLHookProc(upp, letter, text, handle) \
    (Boolean) CallUniversalProc(upp, uppEOLHookProcInfo, letter, text, handle)
#define InvokeEOLHookUPP(letter, text, handle, upp) CallEOLHookProc(upp, letter, text, handle)

typedef unsigned short (*WidthHookProcPtr)(unsigned short length, unsigned short offset, void* letters, TEPtr text, TEHandle handle);
typedef UniversalProcPtr WidthHookUPP;
#define uppWidthHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseWidthHook))
#define NewWidthHookProc(procedure) \
    ((WidthHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppWidthHookProcInfo, GetCurrentISA()))
#define NewWidthHookUPP(procedure) NewWidthHookProc(procedure)
#define DisposeWidthHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallWidthHookProc(upp, length, offset, letters, text, handle) \
    (unsigned short) CallUniversalProc(upp, uppWidthHookProcInfo, length, offset, letters, text, handle)
#define InvokeWidthHookUPP(length, offset, letters, text, handle, upp) CallWidthHookProc(upp, length, offset, letters, text, handle)

typedef unsigned short (*TextWidthHookProcPtr)(unsigned short length, unsigned short offset, void* letters, TEPtr text, TEHandle handle);
typedef UniversalProcPtr TextWidthHookUPP;
#define uppTextWidthHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseTextWidthHook))
#define NewTextWidthHookProc(procedure) \
    ((TextWidthHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTextWidthHookProcInfo, GetCurrentISA()))
#define NewTextWidthHookUPP(procedure) NewTextWidthHookProc(procedure)
#define DisposeTextWidthHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTextWidthHookProc(upp, length, offset, letters, text, handle) \
    (unsigned short) CallUniversalProc(upp, uppTextWidthHookProcInfo, length, offset, letters, text, handle)
#define InvokeTextWidthHookUPP(length, offset, letters, text, handle, upp) CallTextWidthHookProc(upp, length, offset, letters, text, handle)

typedef unsigned short (*NWidthHookProcPtr)(unsigned short styleRunLength, unsigned short styleRunOffset, short slop, short direction, void* letters, short* lineStart, TEPtr text, TEHandle handle);
typedef UniversalProcPtr NWidthHookUPP;
#define uppNWidthHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseNWidthHook))
#define NewNWidthHookProc(procedure) \
    ((NWidthHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppNWidthHookProcInfo, GetCurrentISA()))
#define NewNWidthHookUPP(procedure) NewNWidthHookProc(procedure)
#define DisposeNWidthHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallNWidthHookProc(upp, styleRunLength, styleRunOffset, slop, direction, letters, lineStart, text, handle) \
    (unsigned short) CallUniversalProc(upp, uppNWidthHookProcInfo, styleRunLength, styleRunOffset, slop, direction, letters, lineStart, text, handle)
#define InvokeNWidthHookUPP(styleRunLength, styleRunOffset, slop, direction, letters, lineStart, text, handle, upp) CallNWidthHookProc(upp, styleRunLength, styleRunOffset, slop, direction, letters, lineStart, text, handle)

typedef void (*DrawHookProcPtr)(unsigned short offset, unsigned short length, void* letters, TEPtr text, TEHandle handle);
typedef UniversalProcPtr DrawHookUPP;
#define uppDrawHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseDrawHook))
#define NewDrawHookProc(procedure) \
    ((DrawHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDrawHookProcInfo, GetCurrentISA()))
#define NewDrawHookUPP(procedure) NewDrawHookProc(procedure)
#define DisposeDrawHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDrawHookProc(upp, offset, length, letters, text, handle) \
    (void) CallUniversalProc(upp, uppDrawHookProcInfo, offset, length, letters, text, handle)
#define InvokeDrawHookUPP(offset, length, letters, text, handle, upp) CallDrawHookProc(upp, offset, length, letters, text, handle)

typedef Boolean (*HitTestHookProcPtr)(unsigned short styleRunLength, unsigned short styleRunOffset, unsigned short slop, void* letters, TEPtr text, TEHandle handle, unsigned short* pixelWidth, unsigned short* offset, Boolean* inside);
typedef UniversalProcPtr HitTestHookUPP;
#define uppHitTestHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseHitTestHook))
#define NewHitTestHookProc(procedure) \
    ((HitTestHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppHitTestHookProcInfo, GetCurrentISA()))
#define NewHitTestHookUPP(procedure) NewHitTestHookProc(procedure)
#define DisposeHitTestHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallHitTestHookProc(upp, styleRunLength, styleRunOffset, slop, letters, text, handle, pixelWidth, offset, inside) \
    (Boolean) CallUniversalProc(upp, uppHitTestHookProcInfo, styleRunLength, styleRunOffset, slop, letters, text, handle, pixelWidth, offset, inside)
#define InvokeHitTestHookUPP(styleRunLength, styleRunOffset, slop, letters, text, handle, pixelWidth, offset, inside, upp) CallHitTestHookProc(upp, styleRunLength, styleRunOffset, slop, letters, text, handle, pixelWidth, offset, inside)

typedef void (*TEFindWordProcPtr)(unsigned short position, unsigned short caller, TEPtr text, TEHandle handle, unsigned short* start, unsigned short* end);
typedef UniversalProcPtr TEFindWordUPP;
#define uppTEFindWordProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseTEFindWord))
#define NewTEFindWordProc(procedure) \
    ((TEFindWordUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTEFindWordProcInfo, GetCurrentISA()))
#define NewTEFindWordUPP(procedure) NewTEFindWordProc(procedure)
#define DisposeTEFindWordUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTEFindWordProc(upp, position, caller, text, handle, start, end) \
    (void) CallUniversalProc(upp, uppTEFindWordProcInfo, position, caller, text, handle, start, end)
#define InvokeTEFindWordUPP(position, caller, text, handle, start, end, upp) CallTEFindWordProc(upp, position, caller, text, handle, start, end)

typedef void (*TEDoTextProcPtr)(TEPtr text, unsigned short first, unsigned short last, short selector, GrafPtr* port, short* position);
typedef UniversalProcPtr TEDoTextUPP;
#define uppTEDoTextProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseTEDoText))
#define NewTEDoTextProc(procedure) \
    ((TEDoTextUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTEDoTextProcInfo, GetCurrentISA()))
#define NewTEDoTextUPP(procedure) NewTEDoTextProc(procedure)
#define DisposeTEDoTextUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTEDoTextProc(upp, text, first, last, selector, port, position) \
    (void) CallUniversalProc(upp, uppTEDoTextProcInfo, text, first, last, selector, port, position)
#define InvokeTEDoTextUPP(text, first, last, selector, port, position, upp) CallTEDoTextProc(upp, text, first, last, selector, port, position)

typedef void (*TERecalcProcPtr)(TEPtr text, unsigned short changeLength, unsigned short* start, unsigned short* changed, unsigned short* end);
typedef UniversalProcPtr TERecalcUPP;
#define uppTERecalcProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseTERecalc))
#define NewTERecalcProc(procedure) \
    ((TERecalcUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppTERecalcProcInfo, GetCurrentISA()))
#define NewTERecalcUPP(procedure) NewTERecalcProc(procedure)
#define DisposeTERecalcUPP(upp) DisposeRoutineDescriptor(upp)
#define CallTERecalcProc(upp, text, changeLength, start, changed, end) \
    (void) CallUniversalProc(upp, uppTERecalcProcInfo, text, changeLength, start, changed, end)
#define InvokeTERecalcUPP(text, changeLength, start, changed, end, upp) CallTERecalcProc(upp, text, changeLength, start, changed, end)

#endif
