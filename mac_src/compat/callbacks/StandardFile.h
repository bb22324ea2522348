/* Procedures that the Toolbox calls, as StandardFile.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <StandardFile.h>

#ifndef CALLBACKS_STANDARDFILE_H
#define CALLBACKS_STANDARDFILE_H

#include <MixedMode.h>

typedef short (*DlgHookProcPtr)(short item, DialogPtr dialog);
typedef UniversalProcPtr DlgHookUPP;
#define uppDlgHookProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(DialogPtr))))
#define NewDlgHookProc(procedure) \
    ((DlgHookUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDlgHookProcInfo, GetCurrentISA()))
#define NewDlgHookUPP(procedure) NewDlgHookProc(procedure)
#define DisposeDlgHookUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDlgHookProc(upp, item, dialog) \
    (short) CallUniversalProc(upp, uppDlgHookProcInfo, item, dialog)
#define InvokeDlgHookUPP(item, dialog, upp) CallDlgHookProc(upp, item, dialog)

typedef short (*DlgHookYDProcPtr)(short item, DialogPtr dialog, void* data);
typedef UniversalProcPtr DlgHookYDUPP;
#define uppDlgHookYDProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void*))))
#define NewDlgHookYDProc(procedure) \
    ((DlgHookYDUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppDlgHookYDProcInfo, GetCurrentISA()))
#define NewDlgHookYDUPP(procedure) NewDlgHookYDProc(procedure)
#define DisposeDlgHookYDUPP(upp) DisposeRoutineDescriptor(upp)
#define CallDlgHookYDProc(upp, item, dialog, data) \
    (short) CallUniversalProc(upp, uppDlgHookYDProcInfo, item, dialog, data)
#define InvokeDlgHookYDUPP(item, dialog, data, upp) CallDlgHookYDProc(upp, item, dialog, data)

typedef Boolean (*FileFilterProcPtr)(CInfoPBPtr block);
typedef UniversalProcPtr FileFilterUPP;
#define uppFileFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(CInfoPBPtr))))
#define NewFileFilterProc(procedure) \
    ((FileFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppFileFilterProcInfo, GetCurrentISA()))
#define NewFileFilterUPP(procedure) NewFileFilterProc(procedure)
#define DisposeFileFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallFileFilterProc(upp, block) \
    (Boolean) CallUniversalProc(upp, uppFileFilterProcInfo, block)
#define InvokeFileFilterUPP(block, upp) CallFileFilterProc(upp, block)

typedef Boolean (*FileFilterYDProcPtr)(CInfoPBPtr block, void* data);
typedef UniversalProcPtr FileFilterYDUPP;
#define uppFileFilterYDProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(CInfoPBPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(void*))))
#define NewFileFilterYDProc(procedure) \
    ((FileFilterYDUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppFileFilterYDProcInfo, GetCurrentISA()))
#define NewFileFilterYDUPP(procedure) NewFileFilterYDProc(procedure)
#define DisposeFileFilterYDUPP(upp) DisposeRoutineDescriptor(upp)
#define CallFileFilterYDProc(upp, block, data) \
    (Boolean) CallUniversalProc(upp, uppFileFilterYDProcInfo, block, data)
#define InvokeFileFilterYDUPP(block, data, upp) CallFileFilterYDProc(upp, block, data)

typedef void (*ActivateYDProcPtr)(DialogPtr dialog, short item, Boolean activating, void* data);
typedef UniversalProcPtr ActivateYDUPP;
#define uppActivateYDProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(void*))))
#define NewActivateYDProc(procedure) \
    ((ActivateYDUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppActivateYDProcInfo, GetCurrentISA()))
#define NewActivateYDUPP(procedure) NewActivateYDProc(procedure)
#define DisposeActivateYDUPP(upp) DisposeRoutineDescriptor(upp)
#define CallActivateYDProc(upp, dialog, item, activating, data) \
    (void) CallUniversalProc(upp, uppActivateYDProcInfo, dialog, item, activating, data)
#define InvokeActivateYDUPP(dialog, item, activating, data, upp) CallActivateYDProc(upp, dialog, item, activating, data)

#endif
