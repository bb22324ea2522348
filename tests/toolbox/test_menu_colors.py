"""The table of menu colours is kept as on a Macintosh with Color QuickDraw."""

from __future__ import annotations

import struct

from emu.program.mac_file.resource_fork import Resource
from emu.toolbox.guest.layout import LowMemory
from tests.toolbox.window_kit import Desktop


def entry(menu: int, item: int, *, red: int = 0) -> bytes:
    return struct.pack(">hh", menu, item) + struct.pack(">3H", red, 0, 0) + bytes(20)


def table(desk: Desktop) -> list[tuple[int, int]]:
    """The menu and item of every entry, with the one that ends the table."""
    handle = desk.guest.u32(LowMemory.MENU_COLORS)
    data = desk.mac.memory.contents(handle)
    return [struct.unpack_from(">hh", data, place) for place in range(0, len(data), 30)]


def with_colors(*resources: Resource) -> Desktop:
    return Desktop("68040", *resources, depth=8)


def test_entries_are_set_found_and_deleted() -> None:
    desk = with_colors()
    assert table(desk) == [(-99, 0)]
    entries = desk.store(entry(129, 2, red=7) + entry(129, 0) + entry(128, 1))
    desk.call("SetMCEntries", 3, entries)
    assert table(desk) == [(128, 1), (129, 0), (129, 2), (-99, 0)]
    found = desk.call("GetMCEntry", 129, 2)
    assert desk.guest.read(found, 30) == entry(129, 2, red=7)
    assert desk.call("GetMCEntry", 129, 5) == 0
    copy = desk.call("GetMCInfo")
    desk.call("DeleteMCEntries", 129, -98)
    assert table(desk) == [(128, 1), (-99, 0)]
    desk.call("SetMCInfo", copy)
    assert table(desk) == [(128, 1), (129, 0), (129, 2), (-99, 0)]
    desk.call("DisposeMCInfo", copy)
    assert not desk.mac.memory.is_handle(copy)
    assert desk.mac.outputs.findings == {}


def test_the_program_s_tables_are_taken() -> None:
    resources = [
        Resource("mctb", 0, "", 0, struct.pack(">h", 1) + entry(0, 0)),
        Resource("mctb", 130, "", 0, struct.pack(">h", 2) + entry(130, 0) + entry(130, 1)),
        Resource("MENU", 130, "", 0, struct.pack(">5hI", 130, 0, 0, 0, 0, 3) + b"\1A\1b\0\0\0\0\0"),
    ]
    desk = with_colors(*resources)
    assert table(desk) == [(0, 0), (-99, 0)]
    assert desk.call("GetMenu", 130)
    assert table(desk) == [(0, 0), (130, 0), (130, 1), (-99, 0)]


def test_there_is_no_table_without_color_quickdraw() -> None:
    desk = Desktop("68040")
    assert desk.guest.u32(LowMemory.MENU_COLORS) == 0
    assert desk.call("GetMCInfo") == desk.call("GetMCEntry", 0, 0) == 0
