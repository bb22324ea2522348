/* Folders.h: the folders that the system knows. See Types.h for what these headers are. */

#ifndef COMPAT_FOLDERS_H
#define COMPAT_FOLDERS_H

#include <Types.h>
#include <Files.h>

#pragma pack(push, 2)
#ifdef __cplusplus
extern "C" {
#endif

enum { kOnSystemDisk = -32768, kCreateFolder = 1, kDontCreateFolder = 0 };

enum
{
    kSystemFolderType = 'macs', kDesktopFolderType = 'desk', kTrashFolderType = 'trsh',
    kWhereToEmptyTrashFolderType = 'empt', kPrintMonitorDocsFolderType = 'prnt',
    kStartupFolderType = 'strt', kShutdownFolderType = 'shdf', kShutdownItemsDisabledFolderType = 'shdD',
    kAppleMenuFolderType = 'amnu', kControlPanelFolderType = 'ctrl', kExtensionFolderType = 'extn',
    kPreferencesFolderType = 'pref', kTemporaryFolderType = 'temp', kFontsFolderType = 'font',
    kApplicationsFolderType = 'apps', kDocumentsFolderType = 'docs',
    kChewableItemsFolderType = 'flnt', kVolumeRootFolderType = 'root',
    kApplicationSupportFolderType = 'asup', kTextEncodingsFolderType = 'ftex',
    kStationeryFolderType = 'odst', kOpenDocFolderType = 'odod', kHelpFolderType = 'fhlp',
    kModemScriptsFolderType = 'fmod', kPrinterDescriptionFolderType = 'ppdf',
    kPrinterDriverFolderType = 'fprd', kScriptingAdditionsFolderType = 'fscr',
    kSharedLibrariesFolderType = 'flib', kVoicesFolderType = 'fvoc',
    kControlPanelDisabledFolderType = 'ctrD', kExtensionDisabledFolderType = 'extD',
    kSystemExtensionDisabledFolderType = 'macD', kStartupItemsDisabledFolderType = 'strD',
    kSystemControlPanelFolderType = 'sctl'
};

#ifdef __cplusplus
}
#endif
#pragma pack(pop)

#include "routines/Folders.h"

#endif
