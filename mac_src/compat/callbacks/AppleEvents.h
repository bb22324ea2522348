/* Procedures that the Toolbox calls, as AppleEvents.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <AppleEvents.h>

#ifndef CALLBACKS_APPLEEVENTS_H
#define CALLBACKS_APPLEEVENTS_H

#include <MixedMode.h>

typedef OSErr (*AECoerceDescProcPtr)(const AEDesc* from, DescType to, long refcon, AEDesc* result);
typedef UniversalProcPtr AECoerceDescUPP;
#define uppAECoerceDescProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(AEDesc*))))
#define NewAECoerceDescProc(procedure) \
    ((AECoerceDescUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAECoerceDescProcInfo, GetCurrentISA()))
#define NewAECoerceDescUPP(procedure) NewAECoerceDescProc(procedure)
#define DisposeAECoerceDescUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAECoerceDescProc(upp, from, to, refcon, result) \
    (OSErr) CallUniversalProc(upp, uppAECoerceDescProcInfo, from, to, refcon, result)
#define InvokeAECoerceDescUPP(from, to, refcon, result, upp) CallAECoerceDescProc(upp, from, to, refcon, result)

typedef OSErr (*AECoercePtrProcPtr)(DescType type, const void* data, Size size, DescType to, long refcon, AEDesc* result);
typedef UniversalProcPtr AECoercePtrUPP;
#define uppAECoercePtrProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(const void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Size))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(6, SIZE_CODE(sizeof(AEDesc*))))
#define NewAECoercePtrProc(procedure) \
    ((AECoercePtrUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAECoercePtrProcInfo, GetCurrentISA()))
#define NewAECoercePtrUPP(procedure) NewAECoercePtrProc(procedure)
#define DisposeAECoercePtrUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAECoercePtrProc(upp, type, data, size, to, refcon, result) \
    (OSErr) CallUniversalProc(upp, uppAECoercePtrProcInfo, type, data, size, to, refcon, result)
#define InvokeAECoercePtrUPP(type, data, size, to, refcon, result, upp) CallAECoercePtrProc(upp, type, data, size, to, refcon, result)

typedef OSErr (*AEEventHandlerProcPtr)(const AppleEvent* event, AppleEvent* reply, long refcon);
typedef UniversalProcPtr AEEventHandlerUPP;
#define uppAEEventHandlerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(const AppleEvent*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(AppleEvent*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))))
#define NewAEEventHandlerProc(procedure) \
    ((AEEventHandlerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAEEventHandlerProcInfo, GetCurrentISA()))
#define NewAEEventHandlerUPP(procedure) NewAEEventHandlerProc(procedure)
#define DisposeAEEventHandlerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAEEventHandlerProc(upp, event, reply, refcon) \
    (OSErr) CallUniversalProc(upp, uppAEEventHandlerProcInfo, event, reply, refcon)
#define InvokeAEEventHandlerUPP(event, reply, refcon, upp) CallAEEventHandlerProc(upp, event, reply, refcon)

typedef Boolean (*AEIdleProcPtr)(EventRecord* event, long* sleepTime, RgnHandle* mouseRgn);
typedef UniversalProcPtr AEIdleUPP;
#define uppAEIdleProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(EventRecord*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(RgnHandle*))))
#define NewAEIdleProc(procedure) \
    ((AEIdleUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAEIdleProcInfo, GetCurrentISA()))
#define NewAEIdleUPP(procedure) NewAEIdleProc(procedure)
#define DisposeAEIdleUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAEIdleProc(upp, event, sleepTime, mouseRgn) \
    (Boolean) CallUniversalProc(upp, uppAEIdleProcInfo, event, sleepTime, mouseRgn)
#define InvokeAEIdleUPP(event, sleepTime, mouseRgn, upp) CallAEIdleProc(upp, event, sleepTime, mouseRgn)

typedef Boolean (*AEFilterProcPtr)(EventRecord* event, long returnID, long transactionID, const AEAddressDesc* sender);
typedef UniversalProcPtr AEFilterUPP;
#define uppAEFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(EventRecord*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(const AEAddressDesc*))))
#define NewAEFilterProc(procedure) \
    ((AEFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAEFilterProcInfo, GetCurrentISA()))
#define NewAEFilterUPP(procedure) NewAEFilterProc(procedure)
#define DisposeAEFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAEFilterProc(upp, event, returnID, transactionID, sender) \
    (Boolean) CallUniversalProc(upp, uppAEFilterProcInfo, event, returnID, transactionID, sender)
#define InvokeAEFilterUPP(event, returnID, transactionID, sender, upp) CallAEFilterProc(upp, event, returnID, transactionID, sender)

typedef OSErr (*EventHandlerProcPtr)(const AppleEvent* event, AppleEvent* reply, long refcon);
typedef UniversalProcPtr EventHandlerUPP;
#define uppEventHandlerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(const AppleEvent*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(AppleEvent*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))))
#define NewEventHandlerProc(procedure) \
    ((EventHandlerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppEventHandlerProcInfo, GetCurrentISA()))
#define NewEventHandlerUPP(procedure) NewEventHandlerProc(procedure)
#define DisposeEventHandlerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallEventHandlerProc(upp, event, reply, refcon) \
    (OSErr) CallUniversalProc(upp, uppEventHandlerProcInfo, event, reply, refcon)
#define InvokeEventHandlerUPP(event, reply, refcon, upp) CallEventHandlerProc(upp, event, reply, refcon)

typedef Boolean (*IdleFunctProcPtr)(EventRecord* event, long* sleepTime, RgnHandle* mouseRgn);
typedef UniversalProcPtr IdleFunctUPP;
#define uppIdleFunctProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(EventRecord*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(RgnHandle*))))
#define NewIdleFunctProc(procedure) \
    ((IdleFunctUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppIdleFunctProcInfo, GetCurrentISA()))
#define NewIdleFunctUPP(procedure) NewIdleFunctProc(procedure)
#define DisposeIdleFunctUPP(upp) DisposeRoutineDescriptor(upp)
#define CallIdleFunctProc(upp, event, sleepTime, mouseRgn) \
    (Boolean) CallUniversalProc(upp, uppIdleFunctProcInfo, event, sleepTime, mouseRgn)
#define InvokeIdleFunctUPP(event, sleepTime, mouseRgn, upp) CallIdleFunctProc(upp, event, sleepTime, mouseRgn)

typedef OSErr (*AESpecialHandlerProcPtr)(void* first, void* second, long third);
typedef UniversalProcPtr AESpecialHandlerUPP;
#define uppAESpecialHandlerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))))
#define NewAESpecialHandlerProc(procedure) \
    ((AESpecialHandlerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppAESpecialHandlerProcInfo, GetCurrentISA()))
#define NewAESpecialHandlerUPP(procedure) NewAESpecialHandlerProc(procedure)
#define DisposeAESpecialHandlerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallAESpecialHandlerProc(upp, first, second, third) \
    (OSErr) CallUniversalProc(upp, uppAESpecialHandlerProcInfo, first, second, third)
#define InvokeAESpecialHandlerUPP(first, second, third, upp) CallAESpecialHandlerProc(upp, first, second, third)

#endif
