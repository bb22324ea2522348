/* Procedures that the Toolbox calls, as PPCToolBox.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <PPCToolBox.h>

#ifndef CALLBACKS_PPCTOOLBOX_H
#define CALLBACKS_PPCTOOLBOX_H

#include <MixedMode.h>

typedef void (*PPCCompProcPtr)(void* block);
typedef UniversalProcPtr PPCCompUPP;
#define uppPPCCompProcInfo \
    (kRegisterBased \
     | REGISTER_ROUTINE_PARAMETER(1, kRegisterA0, SIZE_CODE(sizeof(void*))))
#define NewPPCCompProc(procedure) \
    ((PPCCompUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppPPCCompProcInfo, GetCurrentISA()))
#define NewPPCCompUPP(procedure) NewPPCCompProc(procedure)
#define DisposePPCCompUPP(upp) DisposeRoutineDescriptor(upp)
#define CallPPCCompProc(upp, block) \
    (void) CallUniversalProc(upp, uppPPCCompProcInfo, block)
#define InvokePPCCompUPP(block, upp) CallPPCCompProc(upp, block)

typedef Boolean (*PPCFilterProcPtr)(void* location, void* port);
typedef UniversalProcPtr PPCFilterUPP;
#define uppPPCFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(void*))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewPPCFilterProc(procedure) \
    ((PPCFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppPPCFilterProcInfo, GetCurrentISA()))
#define NewPPCFilterUPP(procedure) NewPPCFilterProc(procedure)
#define DisposePPCFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallPPCFilterProc(upp, location, port) \
    (Boolean) CallUniversalProc(upp, uppPPCFilterProcInfo, location, port)
#define InvokePPCFilterUPP(location, port, upp) CallPPCFilterProc(upp, location, port)

#endif
