/* Procedures that the Toolbox calls, as Dialogs.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Dialogs.h>

#ifndef CALLBACKS_DIALOGS_H
#define CALLBACKS_DIALOGS_H

#include <MixedMode.h>

typedef Boolean (*ModalFilterProcPtr)(DialogPtr dialog, EventRecord* event, short* item);
typedef UniversalProcPtr ModalFilterUPP;
#define uppModalFilterProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(EventRecord*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short*))))
#define NewModalFilterProc(procedure) \
    ((ModalFilterUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppModalFilterProcInfo, GetCurrentISA()))
#define NewModalFilterUPP(procedure) NewModalFilterProc(procedure)
#define DisposeModalFilterUPP(upp) DisposeRoutineDescriptor(upp)
#define CallModalFilterProc(upp, dialog, event, item) \
    (Boolean) CallUniversalProc(upp, uppModalFilterProcInfo, dialog, event, item)
#define InvokeModalFilterUPP(dialog, event, item, upp) CallModalFilterProc(upp, dialog, event, item)

typedef Boolean (*ModalFilterYDProcPtr)(DialogPtr dialog, EventRecord* event, short* item, void* data);
typedef UniversalProcPtr ModalFilterYDUPP;
#define uppModalFilterYDProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(EventRecord*))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short*))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(void*))))
#define NewModalFilterYDProc(procedure) \
    ((ModalFilterYDUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppModalFilterYDProcInfo, GetCurrentISA()))
#define NewModalFilterYDUPP(procedure) NewModalFilterYDProc(procedure)
#define DisposeModalFilterYDUPP(upp) DisposeRoutineDescriptor(upp)
#define CallModalFilterYDProc(upp, dialog, event, item, data) \
    (Boolean) CallUniversalProc(upp, uppModalFilterYDProcInfo, dialog, event, item, data)
#define InvokeModalFilterYDUPP(dialog, event, item, data, upp) CallModalFilterYDProc(upp, dialog, event, item, data)

typedef void (*UserItemProcPtr)(DialogPtr dialog, short item);
typedef UniversalProcPtr UserItemUPP;
#define uppUserItemProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(DialogPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(short))))
#define NewUserItemProc(procedure) \
    ((UserItemUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppUserItemProcInfo, GetCurrentISA()))
#define NewUserItemUPP(procedure) NewUserItemProc(procedure)
#define DisposeUserItemUPP(upp) DisposeRoutineDescriptor(upp)
#define CallUserItemProc(upp, dialog, item) \
    (void) CallUniversalProc(upp, uppUserItemProcInfo, dialog, item)
#define InvokeUserItemUPP(dialog, item, upp) CallUserItemProc(upp, dialog, item)

typedef void (*SoundProcPtr)(short number);
typedef UniversalProcPtr SoundUPP;
#define uppSoundProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(short))))
#define NewSoundProc(procedure) \
    ((SoundUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSoundProcInfo, GetCurrentISA()))
#define NewSoundUPP(procedure) NewSoundProc(procedure)
#define DisposeSoundUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSoundProc(upp, number) \
    (void) CallUniversalProc(upp, uppSoundProcInfo, number)
#define InvokeSoundUPP(number, upp) CallSoundProc(upp, number)

typedef void (*ResumeProcPtr)(void);
typedef UniversalProcPtr ResumeUPP;
#define uppResumeProcInfo \
    (kPascalStackBased)
#define NewResumeProc(procedure) \
    ((ResumeUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppResumeProcInfo, GetCurrentISA()))
#define NewResumeUPP(procedure) NewResumeProc(procedure)
#define DisposeResumeUPP(upp) DisposeRoutineDescriptor(upp)
#define CallResumeProc(upp) \
    (void) CallUniversalProc(upp, uppResumeProcInfo)
#define InvokeResumeUPP(upp) CallResumeProc(upp)

#endif
