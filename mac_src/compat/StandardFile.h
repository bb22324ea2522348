/* StandardFile.h: the dialogs in which users choose files. See Types.h for what these headers are. */

#ifndef COMPAT_STANDARDFILE_H
#define COMPAT_STANDARDFILE_H

#include <Types.h>
#include <Dialogs.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { putDlgID = -3999, putSave = 1, putCancel = 2, putEject = 5, putDrive = 6, putName = 7,
       getDlgID = -4000, getOpen = 1, getCancel = 3, getEject = 5, getDrive = 6, getNmList = 7,
       getScroll = 8, sfPutDialogID = -6043, sfGetDialogID = -6042, sfItemOpenButton = 1,
       sfItemCancelButton = 2, sfItemBalloonHelp = 3, sfItemVolumeUser = 4, sfItemEjectButton = 5,
       sfItemDesktopButton = 6, sfItemFileListUser = 7, sfItemPopUpMenuUser = 8,
       sfItemDividerLinePict = 9, sfItemFileNameTextEdit = 10, sfItemPromptStaticText = 11,
       sfItemNewFolderUser = 12 };
enum { sfHookFirstCall = -1, sfHookCharOffset = 0x1000, sfHookNullEvent = 100, sfHookRebuildList,
       sfHookFolderPopUp, sfHookOpenFolder, sfHookOpenAlias, sfHookGoToDesktop,
       sfHookGoToAliasTarget, sfHookGoToParent, sfHookGoToNextDrive, sfHookGoToPrevDrive,
       sfHookChangeSelection, sfHookSetActiveOffset = 200, sfHookLastCall = -2 };
enum { sfMainDialogRefCon = 'stdf', sfNewFolderDialogRefCon = 'nfdr',
       sfReplaceDialogRefCon = 'rplc', sfStatWarnDialogRefCon = 'stat',
       sfLockWarnDialogRefCon = 'lock', sfErrorDialogRefCon = 'err ' };

typedef OSType SFTypeList[4];
typedef const OSType *ConstSFTypeListPtr;

#include "records/StandardFile.h"

typedef SFReply *SFReplyPtr;
typedef StandardFileReply *StandardFileReplyPtr;

#include "callbacks/StandardFile.h"

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/StandardFile.h"

#endif
