/* Procedures that the Toolbox calls, as Menus.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Menus.h>

#ifndef CALLBACKS_MENUS_H
#define CALLBACKS_MENUS_H

#include <MixedMode.h>

typedef void (*MenuDefProcPtr)(short message, MenuHandle menu, Rect* rect, Point hit, short* item);
typedef UniversalProcPtr MenuDefUPP;
#define uppMenuDefProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(MenuHandle))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Rect*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Point))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(short*))))
#define NewMenuDefProc(procedure) \
    ((MenuDefUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMenuDefProcInfo, GetCurrentISA()))
#define NewMenuDefUPP(procedure) NewMenuDefProc(procedure)
#define DisposeMenuDefUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMenuDefProc(upp, message, menu, rect, hit, item) \
    (void) CallUniversalProc(upp, uppMenuDefProcInfo, message, menu, rect, hit, item)
#define InvokeMenuDefUPP(message, menu, rect, hit, item, upp) CallMenuDefProc(upp, message, menu, rect, hit, item)

typedef long (*MBarDefProcPtr)(short selector, short message, short parameter1, long parameter2);
typedef UniversalProcPtr MBarDefUPP;
#define uppMBarDefProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewMBarDefProc(procedure) \
    ((MBarDefUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMBarDefProcInfo, GetCurrentISA()))
#define NewMBarDefUPP(procedure) NewMBarDefProc(procedure)
#define DisposeMBarDefUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMBarDefProc(upp, selector, message, parameter1, parameter2) \
    (long) CallUniversalProc(upp, uppMBarDefProcInfo, selector, message, parameter1, parameter2)
#define InvokeMBarDefUPP(selector, message, parameter1, parameter2, upp) CallMBarDefProc(upp, selector, message, parameter1, parameter2)

typedef short (*MBarHookProcPtr)(Rect* rect);
typedef UniversalProcPtr MBarHookUPP;
#define uppMBarHookProcInfo \
    (SPECIAL_CASE_PROCINFO(kSpecialCaseMBarHook))
#define NewMBarHookProc(procedure) \
    ((MBarHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMBarHookProcInfo, GetCurrentISA()))
#define NewMBarHookUPP(procedure) NewMBarHookProc(procedure)
#define DisposeMBarHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMBarHookProc(upp, rect) \
    (short) CallUniversalProc(upp, uppMBarHookProcInfo, rect)
#define InvokeMBarHookUPP(rect, upp) CallMBarHookProc(upp, rect)

typedef void (*MenuHookProcPtr)(void);
typedef UniversalProcPtr MenuHookUPP;
#define uppMenuHookProcInfo \
    (kPascalStackBased)
#define NewMenuHookProc(procedure) \
    ((MenuHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppMenuHookProcInfo, GetCurrentISA()))
#define NewMenuHookUPP(procedure) NewMenuHookProc(procedure)
#define DisposeMenuHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallMenuHookProc(upp) \
    (void) CallUniversalProc(upp, uppMenuHookProcInfo)
#define InvokeMenuHookUPP(upp) CallMenuHookProc(upp)

#endif
