/* Routines of Sound.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_SOUND_H
#define ROUTINES_SOUND_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {
#endif

OSErr GetDefaultOutputVolume(long* level);
OSErr GetSysBeepVolume(long* level);
OSErr SetDefaultOutputVolume(long level);
OSErr SetSysBeepVolume(long level);
OSErr SndChannelStatus(void* chan, short theLength, void* theStatus);
OSErr SndControl(short id, void* cmd);
long SndDispVersion(short toolnum);
OSErr SndDisposeChannel(void* chan, Boolean quietNow);
OSErr SndDoCommand(void* chan, void* cmd, Boolean noWait);
OSErr SndDoImmediate(void* chan, void* cmd);
OSErr SndGetInfo(void* chan, OSType selector, void* infoPtr);
void SndGetSysBeepState(short* sysBeepState);
OSErr SndManagerStatus(short theLength, void* theStatus);
OSErr SndNewChannel(void* chan, short synth, long init, ProcPtr userRoutine);
OSErr SndPlay(void* chan, Handle sndHdl, Boolean async);
OSErr SndPlayDoubleBuffer(void* chan, void* theParams);
OSErr SndSetInfo(void* chan, OSType selector, void* infoPtr);
OSErr SndSetSysBeepState(short sysBeepState);
long SndSoundManagerVersion(void);

#ifdef __cplusplus
}
#endif

#endif
