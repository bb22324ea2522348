"""Palettes, and colour tables of the screen that programs read and set."""

from __future__ import annotations

import struct

import pytest

from emu.program.resource_fork import Resource
from emu.toolbox.records.quickdraw import CGrafPort, ColorSpec
from emu.toolbox.settings import Settings
from tests.toolbox.conftest import do, make_mac
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
    kept = memory.handle_from(bytes(6) + b"\0\2" + bytes(3 * ColorSpec.size))
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
