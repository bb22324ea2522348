/* Procedures that the Toolbox calls, as Printing.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Printing.h>

#ifndef CALLBACKS_PRINTING_H
#define CALLBACKS_PRINTING_H

#include <MixedMode.h>

typedef void (*PrIdleProcPtr)(void);
typedef UniversalProcPtr PrIdleUPP;
#define uppPrIdleProcInfo \
    (kPascalStackBased)
#define NewPrIdleProc(procedure) \
    ((PrIdleUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppPrIdleProcInfo, GetCurrentISA()))
#define NewPrIdleUPP(procedure) NewPrIdleProc(procedure)
#define DisposePrIdleUPP(upp) DisposeRoutineDescriptor(upp)
#define CallPrIdleProc(upp) \
    (void) CallUniversalProc(upp, uppPrIdleProcInfo)
#define InvokePrIdleUPP(upp) CallPrIdleProc(upp)

typedef void (*PItemProcPtr)(DialogPtr dialog, short item);
typedef UniversalProcPtr PItemUPP;
#define uppPItemProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewPItemProc(procedure) \
    ((PItemUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppPItemProcInfo, GetCurrentISA()))
#define NewPItemUPP(procedure) NewPItemProc(procedure)
#define DisposePItemUPP(upp) DisposeRoutineDescriptor(upp)
#define CallPItemProc(upp, dialog, item) \
    (void) CallUniversalProc(upp, uppPItemProcInfo, dialog, item)
#define InvokePItemUPP(dialog, item, upp) CallPItemProc(upp, dialog, item)

#endif
