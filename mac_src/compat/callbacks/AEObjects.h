/* Procedures that the Toolbox calls, as AEObjects.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <AEObjects.h>

#ifndef CALLBACKS_AEOBJECTS_H
#define CALLBACKS_AEOBJECTS_H

#include <MixedMode.h>

typedef OSErr (*OSLAccessorProcPtr)(DescType desired, const AEDesc* container, DescType containerClass, DescType form, const AEDesc* selection, AEDesc* value, long refcon);
typedef UniversalProcPtr OSLAccessorUPP;
#define uppOSLAccessorProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(6, SIZE_CODE(sizeof(AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(7, SIZE_CODE(sizeof(long))))
#define NewOSLAccessorProc(procedure) \
    ((OSLAccessorUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLAccessorProcInfo, GetCurrentISA()))
#define NewOSLAccessorUPP(procedure) NewOSLAccessorProc(procedure)
#define DisposeOSLAccessorUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLAccessorProc(upp, desired, container, containerClass, form, selection, value, refcon) \
    (OSErr) CallUniversalProc(upp, uppOSLAccessorProcInfo, desired, container, containerClass, form, selection, value, refcon)
#define InvokeOSLAccessorUPP(desired, container, containerClass, form, selection, value, refcon, upp) CallOSLAccessorProc(upp, desired, container, containerClass, form, selection, value, refcon)

typedef OSErr (*OSLCompareProcPtr)(DescType comparison, const AEDesc* one, const AEDesc* other, Boolean* result);
typedef UniversalProcPtr OSLCompareUPP;
#define uppOSLCompareProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(Boolean*))))
#define NewOSLCompareProc(procedure) \
    ((OSLCompareUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLCompareProcInfo, GetCurrentISA()))
#define NewOSLCompareUPP(procedure) NewOSLCompareProc(procedure)
#define DisposeOSLCompareUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLCompareProc(upp, comparison, one, other, result) \
    (OSErr) CallUniversalProc(upp, uppOSLCompareProcInfo, comparison, one, other, result)
#define InvokeOSLCompareUPP(comparison, one, other, result, upp) CallOSLCompareProc(upp, comparison, one, other, result)

typedef OSErr (*OSLCountProcPtr)(DescType desired, DescType containerClass, const AEDesc* container, long* result);
typedef UniversalProcPtr OSLCountUPP;
#define uppOSLCountProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long*))))
#define NewOSLCountProc(procedure) \
    ((OSLCountUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLCountProcInfo, GetCurrentISA()))
#define NewOSLCountUPP(procedure) NewOSLCountProc(procedure)
#define DisposeOSLCountUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLCountProc(upp, desired, containerClass, container, result) \
    (OSErr) CallUniversalProc(upp, uppOSLCountProcInfo, desired, containerClass, container, result)
#define InvokeOSLCountUPP(desired, containerClass, container, result, upp) CallOSLCountProc(upp, desired, containerClass, container, result)

typedef OSErr (*OSLDisposeTokenProcPtr)(AEDesc* token);
typedef UniversalProcPtr OSLDisposeTokenUPP;
#define uppOSLDisposeTokenProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(AEDesc*))))
#define NewOSLDisposeTokenProc(procedure) \
    ((OSLDisposeTokenUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLDisposeTokenProcInfo, GetCurrentISA()))
#define NewOSLDisposeTokenUPP(procedure) NewOSLDisposeTokenProc(procedure)
#define DisposeOSLDisposeTokenUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLDisposeTokenProc(upp, token) \
    (OSErr) CallUniversalProc(upp, uppOSLDisposeTokenProcInfo, token)
#define InvokeOSLDisposeTokenUPP(token, upp) CallOSLDisposeTokenProc(upp, token)

typedef OSErr (*OSLGetMarkTokenProcPtr)(const AEDesc* container, DescType containerClass, AEDesc* result);
typedef UniversalProcPtr OSLGetMarkTokenUPP;
#define uppOSLGetMarkTokenProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(DescType))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(AEDesc*))))
#define NewOSLGetMarkTokenProc(procedure) \
    ((OSLGetMarkTokenUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLGetMarkTokenProcInfo, GetCurrentISA()))
#define NewOSLGetMarkTokenUPP(procedure) NewOSLGetMarkTokenProc(procedure)
#define DisposeOSLGetMarkTokenUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLGetMarkTokenProc(upp, container, containerClass, result) \
    (OSErr) CallUniversalProc(upp, uppOSLGetMarkTokenProcInfo, container, containerClass, result)
#define InvokeOSLGetMarkTokenUPP(container, containerClass, result, upp) CallOSLGetMarkTokenProc(upp, container, containerClass, result)

typedef OSErr (*OSLGetErrDescProcPtr)(AEDesc** place);
typedef UniversalProcPtr OSLGetErrDescUPP;
#define uppOSLGetErrDescProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(AEDesc**))))
#define NewOSLGetErrDescProc(procedure) \
    ((OSLGetErrDescUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLGetErrDescProcInfo, GetCurrentISA()))
#define NewOSLGetErrDescUPP(procedure) NewOSLGetErrDescProc(procedure)
#define DisposeOSLGetErrDescUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLGetErrDescProc(upp, place) \
    (OSErr) CallUniversalProc(upp, uppOSLGetErrDescProcInfo, place)
#define InvokeOSLGetErrDescUPP(place, upp) CallOSLGetErrDescProc(upp, place)

typedef OSErr (*OSLMarkProcPtr)(const AEDesc* token, const AEDesc* mark, long index);
typedef UniversalProcPtr OSLMarkUPP;
#define uppOSLMarkProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(const AEDesc*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))))
#define NewOSLMarkProc(procedure) \
    ((OSLMarkUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLMarkProcInfo, GetCurrentISA()))
#define NewOSLMarkUPP(procedure) NewOSLMarkProc(procedure)
#define DisposeOSLMarkUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLMarkProc(upp, token, mark, index) \
    (OSErr) CallUniversalProc(upp, uppOSLMarkProcInfo, token, mark, index)
#define InvokeOSLMarkUPP(token, mark, index, upp) CallOSLMarkProc(upp, token, mark, index)

typedef OSErr (*OSLAdjustMarksProcPtr)(long newStart, long newStop, const AEDesc* mark);
typedef UniversalProcPtr OSLAdjustMarksUPP;
#define uppOSLAdjustMarksProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(const AEDesc*))))
#define NewOSLAdjustMarksProc(procedure) \
    ((OSLAdjustMarksUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppOSLAdjustMarksProcInfo, GetCurrentISA()))
#define NewOSLAdjustMarksUPP(procedure) NewOSLAdjustMarksProc(procedure)
#define DisposeOSLAdjustMarksUPP(upp) DisposeRoutineDescriptor(upp)
#define CallOSLAdjustMarksProc(upp, newStart, newStop, mark) \
    (OSErr) CallUniversalProc(upp, uppOSLAdjustMarksProcInfo, newStart, newStop, mark)
#define InvokeOSLAdjustMarksUPP(newStart, newStop, mark, upp) CallOSLAdjustMarksProc(upp, newStart, newStop, mark)

#endif
