/* Routines of Navigation.h that end a run: the Toolbox here does not have them.
 * Made by docs/generate.py from emu/toolbox/absent.
 */

#include <Navigation.h>

#ifndef ABSENT_NAVIGATION_H
#define ABSENT_NAVIGATION_H

#ifdef __cplusplus
extern "C" {
#endif

OSErr NavLoad(void);
OSErr NavUnload(void);
unsigned long NavLibraryVersion(void);
Boolean NavServicesAvailable(void);
Boolean NavServicesCanRun(void);
OSErr NavGetDefaultDialogOptions(NavDialogOptions *options);
OSErr NavGetFile(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, NavPreviewUPP preview, NavObjectFilterUPP filter, NavTypeListHandle types, void *data);
OSErr NavPutFile(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, OSType type, OSType creator, void *data);
OSErr NavAskSaveChanges(NavDialogOptions *options, NavAskSaveChangesAction action, NavAskSaveChangesResult *result, NavEventUPP event, void *data);
OSErr NavCustomAskSaveChanges(NavDialogOptions *options, NavAskSaveChangesResult *result, NavEventUPP event, void *data);
OSErr NavAskDiscardChanges(NavDialogOptions *options, unsigned long *result, NavEventUPP event, void *data);
OSErr NavChooseFile(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, NavPreviewUPP preview, NavObjectFilterUPP filter, NavTypeListHandle types, void *data);
OSErr NavChooseFolder(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, NavObjectFilterUPP filter, void *data);
OSErr NavChooseVolume(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, NavObjectFilterUPP filter, void *data);
OSErr NavChooseObject(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, NavObjectFilterUPP filter, void *data);
OSErr NavNewFolder(AEDesc *location, NavReplyRecord *reply, NavDialogOptions *options, NavEventUPP event, void *data);
OSErr NavTranslateFile(NavReplyRecord *reply, unsigned long how);
OSErr NavCompleteSave(NavReplyRecord *reply, unsigned long how);
OSErr NavDisposeReply(NavReplyRecord *reply);
OSErr NavCustomControl(void *context, long message, void *parameters);

#ifdef __cplusplus
}
#endif

#endif
