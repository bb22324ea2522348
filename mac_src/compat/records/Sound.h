/* Records of Sound.h.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_SOUND_H
#define RECORDS_SOUND_H

#include <Types.h>

#pragma pack(push, 2)

typedef struct SndCommand
{
    unsigned short cmd;
    short param1;
    long param2;
} SndCommand;

typedef struct SndChannel
{
    struct SndChannel* nextChan;
    Ptr firstMod;
    ProcPtr callBack;
    long userInfo;
    long wait;
    SndCommand cmdInProgress;
    short flags;
    short qLength;
    short qHead;
    short qTail;
    char queue[1024];
} SndChannel;

typedef struct SndDoubleBuffer
{
    long dbNumFrames;
    long dbFlags;
    long dbUserInfo1;
    long dbUserInfo2;
} SndDoubleBuffer;

typedef struct SndDoubleBufferHeader
{
    short dbhNumChannels;
    short dbhSampleSize;
    short dbhCompressionID;
    short dbhPacketSize;
    Fixed dbhSampleRate;
    struct SndDoubleBuffer* dbhBufferPtr1;
    struct SndDoubleBuffer* dbhBufferPtr2;
    ProcPtr dbhDoubleBack;
} SndDoubleBufferHeader;

#pragma pack(pop)

#endif
