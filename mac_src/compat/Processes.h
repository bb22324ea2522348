/* Processes.h: processes, launching, and the end. See Types.h for what these headers are. */

#ifndef COMPAT_PROCESSES_H
#define COMPAT_PROCESSES_H

#include <Types.h>
#include <Events.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Processes.h"

typedef ProcessSerialNumber *ProcessSerialNumberPtr;
typedef ProcessInfoRec      *ProcessInfoRecPtr;
typedef unsigned short      LaunchFlags;

enum { kNoProcess = 0, kSystemProcess = 1, kCurrentProcess = 2 };

enum                            /* processMode */
{
    modeReserved = 0x01000000, modeControlPanel = 0x00080000, modeDeskAccessory = 0x00020000,
    modeMultiLaunch = 0x00010000, modeNeedSuspendResume = 0x00004000,
    modeCanBackground = 0x00001000, modeDoesActivateOnFGSwitch = 0x00000800,
    modeOnlyBackground = 0x00000400, modeGetFrontClicks = 0x00000200,
    modeGetAppDiedMsg = 0x00000100, mode32BitCompatible = 0x00000080,
    modeHighLevelEventAware = 0x00000040, modeLocalAndRemoteHLEvents = 0x00000020,
    modeStationeryAware = 0x00000010, modeUseTextEditServices = 0x00000008
};

enum { launchContinue = 0x4000, launchNoFileFlags = 0x0800, launchUseMinimum = 0x0400,
       launchDontSwitch = 0x0200, launchAllow24Bit = 0x0100, launchInhibitDaemon = 0x0080 };
enum { extendedBlock = 0x4C43, extendedBlockLen = 32 };

typedef struct AppParameters
{
    EventRecord theMsgEvent;
    unsigned long eventRefCon, messageLength;
} AppParameters, *AppParametersPtr;

typedef struct LaunchParamBlockRec
{
    unsigned long reserved1;
    unsigned short reserved2, launchBlockID;
    unsigned long launchEPBLength;
    unsigned short launchFileFlags;
    LaunchFlags launchControlFlags;
    FSSpec* launchAppSpec;
    ProcessSerialNumber launchProcessSN;
    unsigned long launchPreferredSize, launchMinimumSize, launchAvailableSize;
    AppParametersPtr launchAppParameters;
} LaunchParamBlockRec, *LaunchPBPtr;


#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Processes.h"
#include "routines/Processes.h"

#endif
