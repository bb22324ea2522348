/* Sound.h: the Sound Manager. See Types.h for what these headers are. */

#ifndef COMPAT_SOUND_H
#define COMPAT_SOUND_H

#include <Types.h>
#include <Memory.h>
#include <Files.h>
#include <Dialogs.h>
#include <MixedMode.h>
#include <Components.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Sound.h"

typedef SndChannel              *SndChannelPtr;
typedef SndDoubleBuffer         *SndDoubleBufferPtr;
typedef SndDoubleBufferHeader   *SndDoubleBufferHeaderPtr;
typedef unsigned long           UnsignedFixed;


enum { swMode = -1, ftMode = 1, ffMode = 0 };
enum { squareWaveSynth = 1, noteSynth = 1, waveTableSynth = 3, sampledSynth = 5, MIDISynthIn = 7,
       MIDISynthOut = 9 };
enum { initChanLeft = 2, initChanRight = 3, waveInitChannel0 = 4, waveInitChannel1 = 5,
       waveInitChannel2 = 6, waveInitChannel3 = 7, initChan0 = 4, initChan1 = 5, initChan2 = 6,
       initChan3 = 7, initSRate22k = 0x20, initSRate44k = 0x30, initMono = 0x80, initStereo = 0xC0,
       initMACE3 = 0x300, initMACE6 = 0x400, initNoInterp = 4, initNoDrop = 8, initPanMask = 3,
       initSRateMask = 0x30, initStereoMask = 0xC0, initCompMask = 0xFF00 };
enum { stdQLength = 128, dataOffsetFlag = 0x8000, notCompressed = 0, twoToOne = 1,
       eightToThree = 2, threeToOne = 3, sixToOne = 4, fixedCompression = -1,
       variableCompression = -2 };
enum { stdSH = 0, extSH = 0xFF, cmpSH = 0xFE, kMiddleC = 60, kSimpleBeepID = 1 };
enum { unitTypeNoSelection = 0xFFFF, unitTypeSeconds = 0 };
enum { sysBeepDisable = 0, sysBeepEnable = 1, sysBeepSynchronous = 2 };
enum { kFullVolume = 0x100, kNoVolume = 0, kUseOptionalOutputDevice = -1 };
enum { firstSoundFormat = 1, secondSoundFormat = 2, dbBufferReady = 1, dbLastBuffer = 4 };
enum { rate44khz = (long) 0xAC440000, rate22050hz = 0x56220000, rate22khz = 0x56EE8BA3,
       rate11khz = 0x2B7745D1, rate11025hz = 0x2B110000, rate8khz = 0x1F400000 };
enum { soundListRsrc = 'snd ' };

enum                            /* commands */
{
    nullCmd = 0, initCmd, freeCmd, quietCmd, flushCmd, reInitCmd, waitCmd = 10, pauseCmd, resumeCmd,
    callBackCmd, syncCmd, emptyCmd, tickleCmd = 20, requestNextCmd, howOftenCmd, wakeUpCmd,
    availableCmd, versionCmd, totalLoadCmd, loadCmd, scaleCmd = 30, tempoCmd, freqDurationCmd = 40,
    noteCmd = 40, restCmd, freqCmd, ampCmd, timbreCmd, getAmpCmd, volumeCmd, getVolumeCmd,
    clockComponentCmd = 50, getClockComponentCmd, waveTableCmd = 60, phaseCmd, soundCmd = 80,
    bufferCmd, rateCmd, continueCmd, doubleBufferCmd, getRateCmd, rateMultiplierCmd,
    getRateMultiplierCmd, sizeCmd = 90, convertCmd
};

typedef struct ModRef { unsigned short modNumber; long modInit; } ModRef;

typedef struct SndListResource
{
    short format, numModifiers;
    ModRef modifierPart[1];
    short numCommands;
    SndCommand commandPart[1];
    unsigned char dataPart[1];
} SndListResource, *SndListPtr, **SndListHandle, **SndListHndl;

typedef struct Snd2ListResource
{
    short format, refCount, numCommands;
    SndCommand commandPart[1];
    unsigned char dataPart[1];
} Snd2ListResource, *Snd2ListPtr, **Snd2ListHandle, **Snd2ListHndl;

typedef struct SoundHeader
{
    Ptr samplePtr;
    unsigned long length;
    UnsignedFixed sampleRate;
    unsigned long loopStart, loopEnd;
    unsigned char encode, baseFrequency, sampleArea[1];
} SoundHeader, *SoundHeaderPtr;

typedef struct CmpSoundHeader
{
    Ptr samplePtr;
    unsigned long numChannels;
    UnsignedFixed sampleRate;
    unsigned long loopStart, loopEnd;
    unsigned char encode, baseFrequency;
    unsigned long numFrames;
    unsigned char AIFFSampleRate[10];
    Ptr markerChunk;
    OSType format;
    unsigned long futureUse2;
    Ptr stateVars, leftOverSamples;
    short compressionID;
    unsigned short packetSize, snthID, sampleSize;
    unsigned char sampleArea[1];
} CmpSoundHeader, *CmpSoundHeaderPtr;

typedef struct ExtSoundHeader
{
    Ptr samplePtr;
    unsigned long numChannels;
    UnsignedFixed sampleRate;
    unsigned long loopStart, loopEnd;
    unsigned char encode, baseFrequency;
    unsigned long numFrames;
    unsigned char AIFFSampleRate[10];
    Ptr markerChunk, instrumentChunks, AESRecording;
    unsigned short sampleSize, futureUse1;
    unsigned long futureUse2, futureUse3, futureUse4;
    unsigned char sampleArea[1];
} ExtSoundHeader, *ExtSoundHeaderPtr;

typedef union SoundHeaderUnion
{
    SoundHeader     stdHeader;
    CmpSoundHeader  cmpHeader;
    ExtSoundHeader  extHeader;
} SoundHeaderUnion;

typedef struct SCStatus
{
    UnsignedFixed scStartTime, scEndTime, scCurrentTime;
    Boolean scChannelBusy, scChannelDisposed, scChannelPaused, scUnused;
    unsigned long scChannelAttributes;
    long scCPULoad;
} SCStatus, *SCStatusPtr;

typedef struct SMStatus { short smMaxCPULoad, smNumChannels, smCurCPULoad; } SMStatus, *SMStatusPtr;

typedef struct AudioSelection { long unitType; UnsignedFixed selStart, selEnd; } AudioSelection, *AudioSelectionPtr;

typedef struct SoundInfoList { short count; Handle infoHandle; } SoundInfoList, *SoundInfoListPtr;

/* the Sound Driver of before the Sound Manager (Inside Macintosh II) */

typedef unsigned char FreeWave[30001];
typedef struct FFSynthRec { short mode; Fixed count; FreeWave waveBytes; } FFSynthRec, *FFSynthPtr;
typedef struct Tone { short count, amplitude, duration; } Tone, Tones[5001];
typedef struct SWSynthRec { short mode; Tones triplets; } SWSynthRec, *SWSynthPtr;
typedef char Wave[256], *WavePtr;
typedef struct FTSoundRec
{
    short duration;
    Fixed sound1Rate;
    long sound1Phase;
    Fixed sound2Rate;
    long sound2Phase;
    Fixed sound3Rate;
    long sound3Phase;
    Fixed sound4Rate;
    long sound4Phase;
    WavePtr sound1Wave, sound2Wave, sound3Wave, sound4Wave;
} FTSoundRec, *FTSndRecPtr;
typedef struct FTSynthRec { short mode; FTSndRecPtr sndRec; } FTSynthRec, *FTSynthPtr;

#include "callbacks/Sound.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Sound.h"

#include "absent/Sound.h"

#endif
