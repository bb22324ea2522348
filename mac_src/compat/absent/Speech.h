/* Routines of Speech.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Speech.h>

#ifndef ABSENT_SPEECH_H
#define ABSENT_SPEECH_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr MakeVoiceSpec(OSType creator, OSType id, VoiceSpec *voice);
OSErr CountVoices(short *count);
OSErr GetIndVoice(short index, VoiceSpec *voice);
OSErr GetVoiceDescription(const VoiceSpec *voice, VoiceDescription *info, long length);
OSErr GetVoiceInfo(const VoiceSpec *voice, OSType selector, void *info);
OSErr NewSpeechChannel(VoiceSpec *voice, SpeechChannel *channel);
OSErr DisposeSpeechChannel(SpeechChannel channel);
OSErr SpeakString(ConstStr255Param text);
OSErr SpeakText(SpeechChannel channel, const void *text, long length);
OSErr SpeakBuffer(SpeechChannel channel, const void *text, long length, long flags);
OSErr StopSpeech(SpeechChannel channel);
OSErr StopSpeechAt(SpeechChannel channel, long where);
OSErr PauseSpeechAt(SpeechChannel channel, long where);
OSErr ContinueSpeech(SpeechChannel channel);
short SpeechBusy(void);
short SpeechBusySystemWide(void);
OSErr SetSpeechRate(SpeechChannel channel, Fixed rate);
OSErr GetSpeechRate(SpeechChannel channel, Fixed *rate);
OSErr SetSpeechPitch(SpeechChannel channel, Fixed pitch);
OSErr GetSpeechPitch(SpeechChannel channel, Fixed *pitch);
OSErr SetSpeechInfo(SpeechChannel channel, OSType selector, const void *info);
OSErr GetSpeechInfo(SpeechChannel channel, OSType selector, void *info);
OSErr TextToPhonemes(SpeechChannel channel, const void *text, long length, Handle phonemes, long *phonemeLength);
OSErr UseDictionary(SpeechChannel channel, Handle dictionary);
NumVersion SpeechManagerVersion(void);

#ifdef __cplusplus
}
#endif

#endif
