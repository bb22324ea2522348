/* Routines of Sound.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Sound.h>

#ifndef ABSENT_SOUND_H
#define ABSENT_SOUND_H

#ifdef __cplusplus
extern "C" {
#endif

void StartSound(const void *synthesizer, long bytes, ProcPtr completion);
void StopSound(void);
Boolean SoundDone(void);
OSErr SndAddModifier(SndChannelPtr channel, Ptr modifier, short id, long init);
OSErr SndStartFilePlay(SndChannelPtr channel, short file, short resource, long bufferSize, void *buffer, AudioSelectionPtr selection, FilePlayCompletionUPP completion, Boolean async);
OSErr SndPauseFilePlay(SndChannelPtr channel);
OSErr SndStopFilePlay(SndChannelPtr channel, Boolean quietNow);
unsigned long UnsignedFixedMulDiv(unsigned long value, unsigned long multiplier, unsigned long divisor);
void Comp3to1(const void *in, void *out, unsigned long count, const void *inState, void *outState, unsigned long channels, unsigned long which);
void Exp1to3(const void *in, void *out, unsigned long count, const void *inState, void *outState, unsigned long channels, unsigned long which);
void Comp6to1(const void *in, void *out, unsigned long count, const void *inState, void *outState, unsigned long channels, unsigned long which);
void Exp1to6(const void *in, void *out, unsigned long count, const void *inState, void *outState, unsigned long channels, unsigned long which);
OSErr GetCompressionInfo(short id, OSType format, short channels, short sampleSize, void *info);
OSErr GetCompressionName(OSType format, Str255 name);

#ifdef __cplusplus
}
#endif

#endif
