/* SoundInput.h: recording sounds. See Types.h for what these headers are. */

#ifndef COMPAT_SOUNDINPUT_H
#define COMPAT_SOUNDINPUT_H

#include <Types.h>
#include <Dialogs.h>
#include <Files.h>
#include <Sound.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { siBestQuality = 'best', siBetterQuality = 'betr', siGoodQuality = 'good' };
enum { siDeviceIsConnected = 1, siDeviceNotConnected = 0, siDontKnowIfConnected = -1,
       siReadPermission = 0, siWritePermission = 1 };
enum
{
    siActiveChannels = 'chac', siActiveLevels = 'lmac', siAGCOnOff = 'agc ', siAsync = 'asyn',
    siChannelAvailable = 'chav', siCompressionAvailable = 'cmav', siCompressionFactor = 'cmfa',
    siCompressionHeader = 'cmhd', siCompressionNames = 'cnam', siCompressionType = 'comp',
    siContinuous = 'cont', siDeviceBufferInfo = 'dbin', siDeviceConnected = 'dcon',
    siDeviceIcon = 'icon', siDeviceName = 'name', siInputGain = 'gain', siInputSource = 'sour',
    siInputSourceNames = 'snam', siLevelMeterOnOff = 'lmet', siNumberChannels = 'chan',
    siOptionsDialog = 'optd', siPlayThruOnOff = 'plth', siRecordingQuality = 'qual',
    siSampleRate = 'srat', siSampleRateAvailable = 'srav', siSampleSize = 'ssiz',
    siSampleSizeAvailable = 'ssav', siStereoInputGain = 'sgai', siTwosComplementOnOff = 'twos',
    siVoxRecordInfo = 'voxr', siVoxStopInfo = 'voxs', siInitializeDriver = 'init',
    siCloseDriver = 'clos', siPauseRecording = 'paus', siUserInterruptProc = 'user'
};

typedef struct SPB *SPBPtr;

#include "callbacks/SoundInput.h"

typedef struct SPB
{
    long inRefNum;
    unsigned long count, milliseconds, bufferLength;
    Ptr bufferPtr;
    SICompletionUPP completionRoutine;
    SIInterruptUPP interruptRoutine;
    long userLong;
    OSErr error;
    long unused1;
} SPB;

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/SoundInput.h"

#include "absent/SoundInput.h"

#endif
