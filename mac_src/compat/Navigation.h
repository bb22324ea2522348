/* Navigation.h: Navigation Services. See Types.h for what these headers are. */

#ifndef COMPAT_NAVIGATION_H
#define COMPAT_NAVIGATION_H

#include <Types.h>
#include <AppleEvents.h>
#include <Dialogs.h>
#include <Files.h>
#include <MixedMode.h>
#include <Processes.h>
#include <Events.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long NavDialogOptionFlags, NavAskSaveChangesAction, NavAskSaveChangesResult, NavEventCallbackMessage;
typedef short NavFilterModes;
typedef long NavUserAction, NavCustomControlMessage;
typedef void* NavCallBackUserData;

enum { kNavDialogOptionsVersion = 0, kNavReplyRecordVersion = 0, kNavCBRecVersion = 0,
       kNavMenuItemSpecVersion = 0 };
enum { kNavDefaultNavDlogOptions = 0xE4, kNavNoTypePopup = 1, kNavDontAutoTranslate = 2,
       kNavDontAddTranslateItems = 4, kNavAllFilesInPopup = 0x10, kNavAllowStationery = 0x20,
       kNavAllowPreviews = 0x40, kNavAllowMultipleFiles = 0x80, kNavAllowInvisibleFiles = 0x100,
       kNavDontResolveAliases = 0x200, kNavSelectDefaultLocation = 0x400,
       kNavSelectAllReadableItem = 0x800, kNavGenericSignature = 0x2A2A2A2A };
enum { kNavCBEvent = 0, kNavCBCustomize, kNavCBStart, kNavCBTerminate, kNavCBAdjustRect,
       kNavCBNewLocation, kNavCBShowDesktop, kNavCBSelectEntry, kNavCBPopupMenuSelect, kNavCBAccept,
       kNavCBCancel, kNavCBAdjustPreview };
enum { kNavSaveChangesClosingDocument = 1, kNavSaveChangesQuittingApplication = 2,
       kNavSaveChangesOther = 0, kNavAskSaveChangesSave = 1, kNavAskSaveChangesCancel = 2,
       kNavAskSaveChangesDontSave = 3, kNavTranslateInPlace = 0, kNavTranslateCopy = 1 };

typedef struct NavDialogOptions
{
    unsigned short version;
    NavDialogOptionFlags dialogOptionFlags;
    Point location;
    Str255 clientName, windowTitle, actionButtonLabel, cancelButtonLabel, savedFileName, message;
    unsigned long preferenceKey;
    Handle popupExtension;
    char reserved[494];
} NavDialogOptions;

typedef struct NavReplyRecord
{
    unsigned short version;
    Boolean validRecord, replacing, isStationery, translationNeeded;
    AEDescList selection;
    short keyScript;
    struct FileTranslationSpec** fileTranslation;
    unsigned long reserved1;
    char reserved[231];
} NavReplyRecord;

typedef struct NavCBRec
{
    unsigned short version;
    void* context;
    WindowPtr window;
    Rect customRect, previewRect;
    union { struct { EventRecord* event; } eventData; void* dragRect; } eventData;
    char reserved[222];
} NavCBRec, *NavCBRecPtr;

typedef struct NavTypeList { OSType componentSignature; short reserved, osTypeCount; OSType osType[1]; } NavTypeList, *NavTypeListPtr, **NavTypeListHandle;

#include "callbacks/Navigation.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "absent/Navigation.h"

#endif
