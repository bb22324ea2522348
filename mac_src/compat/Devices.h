/* Devices.h: drivers. See Types.h for what these headers are. */

#ifndef COMPAT_DEVICES_H
#define COMPAT_DEVICES_H

#include <Types.h>
#include <OSUtils.h>
#include <Files.h>
#include <Quickdraw.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

#include "records/Devices.h"

typedef DCtlEntry *DCtlPtr, **DCtlHandle;

typedef struct AuxDCE
{
    Ptr dCtlDriver;
    short dCtlFlags;
    QHdr dCtlQHdr;
    long dCtlPosition;
    Handle dCtlStorage;
    short dCtlRefNum;
    long dCtlCurTicks;
    GrafPtr dCtlWindow;
    short dCtlDelay, dCtlEMask, dCtlMenu;
    SignedByte dCtlSlot, dCtlSlotId;
    long dCtlDevBase, dCtlOwner;
    SignedByte dCtlExtDev, fillByte;
    unsigned long dCtlNodeID;
} AuxDCE, *AuxDCEPtr, **AuxDCEHandle;

typedef struct DRVRHeader
{
    short drvrFlags, drvrDelay, drvrEMask, drvrMenu, drvrOpen, drvrPrime, drvrCtl, drvrStatus,
          drvrClose;
    unsigned char drvrName[1];
} DRVRHeader, *DRVRHeaderPtr, **DRVRHeaderHandle;

enum                            /* control and status calls, messages to desk accessories */
{
    goodbye = -1, killCode = 1, accEvent = 64, accRun, accCursor, accMenu, accUndo, accCut = 70,
    accCopy, accPaste, accClear, ejectCode = 7, tgBuffCode = 8, drvStsCode = 8, verifyCC = 5,
    formatCC = 6, tagBufCC = 8, trackCacheCC = 9, driveIcon = 20, mediaIcon = 21, driveInfo = 23
};
enum { dNeedLock = 0x4000, dNeedTime = 0x2000, dNeedGoodBye = 0x1000, dStatEnable = 0x800,
       dCtlEnable = 0x400, dWritEnable = 0x200, dReadEnable = 0x100, drvrActive = 0x80,
       dRAMBased = 0x40, dOpened = 0x20, dVMImmune = 1 };
enum { dNeedLockMask = 0x4000, dNeedTimeMask = 0x2000, dNeedGoodByeMask = 0x1000,
       dStatEnableMask = 0x800, dCtlEnableMask = 0x400, dWritEnableMask = 0x200,
       dReadEnableMask = 0x100, dOpenedMask = 0x20, dRAMBasedMask = 0x40 };
enum { aRdCmd = 2, aWrCmd = 3, asyncTrpBit = 10, noQueueBit = 9 };

/* the messages to a control panel, and what it answers */

enum { initDev = 0, hitDev, closeDev, nulDev, updateDev, activDev, deactivDev, keyEvtDev, macDev,
       undoDev, cutDev, copyDev, pasteDev, clearDev, cursorDev, cdevGenErr = -1, cdevMemErr = 0,
       cdevResErr = 1, cdevUnset = 3 };

/* the messages to a Chooser package */

enum { initMsg = 1, newSelMsg = 12, fillListMsg, getSelMsg, selectMsg, deselectMsg, terminateMsg,
       buttonMsg = 19 };

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "callbacks/Devices.h"
#include "routines/Devices.h"

#define PBControl(block, async) ((async) ? PBControlAsync(block) : PBControlSync(block))
#define PBStatus(block, async)  ((async) ? PBStatusAsync(block) : PBStatusSync(block))
#define PBKillIO(block, async)  ((void) (async), (PBKillIO)(block))

#endif
