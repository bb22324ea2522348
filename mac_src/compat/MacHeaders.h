/* MacHeaders.h: what projects of THINK C and CodeWarrior included before
 * every source, so that the sources themselves include nothing.
 *
 * A case asks for it by "prefix: MacHeaders". With a folder of headers in
 * place of these (headers:), it includes those that the folder has.
 */

#ifndef COMPAT_MACHEADERS_H
#define COMPAT_MACHEADERS_H

/* QuickDraw's globals by their names before "qd", as THINK C's MacHeaders had them. */

#define MACPROOF_OLD_GLOBALS 1

#include "Types.h"
#include "Memory.h"
#include "Quickdraw.h"
#if __has_include("QuickdrawText.h")
#include "QuickdrawText.h"
#endif
#if __has_include("QDOffscreen.h")
#include "QDOffscreen.h"
#endif
#if __has_include("Palettes.h")
#include "Palettes.h"
#endif
#if __has_include("Picker.h")
#include "Picker.h"
#endif
#include "Resources.h"
#if __has_include("Fonts.h")
#include "Fonts.h"
#endif
#if __has_include("Events.h")
#include "Events.h"
#endif
#if __has_include("OSEvents.h")
#include "OSEvents.h"
#endif
#if __has_include("OSUtils.h")
#include "OSUtils.h"
#endif
#if __has_include("Windows.h")
#include "Windows.h"
#endif
#if __has_include("Menus.h")
#include "Menus.h"
#endif
#if __has_include("TextEdit.h")
#include "TextEdit.h"
#endif
#if __has_include("Dialogs.h")
#include "Dialogs.h"
#endif
#if __has_include("Controls.h")
#include "Controls.h"
#endif
#if __has_include("Lists.h")
#include "Lists.h"
#endif
#if __has_include("Desk.h")
#include "Desk.h"
#endif
#if __has_include("Scrap.h")
#include "Scrap.h"
#endif
#if __has_include("ToolUtils.h")
#include "ToolUtils.h"
#endif
#if __has_include("TextUtils.h")
#include "TextUtils.h"
#endif
#if __has_include("SegLoad.h")
#include "SegLoad.h"
#endif
#if __has_include("Packages.h")
#include "Packages.h"
#endif
#if __has_include("Errors.h")
#include "Errors.h"
#endif
#include "Files.h"
#if __has_include("StandardFile.h")
#include "StandardFile.h"
#endif
#if __has_include("Devices.h")
#include "Devices.h"
#endif
#if __has_include("Disks.h")
#include "Disks.h"
#endif
#if __has_include("Printing.h")
#include "Printing.h"
#endif
#if __has_include("Sound.h")
#include "Sound.h"
#endif
#if __has_include("SoundInput.h")
#include "SoundInput.h"
#endif
#if __has_include("Script.h")
#include "Script.h"
#endif
#if __has_include("IntlResources.h")
#include "IntlResources.h"
#endif
#if __has_include("Notification.h")
#include "Notification.h"
#endif
#if __has_include("Processes.h")
#include "Processes.h"
#endif
#if __has_include("LowMem.h")
#include "LowMem.h"
#endif
#if __has_include("Gestalt.h")
#include "Gestalt.h"
#endif
#if __has_include("GestaltEqu.h")
#include "GestaltEqu.h"
#endif
#if __has_include("Traps.h")
#include "Traps.h"
#endif
#if __has_include("Timer.h")
#include "Timer.h"
#endif
#if __has_include("Retrace.h")
#include "Retrace.h"
#endif
#if __has_include("Start.h")
#include "Start.h"
#endif
#if __has_include("ShutDown.h")
#include "ShutDown.h"
#endif
#if __has_include("Folders.h")
#include "Folders.h"
#endif
#if __has_include("Aliases.h")
#include "Aliases.h"
#endif
#if __has_include("Finder.h")
#include "Finder.h"
#endif
#if __has_include("Balloons.h")
#include "Balloons.h"
#endif
#if __has_include("AppleEvents.h")
#include "AppleEvents.h"
#endif
#if __has_include("EPPC.h")
#include "EPPC.h"
#endif
#if __has_include("Icons.h")
#include "Icons.h"
#endif
#if __has_include("Components.h")
#include "Components.h"
#endif
#if __has_include("Strings.h")
#include "Strings.h"
#endif
#if __has_include("FixMath.h")
#include "FixMath.h"
#endif
#if __has_include("Slots.h")
#include "Slots.h"
#endif
#if __has_include("DiskInit.h")
#include "DiskInit.h"
#endif
#if __has_include("MixedMode.h")
#include "MixedMode.h"
#endif
#if __has_include("Patches.h")
#include "Patches.h"
#endif

#endif
