/* Speech.h: the Speech Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SPEECH_H
#define COMPAT_SPEECH_H

#include <Types.h>
#include <Memory.h>
#include <Files.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { kTextToSpeechSynthType = 'ttsc', kTextToSpeechVoiceType = 'ttvd', kTextToSpeechVoiceBundleType = 'ttvb',
       kNoEndingProsody = 1, kNoSpeechInterrupt = 2, kPreflightThenPause = 4,
       kImmediate = 0, kEndOfWord = 1, kEndOfSentence = 2, kNeuter = 0, kMale = 1, kFemale = 2 };
enum { soStatus = 'stat', soErrors = 'erro', soInputMode = 'inpt', soCharacterMode = 'char',
       soNumberMode = 'nmbr', soRate = 'rate', soPitchBase = 'pbas', soPitchMod = 'pmod',
       soVolume = 'volm', soSynthType = 'vers', soRecentSync = 'sync', soPhonemeSymbols = 'phsy',
       soCurrentVoice = 'cvox', soCommandDelimiter = 'dlim', soReset = 'rset', soRefCon = 'refc',
       soTextDoneCallBack = 'tdcb', soSpeechDoneCallBack = 'sdcb', soSyncCallBack = 'sycb',
       soErrorCallBack = 'ercb', soPhonemeCallBack = 'phcb', soWordCallBack = 'wdcb',
       modeText = 'TEXT', modePhonemes = 'PHON', modeNormal = 'NORM', modeLiteral = 'LTRL' };

typedef struct SpeechChannelRecord { long data[1]; } SpeechChannelRecord, *SpeechChannel;
typedef struct VoiceSpec { OSType creator, id; } VoiceSpec, *VoiceSpecPtr;
typedef struct VoiceDescription
{
    long length;
    VoiceSpec voice;
    long version;
    Str63 name;
    Str255 comment;
    short gender, age, script, language, region;
    long reserved[4];
} VoiceDescription, *VoiceDescriptionPtr;
typedef struct VoiceFileInfo { FSSpec fileSpec; short resID; } VoiceFileInfo, *VoiceFileInfoPtr;
typedef struct SpeechStatusInfo { Boolean outputBusy, outputPaused; long inputBytesLeft; short phonemeCode; } SpeechStatusInfo;
typedef struct SpeechErrorInfo { short count; OSErr oldest; long oldPos; OSErr newest; long newPos; } SpeechErrorInfo;

#include "callbacks/Speech.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/Speech.h"

#endif
