/* Procedures that the Toolbox calls, as Editions.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Editions.h>

#ifndef CALLBACKS_EDITIONS_H
#define CALLBACKS_EDITIONS_H

#include <MixedMode.h>

typedef short (*FormatIOProcPtr)(short selector, void* block, void* section);
typedef UniversalProcPtr FormatIOUPP;
#define uppFormatIOProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewFormatIOProc(procedure) \
    ((FormatIOUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppFormatIOProcInfo, GetCurrentISA()))
#define NewFormatIOUPP(procedure) NewFormatIOProc(procedure)
#define DisposeFormatIOUPP(upp) DisposeRoutineDescriptor(upp)
#define CallFormatIOProc(upp, selector, block, section) \
    (short) CallUniversalProc(upp, uppFormatIOProcInfo, selector, block, section)
#define InvokeFormatIOUPP(selector, block, section, upp) CallFormatIOProc(upp, selector, block, section)

typedef short (*EditionOpenerProcPtr)(short selector, void* block);
typedef UniversalProcPtr EditionOpenerUPP;
#define uppEditionOpenerProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewEditionOpenerProc(procedure) \
    ((EditionOpenerUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppEditionOpenerProcInfo, GetCurrentISA()))
#define NewEditionOpenerUPP(procedure) NewEditionOpenerProc(procedure)
#define DisposeEditionOpenerUPP(upp) DisposeRoutineDescriptor(upp)
#define CallEditionOpenerProc(upp, selector, block) \
    (short) CallUniversalProc(upp, uppEditionOpenerProcInfo, selector, block)
#define InvokeEditionOpenerUPP(selector, block, upp) CallEditionOpenerProc(upp, selector, block)

#endif
