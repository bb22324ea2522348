/* Procedures that the Toolbox calls, as Sound.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Sound.h>

#ifndef CALLBACKS_SOUND_H
#define CALLBACKS_SOUND_H

#include <MixedMode.h>

typedef void (*SndCallBackProcPtr)(SndChannelPtr channel, SndCommand* command);
typedef UniversalProcPtr SndCallBackUPP;
#define uppSndCallBackProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SndChannelPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(SndCommand*))))
#define NewSndCallBackProc(procedure) \
    ((SndCallBackUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSndCallBackProcInfo, GetCurrentISA()))
#define NewSndCallBackUPP(procedure) NewSndCallBackProc(procedure)
#define DisposeSndCallBackUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSndCallBackProc(upp, channel, command) \
    (void) CallUniversalProc(upp, uppSndCallBackProcInfo, channel, command)
#define InvokeSndCallBackUPP(channel, command, upp) CallSndCallBackProc(upp, channel, command)

typedef void (*SndDoubleBackProcPtr)(SndChannelPtr channel, SndDoubleBufferPtr buffer);
typedef UniversalProcPtr SndDoubleBackUPP;
#define uppSndDoubleBackProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SndChannelPtr))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(SndDoubleBufferPtr))))
#define NewSndDoubleBackProc(procedure) \
    ((SndDoubleBackUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSndDoubleBackProcInfo, GetCurrentISA()))
#define NewSndDoubleBackUPP(procedure) NewSndDoubleBackProc(procedure)
#define DisposeSndDoubleBackUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSndDoubleBackProc(upp, channel, buffer) \
    (void) CallUniversalProc(upp, uppSndDoubleBackProcInfo, channel, buffer)
#define InvokeSndDoubleBackUPP(channel, buffer, upp) CallSndDoubleBackProc(upp, channel, buffer)

typedef void (*FilePlayCompletionProcPtr)(SndChannelPtr channel);
typedef UniversalProcPtr FilePlayCompletionUPP;
#define uppFilePlayCompletionProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SndChannelPtr))))
#define NewFilePlayCompletionProc(procedure) \
    ((FilePlayCompletionUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppFilePlayCompletionProcInfo, GetCurrentISA()))
#define NewFilePlayCompletionUPP(procedure) NewFilePlayCompletionProc(procedure)
#define DisposeFilePlayCompletionUPP(upp) DisposeRoutineDescriptor(upp)
#define CallFilePlayCompletionProc(upp, channel) \
    (void) CallUniversalProc(upp, uppFilePlayCompletionProcInfo, channel)
#define InvokeFilePlayCompletionUPP(channel, upp) CallFilePlayCompletionProc(upp, channel)

typedef Boolean (*SoundParamProcPtr)(void* parameters);
typedef UniversalProcPtr SoundParamUPP;
#define uppSoundParamProcInfo \
    (kPascalStackBased \
     | RESULT_SIZE(SIZE_CODE(sizeof(Boolean))) \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(void*))))
#define NewSoundParamProc(procedure) \
    ((SoundParamUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSoundParamProcInfo, GetCurrentISA()))
#define NewSoundParamUPP(procedure) NewSoundParamProc(procedure)
#define DisposeSoundParamUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSoundParamProc(upp, parameters) \
    (Boolean) CallUniversalProc(upp, uppSoundParamProcInfo, parameters)
#define InvokeSoundParamUPP(parameters, upp) CallSoundParamProc(upp, parameters)

#endif
