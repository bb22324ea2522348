"""Patterns, icons, cursors and pictures from resources; fonts' names; fills."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw import EMPTY, PixelRegion, Rectangle
from emu.toolbox.computer.settings import Application
from emu.toolbox.guest.findings import GuestStopError
from emu.toolbox.managers.quickdraw.drawing.seed_fill import flooded
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing
from tests.toolbox.window_kit import Desktop

DIAMOND = "1028448244281000"
ICON = b"".join((0xFFFFFFFF if row % 2 else 0x80000001).to_bytes(4, "big") for row in range(32))
FORK = ResourceFork(
    (
        Resource("PAT ", 128, "", 0, bytes.fromhex(DIAMOND)),
        Resource("PAT#", 129, "", 0, b"\0\2" + b"\x11" * 8 + b"\x22" * 8),
        Resource("ICON", 130, "", 0, ICON),
        Resource("CURS", 131, "", 0, bytes(range(68))),
        Resource(
            "PICT",
            132,
            "",
            0,
            bytes.fromhex("000000000000001000101101310000000000100008ff"),
        ),
    )
)


@pytest.fixture(params=["68040", "601"])
def draw(request: pytest.FixtureRequest) -> Drawing:
    """A program with some resources."""
    return Drawing(make_mac(request.param, application=Application(resources=FORK)))


def test_patterns(draw: Drawing) -> None:
    handle = draw.call("GetPattern", 128)
    assert draw.mac.memory.contents(handle).hex() == DIAMOND
    pattern = draw.store(bytes(8))
    draw.call("GetIndPattern", pattern, 129, 2)
    assert draw.guest.read(pattern, 8) == b"\x22" * 8
    draw.call("GetIndPattern", pattern, 129, 3)
    draw.call("GetIndPattern", pattern, 999, 1)
    assert draw.guest.read(pattern, 8) == b"\x22" * 8
    assert draw.call("GetPattern", 1) == 0


def test_icons(draw: Drawing) -> None:
    icon = draw.call("GetIcon", 130)
    draw.call("PlotIcon", draw.rect(100, 50, 132, 82), icon)
    found = draw.pixels(100, 50, 132, 82)
    expected = np.unpackbits(np.frombuffer(ICON, np.uint8)).reshape(32, 32)
    assert found.tolist() == expected.tolist()
    assert draw.black() == expected.sum()
    draw.call("PlotIcon", draw.rect(0, 0, 32, 32), 0)
    assert draw.black() == expected.sum()
    # A Mac takes the address of a variable that holds the address of the bits, too.
    bits, variable = draw.mac.memory.new_pointer(128), draw.mac.layout.globals_start
    draw.guest.write(bits, ICON)
    draw.guest.put32(variable, bits)
    draw.call("PlotIcon", draw.rect(0, 0, 32, 32), variable)
    assert draw.black() == 2 * expected.sum()


def test_pictures(draw: Drawing) -> None:
    draw.call("ClipRect", draw.rect(0, 0, 640, 480))
    draw.call("DrawPicture", draw.call("GetPicture", 132), draw.rect(10, 10, 42, 42))
    assert draw.pixels(10, 10, 26, 42).all()
    assert draw.black() == 16 * 32


def test_the_cursor_is_kept_track_of(draw: Drawing) -> None:
    cursor = draw.mac.quickdraw_cursor
    draw.call("InitCursor")
    arrow = cursor.image
    assert draw.guest.read(draw.globals - 108, 68) == arrow
    draw.call("SetCursor", draw.mac.memory.address(draw.call("GetCursor", 131)))
    assert cursor.image == bytes(range(68))
    draw.call("HideCursor")
    draw.call("ShieldCursor", draw.rect(0, 0, 9, 9), (0, 0))
    assert cursor.level == -2
    for _ in range(5):
        draw.call("ShowCursor")
    assert cursor.level == 0
    assert draw.black() == 0


def test_names_and_numbers_of_fonts(draw: Drawing) -> None:
    name, number = draw.store(bytes(256)), draw.store(bytes(2))
    for family, title in ((0, b"Chicago"), (1, b"Geneva"), (4, b"Monaco"), (99, b"")):
        draw.call("GetFontName", family, name)
        assert draw.guest.pascal_string(name) == title
    draw.call("GetFNum", draw.string(b"monaco"), number)
    assert draw.guest.u16(number) == 4
    draw.call("GetFNum", draw.string(b"No Such Font"), number)
    assert draw.guest.u16(number) == 0
    assert draw.call("FlushFonts") == 0
    assert draw.call("RealFont", 4, 9) is True
    assert draw.call("RealFont", 99, 9) is False
    assert draw.call("RealFont", 0, 0) is True
    assert draw.call("RealFont", 99, 0) is False
    metrics, info = draw.store(bytes(20)), draw.store(bytes(8))
    draw.call("FontMetrics", metrics)
    draw.call("GetFontInfo", info)
    assert draw.guest.u32(metrics) == draw.guest.u16(info) << 16


RING = "000000000ff0000008100000081000000ff0000000000000"


def test_fills(draw: Drawing) -> None:
    source, result = draw.store(bytes.fromhex(RING)), draw.store(bytes(24))
    draw.call("SeedFill", source, result, 4, 4, 6, 1, 6, 2)
    assert draw.guest.read(result, 24).hex() == "00000000" * 2 + "07e00000" * 2 + "00000000" * 2
    draw.call("CalcMask", source, result, 4, 4, 6, 1)
    assert draw.guest.read(result, 24).hex() == "00000000" + "0ff00000" * 4 + "00000000"
    draw.call("SeedFill", source, result, 4, 4, 6, 1, -6, 2)
    assert draw.guest.read(result, 24) == bytes(24)


def test_fills_over_colours() -> None:
    desk = Desktop("68040", depth=8)
    base, target = (
        desk.store(bytes.fromhex("00000000 00222200 00223300 00222200")),
        desk.store(bytes(8)),
    )
    rows = desk.store(bytes.fromhex("0000 0000 0004 0004"))
    pixels = desk.call("NewPixMap")
    record = desk.mac.memory.address(pixels)
    desk.guest.put32(record, base)
    desk.guest.put16(record + 4, 0x8004)
    desk.guest.write(record + 6, desk.guest.read(rows, 8))
    bits = desk.store(target.to_bytes(4, "big") + bytes.fromhex("0002 0000 0000 0004 0004"))
    desk.call("SeedCFill", record, bits, rows, rows, 1, 2, 0, 0)
    assert desk.guest.read(target, 8).hex() == "0000" + "6000" + "4000" + "6000"
    table = desk.call("GetCTable", 8)
    entry = desk.mac.memory.address(table) + 8 + 8 * 0x22 + 2
    desk.call("CalcCMask", record, bits, rows, rows, entry, 0, 0)
    assert desk.guest.read(target, 8).hex() == "0000" + "6000" * 1 + "4000" + "6000"
    with pytest.raises(GuestStopError, match="matchProc"):
        desk.call("SeedCFill", record, bits, rows, rows, 1, 2, base, 0)


@given(st.lists(st.integers(0, 255), min_size=8, max_size=8), st.tuples(*[st.integers(0, 7)] * 2))
def test_a_flood_grows_until_it_stops(rows: list[int], seed: tuple[int, int]) -> None:
    white = np.unpackbits(np.array(rows, np.uint8).reshape(8, 1), axis=1).astype(np.bool_)
    found = flooded(white, [seed])
    region = PixelRegion.from_mask(Rectangle(0, 0, 8, 8), white)
    place = Rectangle(seed[0], seed[1], seed[0] + 1, seed[1] + 1)
    grown, before = region.intersect(PixelRegion.from_rectangle(place)), EMPTY
    while grown != before:
        before = grown
        for dh, dv in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            grown = grown.union(before.offset(dh, dv).intersect(region))
    assert PixelRegion.from_mask(Rectangle(0, 0, 8, 8), found) == grown


def test_areas_larger_than_a_screen_are_not_filled(draw: Drawing) -> None:
    pixels = draw.store(bytes(4096))
    with pytest.raises(GuestStopError, match="at most 1,048,576"):
        draw.call("CalcMask", pixels, pixels, 0, 0, 0x7FFF, 0x7F)


def test_a_long_text_is_measured_at_one_go(draw: Drawing) -> None:
    text = draw.store(b"a b " * 8191)
    places = draw.mac.memory.new_pointer(2 * 32765)
    draw.call("SpaceExtra", 0x8000)
    draw.call("MeasureText", 32764, text, places)
    for count in (0, 1, 2, 3, 1000):
        assert draw.guest.u16(places + 2 * count) == draw.call("TextWidth", text, 0, count)


def test_the_systems_cursors_are_there(draw: Drawing) -> None:
    found = [draw.call("GetCursor", number) for number in range(6)]
    assert [bool(handle) for handle in found] == [False, True, True, True, True, False]
    contents = [draw.mac.memory.contents(handle) for handle in found[1:5]]
    assert len(set(contents)) == 4
    for data in contents:
        picture, mask = (np.frombuffer(part, np.uint8) for part in (data[:32], data[32:64]))
        assert len(data) == 68
        assert not (picture & ~mask).any()  # the mask covers the picture
        assert all(0 <= spot < 16 for spot in (data[65], data[67]))
    assert draw.call("GetCursor", 4) == found[4]
    draw.call("SetCursor", draw.mac.memory.address(found[4]))
    assert not draw.mac.outputs.findings
