"""Makes the C prototypes of the Toolbox routines from their declarations.

The headers in ``mac_src/compat`` are written by hand: types, constants and macros. Each ends by
including the header of the same name in ``routines``, which is made here. Where a Pascal heading
tells less than C wants to know, `routine_types` has the type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from routine_types import PARAMETERS, RESULTS

from emu.toolbox.computer.declaration import Routine, routines_of
from emu.toolbox.guest.guest_types import GUEST_TYPES, ParameterKind, ToolboxType
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolchain.mac_app.glue import GlueEntry, entries

COMPAT = Path(__file__).parents[1] / "mac_src" / "compat"

# Managers of emu.toolbox, or the beginnings of their names, by header; the first that fits counts.
_HEADERS = {
    "Memory.h": ("memory", "memory_space", "virtual_memory"),
    "Resources.h": ("resource",),
    "SegLoad.h": ("segments", "documents"),
    "OSUtils.h": ("os_utilities", "dates", "traps", "deferred_tasks"),
    "Gestalt.h": ("gestalt",),
    "Timer.h": ("time", "ticks"),
    "Events.h": ("events", "events_keyboard"),
    "QDOffscreen.h": ("quickdraw_worlds", "world_updates"),
    "Icons.h": ("icon_utilities",),
    "ToolUtils.h": ("quickdraw_resources", "string_resources", "mathematics", "packing"),
    "Quickdraw.h": (
        "quickdraw",
        "color_icons",
        "color_pictures",
        "device_loop",
        "new_devices",
        "pattern_calls",
        "port_variables",
    ),
    "Palettes.h": ("palette",),
    "Picker.h": ("color_picker",),
    "Printing.h": ("printing", "print_dialogs"),
    "Balloons.h": ("balloons",),
    "Fonts.h": ("fonts",),
    "Windows.h": ("window",),
    "Controls.h": ("control",),
    "Files.h": ("file", "volume", "numbers_of_files", "finder_database"),
    "StandardFile.h": ("standard_file",),
    "Packages.h": ("packages", "strings", "letters"),
    "Menus.h": ("menu",),
    "Desk.h": ("desk",),
    "TextEdit.h": ("text_edit",),
    "Scrap.h": ("scrap",),
    "Lists.h": ("list",),
    "AppleEvents.h": ("apple_event",),
    "AEObjects.h": ("apple_event_objects",),
    "AEPackObject.h": ("apple_event_specifiers",),
    "Threads.h": ("threads", "thread_turns"),
    "Start.h": ("start_choices",),
    "Power.h": ("power",),
    "Displays.h": ("displays",),
    "Folders.h": ("folders",),
    "Aliases.h": ("aliases",),
    "Notification.h": ("notifications",),
    "Retrace.h": ("retrace",),
    "Processes.h": ("processes", "launching"),
    "EPPC.h": ("process_ports",),
    "Serial.h": ("serial_ports",),
    "AppleTalk.h": ("apple_talk",),
    "OpenTransport.h": (
        "open_transport",
        "network_",
        "internet_services",
        "linked_lists",
    ),
    "Sound.h": ("sound", "double_buffers"),
    "SoundInput.h": ("sound_input",),
    "Components.h": ("components",),
    "Devices.h": ("devices", "program_drivers"),
    "DiskInit.h": ("disk_initialization",),
    "Script.h": ("scripts", "script_drawing", "date_strings"),
    "SCSI.h": ("scsi",),
    "Slots.h": ("slots",),
    "CodeFragments.h": ("code_fragments",),
    "LowMem.h": ("low_memory_calls",),
    "SANE.h": ("numerics", "elementary_functions", "decimal_records"),
    "DeskBus.h": ("hardware",),
    "Dialogs.h": ("dialog", "alerts"),
}
_OF_ROUTINES = {
    "TickCount": "Events.h",
    "Delay": "OSUtils.h",
    "ExitToShell": "Processes.h",
    "InitEditionPack": "Editions.h",
    "InitEditionPackVersion": "Editions.h",
    "PPCBrowser": "PPCToolBox.h",
    "PPCDispatch": "PPCToolBox.h",
    "ReadLocation": "OSUtils.h",
    "WriteLocation": "OSUtils.h",
    "ReadXPRam": "OSUtils.h",
    "WriteXPRam": "OSUtils.h",
    "GZSaveHnd": "Memory.h",
    "GetAppFont": "Script.h",
    "GetGrayRgn": "Windows.h",
    "GetVBLQHdr": "Retrace.h",
    "GetSysFont": "Script.h",
    "AddDrive": "Files.h",
    "WriteParam": "OSUtils.h",
    "GetIntlResourceTable": "Script.h",
    "LMGetEventQueue": "Events.h",
    "ScreenRes": "ToolUtils.h",
}
"""The headers of routines that are not with the others of their manager."""
_PRIVATE = {
    *("SwitchThreads", "EndThread", "PrintDialogItem"),
    *("PMgrOp", "IdleUpdateTrap", "IdleStateTrap", "SerialPowerTrap"),
}
"""Routines that no header of the time has: threads' exchange, and a trap of Power.h's."""
_PLAIN = {
    ParameterKind.SIGNED_16: "short",
    ParameterKind.UNSIGNED_16: "unsigned short",
    ParameterKind.SIGNED_32: "long",
    ParameterKind.UNSIGNED_32: "unsigned long",
    ParameterKind.BOOLEAN: "Boolean",
    ParameterKind.BYTE: "SignedByte",
    ParameterKind.CHARACTER: "short",
    ParameterKind.POINT: "Point",
    ParameterKind.FOUR_CHARACTERS: "OSType",
}
_SAME = ("OSErr", "Size", "Fixed", "Fract", "ResType", "Byte", "Cell", "NumVersion")
_STRINGS = ("Str255", "Str63", "Str31")
_TEXT = """/* Routines of {header}.
 * Made by docs/generate.py from emu/toolbox.
 */

#include <{header}>

#ifndef ROUTINES_{guard}_H
#define ROUTINES_{guard}_H

#ifdef __cplusplus
extern "C" {{
#endif

{prototypes}
#ifdef __cplusplus
}}
#endif

#endif
"""
_KEYWORDS = {"new", "template", "delete", "this", "class", "default", "register", "private"}


def routine_headers() -> dict[str, str]:
    """The text of every header of routines, by its name."""
    by_hand = _declared_by_hand()
    known = {entry.name: entry for cpu in ("m68k", "powerpc") for entry in entries(cpu)}
    managers = {r.name: name for name, m in MANAGERS.items() for r, _ in routines_of(m)}
    texts: dict[str, list[str]] = {}
    for name, entry in sorted(known.items()):
        manager = managers[entry.routine.name]
        header = _OF_ROUTINES.get(entry.routine.name) or _header_of(manager)
        if header and name not in by_hand | _PRIVATE:
            texts.setdefault(header, []).append(_prototype(entry))
    return {header: _text(header, lines) for header, lines in texts.items() if lines}


def _declared_by_hand() -> set[str]:
    """The functions and macros of the headers written by hand, before the rest is included."""
    texts = [path.read_text().partition('#include "routines/')[0] for path in COMPAT.glob("*.h")]
    macros = {name for text in texts for name in re.findall(r"#define (\w+)", text)}
    without = (re.sub(r"#define (?:.*\\\n)*.*\n", "", text) for text in texts)
    return macros | {name for text in without for name in re.findall(r"\b\w+(?= ?\()", text)}


def _header_of(manager: str) -> str:
    fitting = (h for h, starts in _HEADERS.items() if manager.startswith(starts))
    exact = (h for h, names in _HEADERS.items() if manager in names)
    return next(exact, "") or next(fitting, "")


def _text(header: str, prototypes: list[str]) -> str:
    return _TEXT.format(
        header=header,
        guard=header.removesuffix(".h").upper(),
        prototypes="".join(f"{text}\n" for text in prototypes),
    )


def _prototype(entry: GlueEntry) -> str:
    routine: Routine = entry.routine
    result = "void" if routine.result is None else _type(routine.result)
    inside = ", ".join(_parameters(routine)) or "void"
    return f"{RESULTS.get(routine.name, result)} {entry.name}({inside});"


def _parameters(routine: Routine) -> Iterator[str]:
    for parameter in routine.parameters:
        name = f"{parameter.name}_" if parameter.name in _KEYWORDS else parameter.name
        better = PARAMETERS.get(f"{routine.name}.{parameter.name}") or PARAMETERS.get(
            f"{parameter.name}: {parameter.type.name}"
        )
        yield f"{better or _parameter(parameter.type)} {name}"


def _parameter(kind: ToolboxType) -> str:
    if kind.name == "Ptr":
        return "void*"
    if kind.name.startswith("VAR "):
        if kind.refers_to in _STRINGS:
            return "unsigned char*"
        # Not Ptr*: what it points to is a record that the heading does not tell.
        return "void*" if kind.refers_to == "Ptr" else f"{_value(kind.refers_to)}*"
    if kind.refers_to in _STRINGS:
        return "ConstStr255Param"
    if kind.name == "TextBytes":
        return "const void*"
    if kind.refers_to:
        return f"const {kind.refers_to}*"
    return _type(kind)


def _type(kind: ToolboxType) -> str:
    """A type that is passed by value; one of pointers and handles has its own name."""
    if kind.name == "ParmBlkPtr":
        return "void*"  # of each call another record
    is_named = kind.name in _SAME or kind.name.endswith(("Ptr", "Handle", "THz"))
    return kind.name if is_named else _PLAIN[kind.shape]


def _value(name: str) -> str:
    """The type of what a VAR parameter refers to; that of a record has its own name."""
    is_plain = name in GUEST_TYPES and not GUEST_TYPES[name].refers_to
    return _type(GUEST_TYPES[name]) if is_plain and name not in ("Point", "Style") else name
