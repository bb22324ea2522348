/* AppleEvents.h: Apple events. See Types.h for what these headers are. */

#ifndef COMPAT_APPLEEVENTS_H
#define COMPAT_APPLEEVENTS_H

#include <Types.h>
#include <Memory.h>
#include <OSUtils.h>
#include <Events.h>
#include <EPPC.h>
#include <Notification.h>
#include <Errors.h>
#include <MixedMode.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef ResType DescType;
typedef unsigned long AEKeyword, AEEventClass, AEEventID;

#include "records/AppleEvents.h"

typedef AEDesc      AEAddressDesc, AEDescList, AERecord, AppleEvent;
typedef AEDesc      *AEDescPtr;

typedef struct AEKeyDesc { AEKeyword descKey; AEDesc descContent; } AEKeyDesc;

typedef long            AESendMode;
typedef short           AESendPriority;
typedef SignedByte      AEEventSource, AEInteractAllowed, AEArrayType;

typedef union AEArrayData
{
    short       kAEDataArray[1];
    char        kAEPackedArray[1];
    Handle      kAEHandleArray[1];
    AEDesc      kAEDescArray[1];
    AEKeyDesc   kAEKeyDescArray[1];
} AEArrayData, *AEArrayDataPointer;

enum                            /* types of data */
{
    typeBoolean = 'bool', typeChar = 'TEXT', typeSMInt = 'shor', typeInteger = 'long',
    typeSMFloat = 'sing', typeFloat = 'doub', typeLongInteger = 'long', typeShortInteger = 'shor',
    typeLongFloat = 'doub', typeShortFloat = 'sing', typeExtended = 'exte', typeComp = 'comp',
    typeMagnitude = 'magn', typeAEList = 'list', typeAERecord = 'reco', typeAppleEvent = 'aevt',
    typeTrue = 'true', typeFalse = 'fals', typeAlias = 'alis', typeEnumerated = 'enum',
    typeType = 'type', typeAppParameters = 'appa', typeProperty = 'prop', typeFSS = 'fss ',
    typeKeyword = 'keyw', typeSectionH = 'sect', typeWildCard = '****',
    typeApplSignature = 'sign', typeSessionID = 'ssid', typeTargetID = 'targ',
    typeProcessSerialNumber = 'psn ', typeNull = 'null', typeQDRectangle = 'qdrt',
    typeFixed = 'fixd', typeIntlText = 'itxt', typeSound = 'snd '
};

enum                            /* the four events that every application gets, and others */
{
    kCoreEventClass = 'aevt', kAEOpenApplication = 'oapp', kAEOpenDocuments = 'odoc',
    kAEPrintDocuments = 'pdoc', kAEQuitApplication = 'quit', kAECreatorType = 'crea',
    kAEAnswer = 'ansr', kAEApplicationDied = 'obit', kAEReopenApplication = 'rapp',
    kAEQuitAll = 'quia', kAEShutDown = 'shut', kAERestart = 'rest',
    kAEStartRecording = 'reca', kAEStopRecording = 'recc', kAENotifyStartRecording = 'rec1',
    kAENotifyStopRecording = 'rec0', kAENotifyRecording = 'recr'
};

enum                            /* parameters and attributes */
{
    keyDirectObject = '----', keyErrorNumber = 'errn', keyErrorString = 'errs',
    keyProcessSerialNumber = 'psn ', keyTransactionIDAttr = 'tran', keyReturnIDAttr = 'rtid',
    keyEventClassAttr = 'evcl', keyEventIDAttr = 'evid', keyAddressAttr = 'addr',
    keyOptionalKeywordAttr = 'optk', keyTimeoutAttr = 'timo', keyInteractLevelAttr = 'inte',
    keyEventSourceAttr = 'esrc', keyMissedKeywordAttr = 'miss', keyOriginalAddressAttr = 'from',
    keyPreDispatch = 'phac', keySelectProc = 'selh', keyAERecorderCount = 'recr',
    keyAEVersion = 'vers'
};

enum                            /* AESend */
{
    kAENoReply = 1, kAEQueueReply = 2, kAEWaitReply = 3, kAENeverInteract = 0x10,
    kAECanInteract = 0x20, kAEAlwaysInteract = 0x30, kAECanSwitchLayer = 0x40,
    kAEDontReconnect = 0x80, kAEWantReceipt = 0x200, kAEDontRecord = 0x1000,
    kAEDontExecute = 0x2000
};
enum { kAENormalPriority = 0, kAEHighPriority = 1 };
enum { kAutoGenerateReturnID = -1, kAnyTransactionID = 0 };
enum { kAEDefaultTimeout = -1, kNoTimeOut = -2 };
enum { kAEUnknownSource = 0, kAEDirectCall, kAESameProcess, kAELocalProcess, kAERemoteProcess };
enum { kAEInteractWithSelf = 0, kAEInteractWithLocal, kAEInteractWithAll };
enum { kAEDoNotIgnoreHandler = 0, kAEIgnoreAppPhacHandler = 1, kAEIgnoreAppEventHandler = 2,
       kAEIgnoreSysPhacHandler = 4, kAEIgnoreSysEventHandler = 8, kAENoDispatch = 0,
       kAEUseStandardDispatch = -1 };
enum { kAEDataArray = 0, kAEPackedArray, kAEHandleArray, kAEDescArray, kAEKeyDescArray };

#include "callbacks/AppleEvents.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/AppleEvents.h"

#include "absent/AppleEvents.h"

#endif
