/* Icons.h: icons and icon families. See Types.h for what these headers are. */

#ifndef COMPAT_ICONS_H
#define COMPAT_ICONS_H

#include "Types.h"
#include "Quickdraw.h"
#include "ToolUtils.h"

enum
{
    genericDocumentIconResource = -4000, genericStationeryIconResource = -3985,
    genericEditionFileIconResource = -3989, genericApplicationIconResource = -3996,
    genericDeskAccessoryIconResource = -3991, genericFolderIconResource = -3999,
    privateFolderIconResource = -3994, floppyIconResource = -3998, trashIconResource = -3993,
    desktopIconResource = -3992, openFolderIconResource = -3997,
    genericHardDiskIconResource = -3995, genericFileServerIconResource = -3972,
    genericSuitcaseIconResource = -3970, genericMoverObjectIconResource = -3969,
    genericPreferencesIconResource = -3971, genericQueryDocumentIconResource = -16506,
    genericExtensionIconResource = -16415, genericCDROMIconResource = -3987,
    systemFolderIconResource = -3983, appleMenuFolderIconResource = -3982,
    startupFolderIconResource = -3981, ownedFolderIconResource = -3980,
    dropFolderIconResource = -3979, sharedFolderIconResource = -3978,
    mountedFolderIconResource = -3977, controlPanelFolderIconResource = -3976,
    printMonitorFolderIconResource = -3975, preferencesFolderIconResource = -3974,
    extensionsFolderIconResource = -3973, fontsFolderIconResource = -3968, fullTrashIconResource = -3984
};

enum
{
    atNone = 0, atVerticalCenter = 1, atTop = 2, atBottom = 3,
    atHorizontalCenter = 4, atAbsoluteCenter = 5, atCenterTop = 6, atCenterBottom = 7,
    atLeft = 8, atCenterLeft = 9, atTopLeft = 10, atBottomLeft = 11,
    atRight = 12, atCenterRight = 13, atTopRight = 14, atBottomRight = 15,
    kAlignNone = 0, kAlignVerticalCenter = 1, kAlignTop = 2, kAlignBottom = 3,
    kAlignHorizontalCenter = 4, kAlignAbsoluteCenter = 5, kAlignCenterTop = 6,
    kAlignCenterBottom = 7, kAlignLeft = 8, kAlignCenterLeft = 9, kAlignTopLeft = 10,
    kAlignBottomLeft = 11, kAlignRight = 12, kAlignCenterRight = 13, kAlignTopRight = 14,
    kAlignBottomRight = 15
};

enum
{
    ttNone = 0, ttDisabled = 1, ttOffline = 2, ttOpen = 3,
    ttLabel1 = 0x100, ttLabel2 = 0x200, ttLabel3 = 0x300, ttLabel4 = 0x400,
    ttLabel5 = 0x500, ttLabel6 = 0x600, ttLabel7 = 0x700,
    ttSelected = 0x4000, ttSelectedDisabled = 0x4001, ttSelectedOffline = 0x4002,
    ttSelectedOpen = 0x4003,
    kTransformNone = 0, kTransformDisabled = 1, kTransformOffline = 2, kTransformOpen = 3,
    kTransformLabel1 = 0x100, kTransformLabel2 = 0x200, kTransformLabel3 = 0x300,
    kTransformLabel4 = 0x400, kTransformLabel5 = 0x500, kTransformLabel6 = 0x600,
    kTransformLabel7 = 0x700, kTransformSelected = 0x4000,
    kTransformSelectedDisabled = 0x4001, kTransformSelectedOffline = 0x4002,
    kTransformSelectedOpen = 0x4003
};

#define large1BitMask   ((ResType) 0x49434E23)  /* 'ICN#' */
#define large4BitData   ((ResType) 0x69636C34)  /* 'icl4' */
#define large8BitData   ((ResType) 0x69636C38)  /* 'icl8' */
#define small1BitMask   ((ResType) 0x69637323)  /* 'ics#' */
#define small4BitData   ((ResType) 0x69637334)  /* 'ics4' */
#define small8BitData   ((ResType) 0x69637338)  /* 'ics8' */
#define mini1BitMask    ((ResType) 0x69636D23)  /* 'icm#' */
#define mini4BitData    ((ResType) 0x69636D34)  /* 'icm4' */
#define mini8BitData    ((ResType) 0x69636D38)  /* 'icm8' */

#define svLarge1Bit     0x00000001L
#define svLarge4Bit     0x00000002L
#define svLarge8Bit     0x00000004L
#define svSmall1Bit     0x00000100L
#define svSmall4Bit     0x00000200L
#define svSmall8Bit     0x00000400L
#define svMini1Bit      0x00010000L
#define svMini4Bit      0x00020000L
#define svMini8Bit      0x00040000L
#define svAllLargeData  0x000000FFL
#define svAllSmallData  0x0000FF00L
#define svAllMiniData   0x00FF0000L
#define svAll1BitData   0x00010101L
#define svAll4BitData   0x00020202L
#define svAll8BitData   0x00040404L
#define svAllAvailableData 0xFFFFFFFFL

#define kSelectorLarge1Bit  svLarge1Bit
#define kSelectorLarge4Bit  svLarge4Bit
#define kSelectorLarge8Bit  svLarge8Bit
#define kSelectorSmall1Bit  svSmall1Bit
#define kSelectorSmall4Bit  svSmall4Bit
#define kSelectorSmall8Bit  svSmall8Bit
#define kSelectorAllLargeData   svAllLargeData
#define kSelectorAllSmallData   svAllSmallData
#define kSelectorAllAvailableData svAllAvailableData

typedef short           IconAlignmentType;
typedef short           IconTransformType;
typedef unsigned long   IconSelectorValue;
typedef Handle          IconSuiteRef;
typedef Handle          IconCacheRef;

#include "callbacks/Icons.h"
#include "routines/Icons.h"
#include "absent/Icons.h"

#endif
