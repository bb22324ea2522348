/* Routines of SoundInput.h.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <SoundInput.h>

#ifndef ROUTINES_SOUNDINPUT_H
#define ROUTINES_SOUNDINPUT_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr SPBCloseDevice(long inRefNum);
OSErr SPBGetDeviceInfo(long inRefNum, OSType infoType, void* infoData);
OSErr SPBGetIndexedDevice(short count, ConstStr255Param deviceName, Handle* deviceIconHandle);
OSErr SPBGetRecordingStatus(long inRefNum, short* recordingStatus, short* meterLevel, long* totalSamplesToRecord, long* numberOfSamplesRecorded, long* totalMsecsToRecord, long* numberOfMsecsRecorded);
OSErr SPBOpenDevice(ConstStr255Param deviceName, short permission, long* inRefNum);
OSErr SPBPauseRecording(long inRefNum);
OSErr SPBRecord(void* inParamPtr, Boolean asynchFlag);
OSErr SPBResumeRecording(long inRefNum);
OSErr SPBSetDeviceInfo(long inRefNum, OSType infoType, void* infoData);
OSErr SPBStopRecording(long inRefNum);
NumVersion SPBVersion(void);
OSErr SndRecord(ProcPtr filterProc, Point corner, OSType quality, SndListHandle* sndHandle);

#ifdef __cplusplus
}
#endif

#endif
