"""Makes the C prototypes of the Toolbox routines from their declarations.

The headers in ``mac_src/compat`` are written by hand: records, constants, and the prototypes whose
parameters have better types than a Pascal heading tells. Each ends by including the header of the
same name in ``routines``, which is made here and has the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from emu.toolbox.computer.declaration import Routine, RoutineParameter, routines_of
from emu.toolbox.guest.guest_types import GUEST_TYPES, ParameterKind, ToolboxType
from emu.toolbox.managers.all_managers import MANAGERS
from emu.toolchain.mac_app.glue import GlueEntry, entries

COMPAT = Path(__file__).parents[1] / "mac_src" / "compat"

# Managers of emu.toolbox, or the beginnings of their names, by header; the first that fits counts.
_HEADERS = {
    "Memory.h": ("memory",),
    "Resources.h": ("resource",),
    "SegLoad.h": ("segments",),
    "OSUtils.h": ("os_utilities", "dates", "traps"),
    "Gestalt.h": ("gestalt",),
    "Timer.h": ("time", "ticks"),
    "Events.h": ("events",),
    "QDOffscreen.h": ("quickdraw_worlds",),
    "ToolUtils.h": ("quickdraw_resources", "mathematics"),
    "Quickdraw.h": ("quickdraw",),
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
    "Folders.h": ("folders",),
    "Aliases.h": ("aliases",),
    "Notification.h": ("notifications",),
    "Retrace.h": ("retrace",),
    "Processes.h": ("processes", "launching"),
    "EPPC.h": ("process_ports",),
    "Sound.h": ("sound", "double_buffers"),
    "SoundInput.h": ("sound_input",),
    "Components.h": ("components",),
    "Devices.h": ("devices",),
    "DiskInit.h": ("disk_initialization",),
    "Script.h": ("scripts", "script_drawing", "date_strings"),
    "SCSI.h": ("scsi",),
    "Slots.h": ("slots",),
    "CodeFragments.h": ("code_fragments",),
    "LowMem.h": ("low_memory_calls",),
    "Dialogs.h": ("dialog", "alerts"),
}
_RECORDS = {
    "RgnHandle": "struct Region**",
    "PicHandle": "struct Picture**",
    "PolyHandle": "struct Polygon**",
    "GrafPtr": "struct GrafPort*",
    "WindowPtr": "struct GrafPort*",
    "DialogPtr": "struct GrafPort*",
    "ControlHandle": "struct ControlRecord**",
    "MenuHandle": "struct MenuInfo**",
    "TEHandle": "struct TERec**",
    "ListHandle": "struct ListRec**",
    "CTabHandle": "struct ColorTable**",
    "PixMapHandle": "struct PixMap**",
    "PixPatHandle": "struct PixPat**",
    "PaletteHandle": "struct Palette**",
    "CIconHandle": "struct CIcon**",
    "QElemPtr": "struct QElem*",
    "THz": "struct Zone*",
    "ParmBlkPtr": "void*",  # of each call another record
    "EventRecord": "struct EventRecord",
    "FontInfo": "struct FontInfo",
    "PenState": "struct PenState",
    "BitMap": "struct BitMap",
    "Cursor": "struct Cursor",
    "Pattern": "struct Pattern",
    "FSSpec": "struct FSSpec",
    "FInfo": "struct FInfo",
    "AEDesc": "struct AEDesc",
    "SysEnvRec": "struct SysEnvRec",
}
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
_SAME = ("OSErr", "Size", "Fixed", "Fract", "ResType", "Byte", "Handle", "ProcPtr", "StringPtr")
_STRINGS = ("Str255", "Str63", "Str31")
_TEXT = """/* Routines of {header}.
 * Made by docs/generate.py from emu/toolbox.
 */

#ifndef ROUTINES_{guard}_H
#define ROUTINES_{guard}_H

#include <Types.h>

#ifdef __cplusplus
extern "C" {{
#endif

{records}{prototypes}
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
    texts: dict[str, list[str]] = {header: [] for header in _HEADERS}
    for name, entry in sorted(known.items()):
        header = _header_of(managers[entry.routine.name])
        if header and name not in by_hand and (text := _prototype(entry)):
            texts[header].append(text)
    return {header: _text(header, lines) for header, lines in texts.items() if lines}


def _declared_by_hand() -> set[str]:
    """The names of all functions and macros of the headers written by hand."""
    texts = (path.read_text() for path in COMPAT.glob("*.h"))
    return {name for text in texts for name in re.findall(r"\b\w+(?= ?\()|(?<=#define )\w+", text)}


def _header_of(manager: str) -> str:
    fitting = (h for h, starts in _HEADERS.items() if manager.startswith(starts))
    exact = (h for h, names in _HEADERS.items() if manager in names)
    return next(exact, "") or next(fitting, "")


def _text(header: str, prototypes: list[str]) -> str:
    records = sorted({r for text in prototypes for r in re.findall(r"(?:struct|union) \w+", text)})
    return _TEXT.format(
        header=header,
        guard=header.removesuffix(".h").upper(),
        records="".join(f"{record};\n" for record in records) + ("\n" if records else ""),
        prototypes="".join(f"{text}\n" for text in prototypes),
    )


def _prototype(entry: GlueEntry) -> str:
    """A prototype; "" for a routine that returns a record, which has no glue."""
    routine: Routine = entry.routine
    if routine.result is not None and routine.result.shape is ParameterKind.POINT:
        return ""
    result = "void" if routine.result is None else _type(routine.result, "")
    inside = ", ".join(_parameters(routine.parameters)) or "void"
    return f"{result} {entry.name}({inside});"


def _parameters(parameters: tuple[RoutineParameter, ...]) -> Iterator[str]:
    for parameter in parameters:
        name = f"{parameter.name}_" if parameter.name in _KEYWORDS else parameter.name
        yield f"{_parameter(parameter.type)} {name}"


def _parameter(kind: ToolboxType) -> str:
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
        return f"const {_value(kind.refers_to)}*"
    return _type(kind, "void*")


def _type(kind: ToolboxType, pointer: str) -> str:
    """A type that is passed by value; ``pointer`` stands for one to anything."""
    if kind.name == "Ptr":
        return pointer or "Ptr"
    return _RECORDS.get(kind.name) or (kind.name if kind.name in _SAME else _PLAIN[kind.shape])


def _value(name: str) -> str:
    """The type of what a parameter refers to."""
    if name in ("Rect", "Point", "UnsignedWide", "Style"):
        return name
    if name in GUEST_TYPES and name not in _RECORDS:
        return _type(GUEST_TYPES[name], "")
    return _RECORDS.get(name, "void")
