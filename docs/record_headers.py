"""Makes the C structs of the Toolbox's records from their declarations.

The headers in ``mac_src/compat`` are written by hand: constants, and the prototypes whose
parameters have better types than a Pascal heading tells. One that has records includes the header
of the same name in ``records``, which is made here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from emu.toolbox.records import files, finder, lists, printing, quickdraw, system, text, windows
from emu.toolbox.records.kinds import Array, NestedRecord
from emu.toolbox.records.record import Record, RecordField

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
        quickdraw.GrafVars,
        quickdraw.CIcon,
        quickdraw.CCrsr,
    ),
    "Fonts.h": (quickdraw.FMInput, quickdraw.FMetricRec, quickdraw.FMOutput),
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
    "Printing.h": (
        printing.TPrInfo,
        printing.TPrStl,
        printing.TPrXInfo,
        printing.TPrJob,
        printing.TPrint,
        printing.TPrPort,
        printing.TPrStatus,
        printing.TGnlData,
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
        system.DeferredTask,
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
_POINTERS = {
    quickdraw.Pattern: "PatPtr PatHandle",
    quickdraw.BitMap: "BitMapPtr BitMapHandle",
    quickdraw.Region: "RgnPtr RgnHandle",
    quickdraw.Picture: "PicPtr PicHandle",
    quickdraw.Polygon: "PolyPtr PolyHandle",
    quickdraw.Cursor: "CursPtr CursHandle",
    quickdraw.QDProcs: "QDProcsPtr",
    quickdraw.GrafPort: "GrafPtr",
    quickdraw.QDGlobals: "QDGlobalsPtr QDGlobalsHdl",
    quickdraw.RGBColor: "RGBColorPtr RGBColorHdl",
    quickdraw.ColorSpec: "ColorSpecPtr",
    quickdraw.ColorTable: "CTabPtr CTabHandle",
    quickdraw.PixMap: "PixMapPtr PixMapHandle",
    quickdraw.PixPat: "PixPatPtr PixPatHandle",
    quickdraw.CQDProcs: "CQDProcsPtr",
    quickdraw.CGrafPort: "CGrafPtr",
    quickdraw.GDevice: "GDPtr GDHandle",
    quickdraw.CIcon: "CIconPtr CIconHandle",
    quickdraw.CCrsr: "CCrsrPtr CCrsrHandle",
    quickdraw.GrafVars: "GVarPtr GVarHandle",
    quickdraw.FMetricRec: "FMetricRecPtr FMetricRecHandle",
    quickdraw.FMOutput: "FMOutPtr",
    windows.WindowRecord: "WindowPeek",
    windows.CWindowRecord: "CWindowPeek",
    windows.WStateData: "WStateDataPtr WStateDataHandle",
    windows.ControlRecord: "ControlPtr ControlHandle",
    windows.DialogRecord: "DialogPeek",
    windows.MenuInfo: "MenuPtr MenuHandle",
    windows.TERec: "TEPtr TEHandle",
    text.TextStyle: "TextStylePtr TextStyleHandle",
    text.StScrpRec: "StScrpPtr StScrpHandle",
    text.NullStRec: "NullStPtr NullStHandle",
    text.TEStyleRec: "TEStylePtr TEStyleHandle",
    lists.ListRec: "ListPtr ListHandle",
    printing.TPrint: "TPPrint THPrint",
    printing.TPrPort: "TPPrPort",
    system.Zone: "THz",
    system.ScrapStuff: "PScrapStuff",
}
"""The names of a pointer and of a handle to records of a type, in this order."""

_OTHER_NAMES = {
    (files.HFileInfo, "ioFlVersNum"): "ioACUser filler2",
    (windows.TERec, "clikLoop"): "clickLoop",
}
"""The names that other headers of the time gave a field."""

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
    members = "".join(_member(record, field) for field in record.fields)
    name = record.__name__
    pointers = _POINTERS.get(record, "").split()
    names = ", ".join((name, *("*" * depth + each for depth, each in enumerate(pointers, 1))))
    return f"typedef struct {name}\n{{\n{members}}} {names};\n"


def _member(record: type[Record], field: RecordField[Any]) -> str:
    others = _OTHER_NAMES.get((record, field.name), "").split()
    if not others:
        return f"    {field.declaration};\n"
    each = [field.declaration, *(re.sub(r"\w+$", other, field.declaration) for other in others)]
    return f"    __extension__ union {{ {'; '.join(each)}; }};\n"
