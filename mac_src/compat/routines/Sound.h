/* Routines of Sound.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <Sound.h>

#ifndef ROUTINES_SOUND_H
#define ROUTINES_SOUND_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr GetDefaultOutputVolume(long* level);
OSErr GetSoundHeaderOffset(Handle sndHandle, long* offset);
void GetSoundVol(short* level);
OSErr GetSysBeepVolume(long* level);
NumVersion MACEVersion(void);
OSErr SetDefaultOutputVolume(long level);
void SetSoundVol(short level);
OSErr SetSysBeepVolume(long level);
OSErr SndChannelStatus(SndChannelPtr chan, short theLength, void* theStatus);
OSErr SndControl(short id, SndCommand* cmd);
long SndDispVersion(short toolnum);
OSErr SndDisposeChannel(SndChannelPtr chan, Boolean quietNow);
OSErr SndDoCommand(SndChannelPtr chan, const SndCommand* cmd, Boolean noWait);
OSErr SndDoImmediate(SndChannelPtr chan, const SndCommand* cmd);
OSErr SndGetInfo(SndChannelPtr chan, OSType selector, void* infoPtr);
void SndGetSysBeepState(short* sysBeepState);
OSErr SndManagerStatus(short theLength, void* theStatus);
OSErr SndNewChannel(SndChannelPtr* chan, short synth, long init, ProcPtr userRoutine);
OSErr SndPlay(SndChannelPtr chan, SndListHandle sndHdl, Boolean async);
OSErr SndPlayDoubleBuffer(SndChannelPtr chan, void* theParams);
OSErr SndSetInfo(SndChannelPtr chan, OSType selector, void* infoPtr);
OSErr SndSetSysBeepState(short sysBeepState);
NumVersion SndSoundManagerVersion(void);

#ifdef __cplusplus
}
#endif

#endif
