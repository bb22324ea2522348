"""Makes the headers that are only another name: as THINK C 3 had it, or Apple after 1995."""

from __future__ import annotations

_NAMES = {
    "Color.h": "ColorToolbox",
    "Controls.h": "ControlMgr",
    "Desk.h": "DeskMgr",
    "Devices.h": "DeviceMgr",
    "Dialogs.h": "DialogMgr",
    "Disks.h": "DiskDvr",
    "Events.h": "EventMgr",
    "Files.h": "FileMgr",
    "Fonts.h": "FontMgr FontTypes",
    "Lists.h": "ListMgr",
    "Memory.h": "MemoryMgr",
    "Menus.h": "MenuMgr",
    "OSUtils.h": "OSUtil",
    "Packages.h": "IntlPkg PackageMgr",
    "PictUtil.h": "PictUtils",
    "Picker.h": "ColorPicker",
    "Printing.h": "PrintTraps",
    "Resources.h": "ResourceMgr",
    "Scrap.h": "ScrapMgr",
    "Script.h": "QuickdrawText ScriptMgr",
    "SegLoad.h": "SegmentLdr",
    "Serial.h": "SerialDvr",
    "Sound.h": "SoundDvr SoundMgr",
    "StandardFile.h": "StdFilePkg",
    "ToolUtils.h": "ToolboxUtil",
    "Types.h": "MacTypes",
    "Windows.h": "MacWindows WindowMgr",
}
_TEXT = """/* {name}.h: another name of {header}. Made by docs/generate.py. */

#ifndef COMPAT_{guard}_H
#define COMPAT_{guard}_H

#include "{header}"

#endif
"""


def named_headers() -> dict[str, str]:
    """The text of every such header, by its name."""
    return {
        f"{name}.h": _TEXT.format(name=name, header=header, guard=name.upper())
        for header, names in _NAMES.items()
        for name in names.split()
    }
