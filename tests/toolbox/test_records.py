"""Guest records: their sizes and offsets as Inside Macintosh has them, and every kind of field."""

from __future__ import annotations

import numpy as np
import pytest

from emu.machine.memory.memory import GuestMemory, MemoryRegion
from emu.quickdraw import Rectangle
from emu.toolbox.guest.guest_access import BadAddressError, GuestAccess
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.records import files, finder, lists, quickdraw, system, text, windows
from emu.toolbox.records.fields import array, boolean, data, int8, int16, int32, nested, string
from emu.toolbox.records.quickdraw import ColorSpec, GrafPort, Region
from emu.toolbox.records.record import Record
from emu.toolbox.records.windows import TERec, WindowRecord

MODULES = (quickdraw, windows, files, finder, system, text, lists)

# The sizes that Inside Macintosh prints or that follow from the assembly-language offsets in the
# summaries of its chapters; an open array at the end counts nothing.
SIZES = {
    "DInfo": (16, "IV, p. IV-104"),
    "DXInfo": (16, "IV, p. IV-106"),
    "FXInfo": (16, "IV, p. IV-105"),
    "AEDesc": (8, "IAC, p. 3-12"),
    "SndCommand": (8, "Sound, p. 2-97"),
    "SndDoubleBuffer": (16, "Sound, chapter 2: before the samples"),
    "SndDoubleBufferHeader": (24, "Sound, chapter 2"),
    "SndChannel": (1060, "Sound, p. 2-96: stdQLength 128"),
    "VCB": (80, "Files, chapter 2: as far as vcbVRefNum"),
    "FCB": (94, "IV, p. IV-180"),
    "DrvQEl": (16, "IV, p. IV-181"),
    "FIDParam": (58, "Files, the summary of chapter 2"),
    "AliasRecord": (150, "the alias files of System 7; Files, chapter 4 has its first two fields"),
    "DTPBRec": (104, "More Macintosh Toolbox, chapter 9: the offsets in its summary"),
    "NMRec": (36, "Processes, p. 5-6"),
    "ProcessInfoRec": (60, "Processes, p. 2-21"),
    "ProcessSerialNumber": (8, "Processes, p. 2-20"),
    "DCtlEntry": (40, "II, p. II-190: dCtlEntrySize"),
    "DriverHeader": (18, "II, p. II-188"),
    "CntrlParam": (50, "II, p. II-181"),
    "VBLTask": (14, "II, p. II-350"),
    "DeferredTask": (20, "V, p. V-467"),
    "BitMap": (14, "I, p. I-144"),
    "Region": (10, "I, p. I-141"),
    "Picture": (10, "I, p. I-159"),
    "OpenCPicParams": (24, "Imaging With QuickDraw, p. 7-39"),
    "Polygon": (10, "I, p. I-159"),
    "Cursor": (68, "I, p. I-146"),
    "FontInfo": (8, "I, p. I-173"),
    "Pattern": (8, "I, p. I-145"),
    "FMetricRec": (20, "IV, p. IV-32"),
    "PenState": (18, "I, p. I-169"),
    "QDProcs": (52, "I, p. I-197"),
    "CQDProcs": (80, "V, p. V-77"),
    "GrafPort": (108, "I, p. I-148"),
    "QDGlobals": (206, "I, p. I-138: grafSize"),
    "RGBColor": (6, "V, p. V-43"),
    "ColorSpec": (8, "V, p. V-43"),
    "ColorTable": (8, "V, p. V-43"),
    "PixMap": (50, "V, p. V-52"),
    "PixPat": (28, "V, p. V-55"),
    "CIcon": (82, "V, chapter Color QuickDraw"),
    "CCrsr": (96, "V, chapter Color QuickDraw"),
    "GDevice": (62, "V, p. V-119"),
    "GrafVars": (26, "V, chapter Color QuickDraw"),
    "CGrafPort": (108, "V, p. V-49"),
    "ControlRecord": (296, "I, p. I-317: contrlSize 40, and the title"),
    "WindowRecord": (156, "I, p. I-276: windowSize"),
    "CWindowRecord": (156, "V, p. V-200"),
    "WStateData": (16, "IV, p. IV-49"),
    "DialogItem": (14, "I, p. I-427"),
    "TERec": (96, "I, p. I-374"),
    "DialogRecord": (170, "I, p. I-408: dWindLen"),
    "MenuInfo": (270, "I, p. I-344: 14, and the title"),
    "MenuListHeader": (6, "V, p. V-228"),
    "MenuListEntry": (6, "V, p. V-228"),
    "FInfo": (16, "II, p. II-84"),
    "FSSpec": (70, "Files, p. 2-86"),
    "ParamBlockHeader": (24, "IV, p. IV-117"),
    "IOParam": (50, "IV, p. IV-117: ioQElSize"),
    "FileParam": (80, "IV, p. IV-117: ioFQElSize"),
    "HFileParam": (80, "IV, p. IV-117: ioFQElSize"),
    "HIOParam": (50, "IV, p. IV-117: ioQElSize"),
    "HFileInfo": (108, "IV, p. IV-125: ioHFQElSize"),
    "DirInfo": (104, "IV, p. IV-125"),
    "CMovePBRec": (52, "IV, p. IV-126"),
    "HVolumeParam": (122, "IV, p. IV-119: ioHVQElSize"),
    "WDPBRec": (52, "IV, p. IV-127"),
    "FCBPBRec": (62, "IV, p. IV-128"),
    "SFReply": (74, "I, p. I-519"),
    "StandardFileReply": (88, "Files, p. 3-42"),
    "Zone": (52, "II, p. II-22: heapData"),
    "BlockHeader": (12, "Memory, p. 2-22"),
    "EventRecord": (16, "I, p. I-249: evtBlkSize"),
    "QElem": (6, "II, p. II-373"),
    "QHdr": (10, "II, p. II-372: qHeadSize"),
    "TMTask": (22, "Processes, p. 3-18"),
    "UnsignedWide": (8, "Operating System Utilities, p. 4-45"),
    "DateTimeRec": (14, "II, p. II-378"),
    "FMInput": (16, "Text, chapter 4"),
    "FMOutput": (26, "Text, chapter 4"),
    "LongDateRec": (28, "Operating System Utilities, chapter 4: fourteen words"),
    "ListRec": (86, "IV, the List Manager Package; without the offsets of the cells"),
    "TextStyle": (12, "V, TextEdit"),
    "StyleRun": (4, "V, TextEdit"),
    "STElement": (18, "V, TextEdit"),
    "LHElement": (4, "V, TextEdit"),
    "ScrpSTElement": (20, "V, TextEdit"),
    "StScrpRec": (2, "V, TextEdit; without its elements"),
    "NullStRec": (8, "V, TextEdit"),
    "TEStyleRec": (20, "V, TextEdit; without its runs"),
    "ScrapStuff": (16, "I, p. I-457"),
    "Decimal": (26, "Apple Numerics Manual, chapter 4: 25, and padding"),
    "DecForm": (4, "Apple Numerics Manual, chapter 4"),
    "RoutineRecord": (20, "PowerPC System Software, p. 2-38"),
    "RoutineDescriptor": (32, "PowerPC System Software, p. 2-39"),
    "SysEnvRec": (16, "V, p. V-6: sysEnv1Size"),
}

# Offsets of fields as the summaries of the chapters print them for assembly language.
OFFSETS = {
    "GrafPort": {"portRect": 16, "visRgn": 24, "pnLoc": 48, "txFont": 68, "grafProcs": 104},
    "CGrafPort": {"portVersion": 6, "chExtra": 12, "rgbFgColor": 36, "pnPixPat": 58},
    "QDGlobals": {"randSeed": 206 - 130, "thePort": 202},
    "WindowRecord": {"windowKind": 108, "visible": 110, "titleHandle": 134, "refCon": 152},
    "ControlRecord": {"contrlVis": 16, "contrlValue": 18, "contrlRfCon": 36, "contrlTitle": 40},
    "DialogRecord": {"items": 156, "textH": 160, "editField": 164, "aDefItem": 168},
    "TERec": {"selStart": 32, "just": 58, "hText": 62, "inPort": 82, "lineStarts": 96},
    "ListRec": {"indent": 12, "visible": 20, "selFlags": 36, "lActive": 37, "dataBounds": 72},
    "TEStyleRec": {"styleTab": 4, "lhTab": 8, "nullStyle": 16, "runs": 20},
    "MenuInfo": {"menuProc": 6, "enableFlags": 10, "menuData": 14},
    "AliasRecord": {"volumeName": 10, "parentID": 46, "fileNumber": 114, "levelsFrom": 130},
    "DTPBRec": {"ioDTRefNum": 24, "ioDTBuffer": 32, "ioDirID": 48, "ioAPPLParID": 100},
    "IOParam": {"ioResult": 16, "ioPermssn": 27, "ioBuffer": 32, "ioPosOffset": 46},
    "HFileInfo": {"ioDirID": 48, "ioFlLgLen": 54, "ioFlMdDat": 76, "ioFlParID": 100},
    "DirInfo": {"ioDrDirID": 48, "ioDrNmFls": 52, "ioDrCrDat": 72, "ioDrParID": 100},
    "HVolumeParam": {"ioVAlBlkSiz": 48, "ioVFrBlk": 62, "ioVSigWord": 64, "ioVFndrInfo": 90},
    "TMTask": {"qType": 4, "tmAddr": 6, "tmCount": 10},
    "Zone": {"hFstFree": 8, "zcbFree": 12, "moreMast": 20, "heapData": 52},
}


def declared() -> dict[str, type[Record]]:
    """Every record that is declared, by its name."""
    return {
        name: value
        for module in MODULES
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Record) and name[0] != "_"
        if value is not Record
    }


@pytest.fixture
def guest() -> GuestAccess:
    return GuestAccess(GuestMemory([MemoryRegion("heap", 0x1000, 0x2000, True, False)]))


def test_every_record_has_the_size_that_inside_macintosh_gives() -> None:
    assert {name: kind.size for name, kind in declared().items()} == {
        name: size for name, (size, _) in SIZES.items()
    }


@pytest.mark.parametrize("name", sorted(OFFSETS))
def test_fields_have_the_offsets_that_inside_macintosh_gives(name: str) -> None:
    kind = declared()[name]
    found = {field.name: field.offset for field in kind.fields}
    assert {field: found[field] for field in OFFSETS[name]} == OFFSETS[name]


def test_a_colour_port_has_its_text_and_its_regions_where_an_old_port_has() -> None:
    color, old = declared()["CGrafPort"], GrafPort
    places = {field.name: field.offset for field in color.fields}
    for field in old.fields:
        if field.name not in ("portBits", "bkPat", "fillPat", "pnPat"):
            assert places[field.name] == field.offset, field.name


def test_a_field_reads_and_stores_guest_memory(guest: GuestAccess) -> None:
    window = WindowRecord(guest, 0x1100)
    window.port.portRect = Rectangle(-1, 2, 300, 400)
    window.refCon = -2
    window.visible = True
    window.goAwayFlag = True
    window.port.txFace = 0x1FF
    window.port.pnLoc = Point(-5, 6)
    window.port.bkPat = b"\xaa\x55"
    assert guest.rect(0x1110) == (-1, 2, 300, 400)
    assert guest.u32(0x1100 + 152) == 0xFFFFFFFE
    assert (guest.u8(0x1100 + 110), guest.u8(0x1100 + 112)) == (0xFF, 1)
    assert window.port.portRect.top == -1
    assert (window.refCon, window.visible, window.hilited) == (-2, True, False)
    assert (window.port.txFace, window.port.pnLoc) == (0xFF, (-5, 6))
    assert window.port.bkPat == b"\xaa\x55" + bytes(6)
    assert window.port.address_of(GrafPort.pnLoc) == 0x1100 + 48


def test_numbers_are_cut_to_their_size(guest: GuestAccess) -> None:
    port = GrafPort(guest, 0x1000)
    port.txFont = 0x12345
    port.visRgn = -1
    port.portRect = Rectangle(0x18000, 0, 0, 0)
    assert (port.txFont, port.visRgn, port.portRect.top) == (0x2345, 0xFFFFFFFF, -0x8000)


def test_strings_are_cut_to_what_fits(guest: GuestAccess) -> None:
    class Name(Record):
        text = string(3)
        after = int8()

    name = Name(guest, 0x1000)
    name.after = 7
    name.text = b"abcd"
    assert (name.text, name.after, guest.read(0x1000, 4)) == (b"abc", 7, b"\x03abc")


def test_arrays_are_read_and_stored_element_by_element(guest: GuestAccess) -> None:
    class Table(Record):
        words = array(int16(), 3)
        colors = array(nested(ColorSpec))

    table = Table(guest, 0x1000)
    table.words[1] = -7
    table.colors[2].value = 5
    assert (list(table.words), len(table.words)) == ([0, -7, 0], 3)
    assert guest.u16(0x1000 + 6 + 16) == 5
    with pytest.raises(IndexError, match=r"words\[3\] of 3 elements"):
        table.words[3]
    assert TERec.lineStarts.offset == TERec.size


def test_a_record_can_be_copied_and_put_elsewhere(guest: GuestAccess) -> None:
    port = GrafPort.copied()
    port.portRect = Rectangle(1, 2, 3, 4)
    window = WindowRecord(guest, 0x1200)
    window.port = port
    assert window.port.portRect == (1, 2, 3, 4)
    copy = GrafPort.copied(window.port.read())
    window.clear()
    assert (window.port.portRect, copy.portRect) == ((0, 0, 0, 0), (1, 2, 3, 4))
    with pytest.raises(IndexError, match="2 bytes at 10 of 10"):
        GrafPort(Region.copied().guest, 10).device  # noqa: B018


def test_a_field_outside_memory_is_the_programs_mistake(guest: GuestAccess) -> None:
    with pytest.raises(BadAddressError, match="no memory for 2 bytes at 0x00003000"):
        GrafPort(guest, 0x3000).device  # noqa: B018
    with pytest.raises(BadAddressError, match="no memory for 4 bytes at 0x00002fff"):
        GrafPort(guest, 0x3000 - 77).spExtra = 1


def test_a_misspelt_field_is_refused(guest: GuestAccess) -> None:
    with pytest.raises(AttributeError, match="portrect"):
        GrafPort(guest, 0x1000).portrect = 3  # type: ignore[attr-defined]


def test_padding_must_be_declared() -> None:
    with pytest.raises(TypeError, match=r"Odd\.word is at the odd offset 1: declare padding"):

        class Odd(Record):
            flag = boolean()
            word = int16()

    class Even(Record):
        flag = boolean()
        filler = data(1)
        word = int32()

    assert (Even.word.offset, Even.size) == (2, 6)


def test_numpy_sees_the_same_record(guest: GuestAccess) -> None:
    for number in range(3):
        color = ColorSpec(guest, 0x1000 + number * ColorSpec.size)
        color.value, color.rgb.green = number, 1000 * number
    colors = guest.view(0x1000, 3 * ColorSpec.size).view(ColorSpec.dtype())
    assert colors["rgb"]["green"].tolist() == [0, 1000, 2000]
    colors["value"] = 9
    assert ColorSpec(guest, 0x1008).value == 9
    port = GrafPort(guest, 0x1100)
    port.portRect = Rectangle(1, 2, 3, 4)
    seen = guest.view(0x1100, GrafPort.size).view(GrafPort.dtype())[0]
    assert seen["portRect"].item() == (1, 2, 3, 4)
    assert GrafPort.dtype().itemsize == GrafPort.size
    assert seen["portBits"].dtype == np.dtype(quickdraw.BitMap.dtype())
