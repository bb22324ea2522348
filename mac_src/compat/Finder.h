/* Finder.h: resources that the Finder reads. Its flags are in Files.h. */

#ifndef COMPAT_FINDER_H
#define COMPAT_FINDER_H

#include <Types.h>
#include <Files.h>

enum { kCustomIconResource = -16455, kContainerFolderAliasType = 0x66647270 };
enum
{
    kSystemFolderAliasType = 0x66617379, kAppleMenuFolderAliasType = 0x6661616D,
    kStartupFolderAliasType = 0x66617374, kPrintMonitorDocsFolderAliasType = 0x6661706E,
    kPreferencesFolderAliasType = 0x66617066, kControlPanelFolderAliasType = 0x66616374,
    kExtensionFolderAliasType = 0x66616578, kApplicationAliasType = 0x61647270
};

#endif
