/* Movies.h: QuickTime's Movie Toolbox. See Types.h for what these headers are. */

#ifndef COMPAT_MOVIES_H
#define COMPAT_MOVIES_H

#include <Types.h>
#include <Quickdraw.h>
#include <Files.h>
#include <Aliases.h>
#include <Events.h>
#include <Components.h>
#include <MixedMode.h>
#include <ImageCompression.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct MovieRecord      { long data[1]; } MovieRecord, *Movie;
typedef struct TrackRecord      { long data[1]; } TrackRecord, *Track;
typedef struct MediaRecord      { long data[1]; } MediaRecord, *Media;
typedef struct UserDataRecord   { long data[1]; } UserDataRecord, *UserData;
typedef struct TimeBaseRecord   { long data[1]; } TimeBaseRecord, *TimeBase;
typedef struct CallBackRecord   { long data[1]; } CallBackRecord, *QTCallBack;
typedef struct MovieEditStateRecord { long data[1]; } MovieEditStateRecord, *MovieEditState;
typedef struct TrackEditStateRecord { long data[1]; } TrackEditStateRecord, *TrackEditState;
typedef struct SpriteWorldRecord { long data[1]; } SpriteWorldRecord, *SpriteWorld;
typedef ComponentInstance       MovieController, MediaHandler, DataHandler, ClockComponent;
typedef Component               MovieControllerComponent;
typedef long                    TimeValue, TimeScale, TimeBaseFlags;
typedef struct wide { SInt32 hi; UInt32 lo; } wide; /* no source of before 1995 has it */
typedef wide                    CompTimeValue;
typedef short                   mcAction;
typedef unsigned long           mcFlags;

typedef struct TimeRecord { CompTimeValue value; TimeScale scale; TimeBase base; } TimeRecord;
typedef struct MatrixRecord { Fixed matrix[3][3]; } MatrixRecord, *MatrixRecordPtr;
typedef struct SampleDescription { long descSize, dataFormat, resvd1; short resvd2, dataRefIndex; } SampleDescription, *SampleDescriptionPtr, **SampleDescriptionHandle;
typedef struct SoundDescription
{
    long descSize, dataFormat, resvd1;
    short resvd2, dataRefIndex, version, revlevel;
    long vendor;
    short numChannels, sampleSize, compressionID, packetSize;
    Fixed sampleRate;
} SoundDescription, *SoundDescriptionPtr, **SoundDescriptionHandle;

enum { MovieFileType = 'MooV', VideoMediaType = 'vide', SoundMediaType = 'soun',
       TextMediaType = 'text', MusicMediaType = 'musi', MovieResourceType = 'moov',
       MovieControllerComponentType = 'play' };
enum { newMovieActive = 1, newMovieDontResolveDataRefs = 2, newMovieDontAskUnresolvedDataRefs = 4,
       newMovieDontAutoAlternates = 8, createMovieFileDeleteCurFile = (long) 0x80000000,
       createMovieFileDontCreateMovie = 0x40000000, createMovieFileDontOpenFile = 0x20000000,
       movieInDataForkResID = -1, flattenAddMovieToDataFork = 1,
       movieTrackMediaType = 1, movieTrackCharacteristic = 2, movieTrackEnabledOnly = 4 };
enum { mcTopLeftMovie = 1, mcScaleMovieToFit = 2, mcWithBadge = 4, mcNotVisible = 8,
       mcWithFrame = 16 };
enum { mcActionIdle = 1, mcActionDraw, mcActionActivate, mcActionDeactivate, mcActionMouseDown,
       mcActionKey, mcActionPlay = 8, mcActionGoToTime = 12, mcActionSetVolume = 14,
       mcActionGetVolume, mcActionStep = 18, mcActionSetLooping = 21, mcActionGetLooping,
       mcActionSetLoopIsPalindrome, mcActionGetLoopIsPalindrome, mcActionSetGrowBoxBounds,
       mcActionControllerSizeChanged, mcActionSetKeysEnabled = 34, mcActionSetPlaySelection = 37,
       mcActionMovieEdited = 50 };
enum { loopTimeBase = 1, palindromeLoopTimeBase = 2, maintainTimeBaseZero = 4,
       hintsScrubMode = 1, hintsAllowInterlace = 64, keepInRam = 1, unkeepInRam = 2,
       flushFromRam = 4, loadForwardTrackEdits = 8, loadBackwardTrackEdits = 16 };
enum { nextTimeMediaSample = 1, nextTimeMediaEdit = 2, nextTimeTrackEdit = 4,
       nextTimeSyncSample = 8, nextTimeStep = 16, nextTimeEdgeOK = 16384,
       nextTimeIgnoreActiveSegment = -32768 };

#include "callbacks/Movies.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/Movies.h"

#endif
