/* Routines of SoundInput.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <SoundInput.h>

#ifndef ABSENT_SOUNDINPUT_H
#define ABSENT_SOUNDINPUT_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr SPBSignInDevice(short driver, ConstStr255Param name);
OSErr SPBSignOutDevice(short driver);
OSErr SPBMillisecondsToBytes(long device, long *milliseconds);
OSErr SPBBytesToMilliseconds(long device, long *bytes);
OSErr SndRecordToFile(ProcPtr filter, Point corner, OSType quality, short file);
OSErr SetupSndHeader(SndListHandle sound, short channels, Fixed rate, short sampleSize, OSType compression, short baseNote, unsigned long bytes, short *headerLength);
OSErr SetupAIFFHeader(short file, short channels, Fixed rate, short sampleSize, OSType compression, unsigned long bytes, unsigned long frames);

#ifdef __cplusplus
}
#endif

#endif
