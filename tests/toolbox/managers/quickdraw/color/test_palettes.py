"""Palettes, and colour tables of the screen that programs read and set."""

from __future__ import annotations

import struct

import pytest

from emu.program.mac_file.resource_fork import Resource
from emu.toolbox.computer.settings import Settings
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.records.quickdraw import CGrafPort, ColorSpec, ColorTable, PixMap
from tests.toolbox.conftest import do, has_found, make_mac, run_code
from tests.toolbox.quickdraw_kit import Drawing
from tests.toolbox.window_kit import Desktop

RED, GREEN = b"\xff\xff\0\0\0\0", b"\0\0\xff\xff\0\0"


def entry(color: bytes) -> bytes:
    return color + bytes(10)


def palette(*colors: bytes) -> bytes:
    return struct.pack(">h", len(colors)).ljust(16, b"\0") + b"".join(map(entry, colors))


@pytest.mark.parametrize("cpu", ["68040", "601"])
def test_a_windows_palette_says_what_is_drawn_with(cpu: str) -> None:
    desk = Desktop(cpu, Resource("pltt", 128, "", 0, palette(RED, GREEN)))
    assert desk.call("GetNewPalette", 129) == 0
    made = desk.call("GetNewPalette", 128)
    port = desk.mac.memory.new_pointer(CGrafPort.size)
    desk.call("OpenCPort", port)
    desk.call("PmForeColor", 1)  # it has no palette yet
    record = CGrafPort(desk.guest, port)
    assert record.rgbFgColor.read() == bytes(6)
    desk.call("NSetPalette", port, made, True)
    assert desk.call("GetPalette", port) == made
    desk.call("ActivatePalette", port)
    desk.call("PmForeColor", 1)
    desk.call("PmBackColor", 0)
    desk.call("PmForeColor", 2)  # there is none of this number
    assert (record.rgbFgColor.read(), record.rgbBkColor.read()) == (GREEN, RED)
    desk.call("DisposePalette", made)
    assert desk.call("GetPalette", port) == 0


def test_entries_of_the_screens_table_are_set_and_saved() -> None:
    mac = make_mac("68040", settings=Settings(depth=8))
    guest, memory = mac.guest, mac.memory
    specs = memory.new_pointer(2 * ColorSpec.size)
    guest.write(specs, b"\0\7" + RED + b"\0\5" + GREEN)
    do(mac, "SetEntries", -1, 1, specs)  # by their values
    do(mac, "SetEntries", 2, 0, specs)  # the first, in place 2
    kept = memory.new_handle(0)
    request = memory.new_pointer(8)
    guest.write(request, struct.pack(">4h", 2, 7, 5, 2))
    do(mac, "SaveEntries", 0, kept, request)
    data = memory.contents(kept)[8:]
    assert [data[n + 2 : n + 8] for n in (0, 8, 16)] == [RED, GREEN, RED]
    guest.write(request, struct.pack(">4h", 2, 9, 10, 11))
    do(mac, "RestoreEntries", kept, 0, request)
    guest.write(request, struct.pack(">4h", 0, 10, 0, 0))
    do(mac, "SaveEntries", 0, kept, request)
    assert memory.contents(kept)[10:16] == GREEN
    made = do(mac, "NewPalette", 3, kept, 4, 0)
    assert memory.contents(made)[:2] == b"\0\3"
    assert memory.contents(made)[16:22] == GREEN


def test_flags_of_a_device_are_set() -> None:
    desk = Desktop("68040")
    device = desk.call("GetMainDevice")
    for value in (True, False):
        desk.call("SetDeviceAttribute", device, 9, value)
        assert bool(desk.call("TestDeviceAttribute", device, 9)) is value


def test_each_new_table_gets_a_seed_of_its_own() -> None:
    desk = Desktop("601")
    seeds = [desk.call("GetCTSeed") for _ in range(3)]
    assert len(set(seeds)) == 3
    assert min(seeds) > 1023


def test_entries_of_palettes() -> None:
    desk = Desktop("68040", Resource("pltt", 128, "", 0, palette(RED, GREEN)))
    guest, memory = desk.guest, desk.mac.memory
    made, spot = desk.call("GetNewPalette", 128), desk.mac.memory.new_pointer(8, True)
    desk.call("InitPalettes")
    desk.call("GetEntryColor", made, 1, spot)
    desk.call("GetEntryColor", made, 2, spot)
    assert guest.read(spot, 6) == GREEN
    desk.call("SetEntryColor", made, 0, spot)
    desk.call("SetEntryUsage", made, 0, 2, 7)
    desk.call("SetEntryUsage", made, 0, -1, 9)
    desk.call("GetEntryUsage", made, 0, spot, spot + 2)
    assert guest.read(spot, 4) == b"\0\2\0\x09"
    other = desk.call("NewPalette", 1, 0, 0, 0)
    desk.call("CopyPalette", made, other, 1, 2, 5)
    assert memory.contents(other)[:2] == b"\0\3"
    assert memory.contents(other)[16 + 32 : 16 + 38] == GREEN
    desk.call("ResizePalette", other, 1)
    assert len(memory.contents(other)) == 32
    desk.call("SetPalette", 0x5000, other, False)
    guest.write(spot, RED)
    desk.call("AnimateEntry", 0x5000, 0, spot)
    assert memory.contents(other)[16:22] == RED
    table = memory.handle_from(bytes(6) + struct.pack(">h", 0) + b"\0\0" + GREEN)
    desk.call("AnimatePalette", 0x5000, table, 0, 0, 1)
    assert memory.contents(other)[16:22] == GREEN
    desk.call("Palette2CTab", made, table)
    assert memory.contents(table)[6:] == b"\0\1\0\0" + GREEN + b"\0\1" + GREEN
    desk.call("CTab2Palette", table, other, 1, 3)
    assert memory.contents(other)[:2] == b"\0\2"
    assert memory.contents(other)[32:42] == GREEN + b"\0\1\0\3"
    assert desk.call("PMgrVersion") > 0


@pytest.mark.parametrize("colored", [False, True])
def test_colours_of_a_port_are_kept_for_a_while(colored: bool) -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    if colored:
        draw.call("OpenCPort", draw.mac.memory.new_pointer(CGrafPort.size))
    kept = draw.store(bytes(16))
    for save, restore, change, get in (
        ("SaveFore", "RestoreFore", "ForeColor", "GetForeColor"),
        ("SaveBack", "RestoreBack", "BackColor", "GetBackColor"),
    ):
        draw.call(change, 205)
        draw.call(get, kept + 8)
        before = draw.guest.read(kept + 8, 6)
        draw.call(save, kept)
        draw.call(change, 409)
        draw.call(restore, kept)
        draw.call(get, kept + 8)
        assert draw.guest.read(kept + 8, 6) == before


def test_inverse_tables() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    memory = draw.mac.memory
    inverse, table = memory.new_handle(0), draw.call("GetCTable", 8)
    draw.call("MakeITable", table, inverse, 3)
    data = memory.contents(inverse)
    assert data[4:6] == b"\0\3" and len(data) == 6 + 512
    assert (data[6], data[6 + 511], data[6 + 0o700]) == (255, 0, 35)
    draw.call("MakeITable", table, inverse, 9)
    assert [check for check, _ in draw.mac.outputs.findings] == ["device"]
    colors = memory.handle_from(bytes(8) + b"\0\7" + RED)
    draw.call("GetSubTable", colors, 4, 0)
    assert memory.contents(colors)[8:10] == b"\0\x23"
    spot = draw.store(RED)
    assert draw.call("RealColor", spot) is True
    draw.call("InvertColor", spot)
    assert draw.guest.read(spot, 6) == b"\0\0" + b"\xff" * 4
    seed = draw.guest.u32(memory.address(table))
    draw.call("CTabChanged", table)
    assert draw.guest.u32(memory.address(table)) not in (seed, 0)


@pytest.mark.parametrize(
    "data",
    [
        bytes(4),
        bytes(6) + b"\xff\xff",  # no colour
        bytes(6) + b"\0\1" + bytes(8),  # one of two colours
    ],
    ids=["short", "empty", "cut"],
)
def test_what_is_no_colour_table_is_refused(data: bytes) -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    memory = draw.mac.memory
    wrong = memory.handle_from(data)
    for name, values in (
        ("MakeITable", (wrong, memory.new_handle(0), 3)),
        ("GetSubTable", (wrong, 4, 0)),
        ("GetSubTable", (memory.handle_from(bytes(8) + b"\0\7" + RED), 4, wrong)),
    ):
        draw.mac.outputs.findings.clear()
        draw.call(name, *values)
        assert has_found(draw.mac, f"{name} did nothing: .* is no colour table")
    draw.call("CopyPixMap", wrong, draw.call("NewPixMap"))
    assert has_found(draw.mac, f"of {len(data)} bytes is no pixel map")


def test_a_palette_has_no_more_entries_than_it_can_count() -> None:
    desk = Desktop("68040", Resource("pltt", 128, "", 0, palette(RED)))
    memory = desk.mac.memory
    colors = memory.handle_from(bytes(6) + b"\x7f\xff" + bytes(ColorSpec.size << 15))
    with pytest.raises(GuestStopError, match="at most 32767 entries, not 32768"):
        desk.call("CTab2Palette", colors, desk.call("GetNewPalette", 128), 0, 0)


def test_a_protected_entry_is_not_changed() -> None:
    desk = Desktop("68040", depth=8)
    screen = desk.call("GetCTable", 8)
    assert screen
    red = desk.store(struct.pack(">4H", 0, 0xFFFF, 0, 0))
    desk.call("ProtectEntry", 5, True)
    desk.call("ReserveEntry", 5, True)
    desk.call("SetEntries", 5, 0, red)
    first = desk.mac.managers["palettes"].entries(0)[0]
    assert desk.guest.read(first + 8 * 5 + 2, 6) != b"\xff\xff\0\0\0\0"
    desk.call("ProtectEntry", 5, False)
    desk.call("SetEntries", 5, 0, red)
    assert desk.guest.read(first + 8 * 5 + 2, 6) == b"\xff\xff\0\0\0\0"


@pytest.mark.parametrize(("depth", "is_there"), [(1, False), (8, True)])
def test_a_gray_between_two_colours(depth: int, is_there: bool) -> None:
    desk = Desktop("68040", depth=depth)
    white, black = desk.store(b"\xff" * 6), desk.store(bytes(6))
    assert desk.call("GetGray", 0, white, black) is is_there
    expected = struct.pack(">3H", 0x7FFF, 0x7FFF, 0x7FFF) if is_there else bytes(6)
    assert desk.guest.read(black, 6) == expected


def test_pixel_maps_are_made_copied_and_freed() -> None:
    desk = Desktop("68040", depth=8)
    memory = desk.mac.memory
    one, other = desk.call("NewPixMap"), desk.call("NewPixMap")
    record = PixMap.copied(memory.contents(one))
    assert (record.baseAddr, record.pixelSize) == (0, 8)
    memory.set_contents(record.pmTable, bytes(16))
    desk.call("CopyPixMap", one, other)
    copied = PixMap.copied(memory.contents(other))
    assert copied.pmTable != record.pmTable
    assert memory.contents(copied.pmTable) == bytes(16)
    for handle, table in ((one, record.pmTable), (other, copied.pmTable)):
        desk.call("DisposePixMap", handle)
        assert not memory.is_handle(handle) and not memory.is_handle(table)
    assert desk.mac.outputs.findings == {}


@pytest.mark.parametrize("selector", [0x0A14, 0x14])
def test_the_palette_manager_looks_at_the_selectors_low_byte(selector: int) -> None:
    mac = make_mac("68040", settings=Settings(depth=8))
    # clr.w -(a7); clr.l -(a7); move.w #8,-(a7); clr.l -(a7); move.w #selector,d0; _PaletteDispatch
    code = f"4267 42a7 3f3c0008 42a7 303c{selector:04x} aaa2 301f 4e75"
    assert run_code(mac, code)["d0"] & 0xFFFF == 131  # the video mode with eight bits


@pytest.mark.parametrize("classic", [False, True])
def test_what_is_painted_while_all_colours_are_black_keeps_its_colour(classic: bool) -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    mac = draw.mac
    old = mac.memory.contents(mac.quickdraw_devices.screen_table())[8:]
    before = ColorTable(mac.guest, mac.memory.address(mac.quickdraw_devices.screen_table())).ctSeed
    dark = b"".join(struct.pack(">H6x", n) for n in range(256))
    draw.call("SetEntries", 0, 255, draw.store(dark))
    assert (
        ColorTable(mac.guest, mac.memory.address(mac.quickdraw_devices.screen_table())).ctSeed
        != before
    )
    port = mac.memory.new_pointer(CGrafPort.size)
    draw.call("OpenPort" if classic else "OpenCPort", port)
    draw.call("PaintRect", draw.rect(0, 0, 8, 8))
    draw.call("EraseRect", draw.rect(8, 0, 16, 8))
    draw.call("SetEntries", 0, 255, draw.store(old))
    shown = draw.pixels(0, 0, 16, 1)[0]
    assert (shown[:8] == 255).all() and (shown[8:] == 0).all()


def test_an_explicit_entry_is_a_pixel_value() -> None:
    draw = Drawing(make_mac("68040", settings=Settings(depth=8)))
    port = draw.mac.memory.new_pointer(CGrafPort.size)
    draw.call("OpenCPort", port)
    explicit = struct.pack(">h", 3).ljust(16, b"\0") + 3 * (RED + struct.pack(">2h6x", 8, 0))
    draw.call("NSetPalette", port, draw.mac.memory.handle_from(explicit), False)
    assert draw.call("Entry2Index", 2) == 2
    draw.call("PmForeColor", 2)
    record = CGrafPort(draw.mac.guest, port)
    assert record.fgColor == 2
    assert record.rgbFgColor.read() == struct.pack(">3H", 0xFFFF, 0xFFFF, 0x9999)
