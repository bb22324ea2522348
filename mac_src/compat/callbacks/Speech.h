/* Procedures that the Toolbox calls, as Speech.h names them.
 * Made by docs/generate.py from emu/toolbox/callbacks.txt.
 */

#include <Speech.h>

#ifndef CALLBACKS_SPEECH_H
#define CALLBACKS_SPEECH_H

#include <MixedMode.h>

typedef void (*SpeechDoneProcPtr)(SpeechChannel channel, long refcon);
typedef UniversalProcPtr SpeechDoneUPP;
#define uppSpeechDoneProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))))
#define NewSpeechDoneProc(procedure) \
    ((SpeechDoneUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechDoneProcInfo, GetCurrentISA()))
#define NewSpeechDoneUPP(procedure) NewSpeechDoneProc(procedure)
#define DisposeSpeechDoneUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechDoneProc(upp, channel, refcon) \
    (void) CallUniversalProc(upp, uppSpeechDoneProcInfo, channel, refcon)
#define InvokeSpeechDoneUPP(channel, refcon, upp) CallSpeechDoneProc(upp, channel, refcon)

typedef void (*SpeechTextDoneProcPtr)(SpeechChannel channel, long refcon, void** text, long* length, long* flags);
typedef UniversalProcPtr SpeechTextDoneUPP;
#define uppSpeechTextDoneProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(void**))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long*))) \
     | STACK_ROUTINE_PARAMETER(5, SIZE_CODE(sizeof(long*))))
#define NewSpeechTextDoneProc(procedure) \
    ((SpeechTextDoneUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechTextDoneProcInfo, GetCurrentISA()))
#define NewSpeechTextDoneUPP(procedure) NewSpeechTextDoneProc(procedure)
#define DisposeSpeechTextDoneUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechTextDoneProc(upp, channel, refcon, text, length, flags) \
    (void) CallUniversalProc(upp, uppSpeechTextDoneProcInfo, channel, refcon, text, length, flags)
#define InvokeSpeechTextDoneUPP(channel, refcon, text, length, flags, upp) CallSpeechTextDoneProc(upp, channel, refcon, text, length, flags)

typedef void (*SpeechSyncProcPtr)(SpeechChannel channel, long refcon, OSType message);
typedef UniversalProcPtr SpeechSyncUPP;
#define uppSpeechSyncProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(OSType))))
#define NewSpeechSyncProc(procedure) \
    ((SpeechSyncUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechSyncProcInfo, GetCurrentISA()))
#define NewSpeechSyncUPP(procedure) NewSpeechSyncProc(procedure)
#define DisposeSpeechSyncUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechSyncProc(upp, channel, refcon, message) \
    (void) CallUniversalProc(upp, uppSpeechSyncProcInfo, channel, refcon, message)
#define InvokeSpeechSyncUPP(channel, refcon, message, upp) CallSpeechSyncProc(upp, channel, refcon, message)

typedef void (*SpeechErrorProcPtr)(SpeechChannel channel, long refcon, OSErr error, long position);
typedef UniversalProcPtr SpeechErrorUPP;
#define uppSpeechErrorProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(OSErr))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(long))))
#define NewSpeechErrorProc(procedure) \
    ((SpeechErrorUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechErrorProcInfo, GetCurrentISA()))
#define NewSpeechErrorUPP(procedure) NewSpeechErrorProc(procedure)
#define DisposeSpeechErrorUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechErrorProc(upp, channel, refcon, error, position) \
    (void) CallUniversalProc(upp, uppSpeechErrorProcInfo, channel, refcon, error, position)
#define InvokeSpeechErrorUPP(channel, refcon, error, position, upp) CallSpeechErrorProc(upp, channel, refcon, error, position)

typedef void (*SpeechPhonemeProcPtr)(SpeechChannel channel, long refcon, short opcode);
typedef UniversalProcPtr SpeechPhonemeUPP;
#define uppSpeechPhonemeProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(short))))
#define NewSpeechPhonemeProc(procedure) \
    ((SpeechPhonemeUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechPhonemeProcInfo, GetCurrentISA()))
#define NewSpeechPhonemeUPP(procedure) NewSpeechPhonemeProc(procedure)
#define DisposeSpeechPhonemeUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechPhonemeProc(upp, channel, refcon, opcode) \
    (void) CallUniversalProc(upp, uppSpeechPhonemeProcInfo, channel, refcon, opcode)
#define InvokeSpeechPhonemeUPP(channel, refcon, opcode, upp) CallSpeechPhonemeProc(upp, channel, refcon, opcode)

typedef void (*SpeechWordProcPtr)(SpeechChannel channel, long refcon, long position, short length);
typedef UniversalProcPtr SpeechWordUPP;
#define uppSpeechWordProcInfo \
    (kPascalStackBased \
     | STACK_ROUTINE_PARAMETER(1, SIZE_CODE(sizeof(SpeechChannel))) \
     | STACK_ROUTINE_PARAMETER(2, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(3, SIZE_CODE(sizeof(long))) \
     | STACK_ROUTINE_PARAMETER(4, SIZE_CODE(sizeof(short))))
#define NewSpeechWordProc(procedure) \
    ((SpeechWordUPP) NewRoutineDescriptor((ProcPtr) (procedure), uppSpeechWordProcInfo, GetCurrentISA()))
#define NewSpeechWordUPP(procedure) NewSpeechWordProc(procedure)
#define DisposeSpeechWordUPP(upp) DisposeRoutineDescriptor(upp)
#define CallSpeechWordProc(upp, channel, refcon, position, length) \
    (void) CallUniversalProc(upp, uppSpeechWordProcInfo, channel, refcon, position, length)
#define InvokeSpeechWordUPP(channel, refcon, position, length, upp) CallSpeechWordProc(upp, channel, refcon, position, length)

#endif
