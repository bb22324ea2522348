"""Makes the C structs of the Toolbox's records from their declarations.

The headers in ``mac_src/compat`` are written by hand: constants, and the prototypes whose
parameters have better types than a Pascal heading tells. One that has records includes the header
of the same name in ``records``, which is made here.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.toolbox.records import files, finder, lists, quickdraw, system, text, windows
from emu.toolbox.records.kinds import Array, NestedRecord
from emu.toolbox.records.record import Record

_HEADERS: dict[str, tuple[type[Record], ...]] = {
    "Quickdraw.h": (
        quickdraw.Pattern,
        quickdraw.BitMap,
        quickdraw.Region,
        quickdraw.Picture,
        quickdraw.Polygon,
        quickdraw.Cursor,
        quickdraw.FontInfo,
        quickdraw.PenState,
        quickdraw.QDProcs,
        quickdraw.GrafPort,
        quickdraw.QDGlobals,
        quickdraw.RGBColor,
        quickdraw.ColorSpec,
        quickdraw.ColorTable,
        quickdraw.PixMap,
        quickdraw.PixPat,
        quickdraw.CQDProcs,
        quickdraw.CGrafPort,
        quickdraw.GDevice,
    ),
    "Fonts.h": (quickdraw.FMetricRec, quickdraw.FMOutput),
    "Windows.h": (windows.WindowRecord, windows.CWindowRecord, windows.WStateData),
    "Controls.h": (windows.ControlRecord,),
    "TextEdit.h": (
        windows.TERec,
        text.TextStyle,
        text.StyleRun,
        text.STElement,
        text.LHElement,
        text.ScrpSTElement,
        text.StScrpRec,
        text.NullStRec,
        text.TEStyleRec,
    ),
    "Lists.h": (lists.ListRec,),
    "Dialogs.h": (windows.DialogRecord,),
    "Menus.h": (windows.MenuInfo,),
    "Files.h": (
        files.FInfo,
        files.FXInfo,
        files.DInfo,
        files.DXInfo,
        files.FSSpec,
        files.DrvQEl,
        files.ParamBlockHeader,
        files.IOParam,
        files.FileParam,
        files.HIOParam,
        files.HFileParam,
        files.HFileInfo,
        files.DirInfo,
        files.CMovePBRec,
        files.HVolumeParam,
        files.WDPBRec,
        files.FCBPBRec,
        files.CntrlParam,
        files.FIDParam,
        finder.DTPBRec,
    ),
    "StandardFile.h": (files.SFReply, files.StandardFileReply),
    "Memory.h": (system.Zone,),
    "Events.h": (system.EventRecord,),
    "OSUtils.h": (
        system.QElem,
        system.QHdr,
        system.DateTimeRec,
        system.LongDateRec,
        system.SysEnvRec,
    ),
    "Timer.h": (system.TMTask,),
    "Retrace.h": (system.VBLTask,),
    "Devices.h": (system.DCtlEntry,),
    "Notification.h": (system.NMRec,),
    "Processes.h": (system.ProcessSerialNumber, system.ProcessInfoRec),
    "AppleEvents.h": (system.AEDesc,),
    "Sound.h": (
        system.SndCommand,
        system.SndChannel,
        system.SndDoubleBuffer,
        system.SndDoubleBufferHeader,
    ),
    "Scrap.h": (system.ScrapStuff,),
    "MixedMode.h": (system.RoutineRecord, system.RoutineDescriptor),
}
_TEXT = """/* Records of {header}.
 * Made by docs/generate.py from emu/toolbox/records.
 */

#ifndef RECORDS_{guard}_H
#define RECORDS_{guard}_H

{includes}
#pragma pack(push, 2)

{structs}
#pragma pack(pop)

#endif
"""


def record_headers() -> dict[str, str]:
    """The text of every header of records, by its name."""
    return {header: _text(header, records) for header, records in _HEADERS.items()}


def _text(header: str, records: tuple[type[Record], ...]) -> str:
    homes = {record: name for name, records in _HEADERS.items() for record in records}
    needed = {homes[kind] for record in records for kind in _inside(record)} - {header}
    return _TEXT.format(
        header=header,
        guard=header.removesuffix(".h").upper(),
        includes="".join(f"#include <{name}>\n" for name in ("Types.h", *sorted(needed))),
        structs="\n".join(map(_struct, records)),
    )


def _inside(record: type[Record]) -> Iterator[type[Record]]:
    """The records that a record has as fields."""
    for field in record.fields:
        element = field.element if isinstance(field, Array) else field
        if isinstance(element, NestedRecord):
            yield element.kind


def _struct(record: type[Record]) -> str:
    members = "".join(f"    {field.declaration};\n" for field in record.fields)
    name = record.__name__
    return f"typedef struct {name}\n{{\n{members}}} {name};\n"
