"""Colour icons, icons of families and suites, colour cursors."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.program.mac_file.resource_fork import Resource, ResourceFork
from emu.quickdraw import Rectangle, standard_space
from emu.toolbox.computer.settings import Application, Settings
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.icons.images import IconImage
from emu.toolbox.records.quickdraw import CIcon
from tests.toolbox.conftest import make_mac
from tests.toolbox.quickdraw_kit import Drawing

RED, BLUEST, BLACK = 35, 210, 255
NO_MASK = -1000
DISABLED, OPEN, SELECTED = 1, 3, 0x4000


def pixel_map(row_bytes: int, side: int, depth: int, base: int = 0, table: int = 0) -> bytes:
    """A PixMap as resources have it."""
    head = struct.pack(">IH4h", base, 0x8000 | row_bytes, 0, 0, side, side)
    rest = struct.pack(">hhiIIhhhhiIi", 0, 0, 0, 0, 0, 0, depth, 1, depth, 0, table, 0)
    return head + rest


def color_table(*colors: tuple[int, int, int]) -> bytes:
    entries = [struct.pack(">4H", n, *(part * 257 for part in c)) for n, c in enumerate(colors)]
    return struct.pack(">IHh", 0, 0, len(colors) - 1) + b"".join(entries)


def bits(row_bytes: int, side: int) -> bytes:
    return struct.pack(">IH4h", 0, row_bytes, 0, 0, side, side)


COLORS = color_table((255, 255, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0))
# 4 by 4 pixels of two bits: red, blue, black, white; the mask leaves out the last column.
CICN = (
    pixel_map(2, 4, 2)
    + bits(2, 4)
    + bits(2, 4)
    + bytes(4)
    + b"\xe0\0" * 4
    + b"\x80\0" * 4
    + COLORS
    + b"\x6c\0" * 4
)
GRAY, DULL = (100, 100, 100), (90, 140, 200)
OWN_COLORS = color_table((255, 255, 255), GRAY, DULL, (0, 0, 0))
HOLE = np.ones((32, 32), np.uint8)
HOLE[8:24, 8:24] = 0
LARGE_MASK = np.packbits(HOLE).tobytes()
LARGE = np.packbits(np.tri(32, dtype=np.uint8)).tobytes() + LARGE_MASK
SMALL = b"\xff\xff" * 16 + b"\x0f\xf0" * 16
CRSR = (
    struct.pack(">HIIIhI", 0x8001, 96, 146, 0, -1, 0)
    + bytes(range(32))
    + b"\xff" * 32
    + struct.pack(">hhii", 3, 4, 0, 131)
)
CRSR += pixel_map(4, 16, 2, table=96 + 50 + 64) + b"\x1b" * 64 + COLORS
FORK = ResourceFork(
    (
        Resource("cicn", 128, "", 0, CICN),
        Resource("cicn", 134, "", 0, CICN.replace(COLORS, OWN_COLORS)),
        Resource("ICN#", 130, "", 0, LARGE),
        Resource("icl8", 130, "", 0, bytes([RED]) * 1024),
        Resource("ics#", 130, "", 0, SMALL),
        Resource("ics4", 130, "", 0, b"\x66" * 128),
        Resource("icl8", 133, "", 0, bytes([RED]) * 1024),
        Resource("crsr", 131, "", 0, CRSR),
    )
)


def rgb(draw: Drawing, red: int, green: int, blue: int) -> int:
    """The address of a colour, parts from 0 to 255."""
    return draw.store(bytes((red, red, green, green, blue, blue)))


def drawing(cpu: str, depth: int) -> Drawing:
    mac = make_mac(cpu, settings=Settings(depth=depth), application=Application(resources=FORK))
    return Drawing(mac)


@pytest.fixture(params=["68040", "601"])
def color(request: pytest.FixtureRequest) -> Drawing:
    """A screen of 256 colours."""
    return drawing(request.param, 8)


def test_a_colour_icon_keeps_the_colours_of_its_table() -> None:
    """Not the nearest standard ones, which are farther from what the screen has."""
    deep = drawing("68040", 32)
    deep.call("PlotCIcon", deep.rect(10, 10, 14, 14), deep.call("GetCIcon", 134))
    assert deep.pixels(10, 10, 11, 11).tolist() == [[0x646464]]
    assert deep.pixels(11, 10, 12, 11).tolist() == [[0x5A8CC8]]
    color = drawing("68040", 8)
    color.call("SetEntries", 99, 0, color.store(struct.pack(">4H", 0, *(p * 257 for p in GRAY))))
    color.call("PlotCIcon", color.rect(10, 10, 14, 14), color.call("GetCIcon", 134))
    assert color.pixels(10, 10, 11, 11).tolist() == [[99]]


def test_the_mask_of_a_colour_icon_that_was_drawn_makes_a_region(color: Drawing) -> None:
    icon, region = color.call("GetCIcon", 128), color.call("NewRgn")
    color.call("HLock", icon)
    color.call("PlotCIcon", color.rect(10, 10, 14, 14), icon)
    record = CIcon(color.guest, color.mac.memory.address(icon))
    assert record.iconBMap.baseAddr == record.iconMask.baseAddr + 4 * record.iconMask.rowBytes
    assert color.call("BitMapToRegion", region, record.iconMask.address) == 0
    for x, is_inside in enumerate((True, True, True, False)):
        assert bool(color.call("PtInRgn", Point(0, x), region)) is is_inside


def test_grays_of_a_colour_icon_stay_gray() -> None:
    color = drawing("68040", 8)
    icon = color.call("GetCIcon", 128)
    table = CIcon(color.guest, color.mac.memory.address(icon)).iconPMap.pmTable
    for gray in range(0, 256, 17):
        colors = color_table((255, 255, 255), (gray,) * 3, (gray,) * 3, (0, 0, 0))
        color.mac.memory.set_contents(table, colors)
        color.call("PlotCIcon", color.rect(10, 10, 14, 14), icon)
        shown = standard_space(8).color(int(color.pixels(10, 10, 11, 11)[0, 0]))
        assert shown == (gray,) * 3


def test_a_colour_icon_is_drawn_through_its_mask(color: Drawing) -> None:
    icon = color.call("GetCIcon", 128)
    color.call("PlotCIcon", color.rect(10, 10, 14, 14), icon)
    assert color.pixels(10, 10, 15, 11).tolist() == [[RED, BLUEST, BLACK, 0, 0]]
    color.call("ForeColor", 205)
    color.call("PaintRect", color.rect(20, 0, 28, 8))
    paper = int(color.pixels(20, 0, 21, 1)[0, 0])
    color.call("PlotCIcon", color.rect(20, 0, 28, 8), icon)
    assert color.pixels(20, 7, 28, 8).tolist() == [
        [RED] * 2 + [BLUEST] * 2 + [BLACK] * 2 + [paper] * 2
    ]
    before = len(color.mac.memory.heap.blocks)
    color.call("DisposeCIcon", icon)
    assert len(color.mac.memory.heap.blocks) == before - 3
    assert color.call("GetCIcon", 999) == 0
    assert not color.mac.outputs.findings


def test_on_one_bit_a_colour_icon_has_its_bit_map() -> None:
    draw = drawing("68040", 1)
    draw.call("PlotCIcon", draw.rect(0, 0, 4, 4), draw.call("GetCIcon", 128))
    assert draw.pixels(0, 0, 5, 1).tolist() == [[1, 0, 0, 0, 0]]


def test_the_icon_of_a_family_fits_rectangle_and_depth(color: Drawing) -> None:
    large, small = color.rect(0, 0, 32, 32), color.rect(40, 0, 56, 16)
    assert color.call("PlotIconID", large, 0, 0, 130) == 0
    assert color.call("PlotIconID", small, 0, 0, 130) == 0
    assert (color.pixels(0, 0, 32, 32) == HOLE * RED).all()
    blue = standard_space(8).pixel((0, 0, 0xD4))
    assert color.pixels(40, 3, 56, 4).tolist() == [[0] * 4 + [blue] * 8 + [0] * 4]
    assert color.call("PlotIconID", large, 0, 0, 133) == NO_MASK
    draw = drawing("68040", 1)
    draw.call("PlotIconID", draw.rect(0, 0, 32, 32), 0, 0, 130)
    assert (draw.pixels(0, 0, 32, 32) == (np.tri(32) * HOLE)).all()


def test_an_icon_is_aligned_by_its_mask(color: Drawing) -> None:
    color.call("PlotIconID", color.rect(0, 0, 16, 16), 8 + 1, 0, 130)  # to the left
    assert color.pixels(0, 0, 9, 1)[0].astype(bool).tolist() == [True] * 8 + [False]
    color.call("EraseRect", color.rect(0, 0, 16, 16))
    color.call("PlotIconID", color.rect(0, 0, 16, 16), 12, 0, 130)  # to the right
    assert color.pixels(7, 0, 16, 1)[0].astype(bool).tolist() == [False] + [True] * 8


def test_transforms_change_what_is_drawn(color: Drawing) -> None:
    r = color.rect(0, 0, 32, 32)
    color.call("PlotIconID", r, 0, SELECTED, 130)
    parts = standard_space(8).color(int(color.pixels(0, 0, 1, 1)[0, 0]))
    assert 0 < parts[0] < 0xFF and parts[1:] == (0, 0)
    color.call("PlotIconID", r, 0, DISABLED, 130)
    assert set(color.pixels(0, 0, 32, 8).flat) == {RED, 0}
    color.call("PlotIconID", r, 0, OPEN, 130)
    assert color.pixels(0, 0, 32, 1).all() and set(color.pixels(0, 1, 8, 8).flat) == {BLACK, 0}
    color.call("PlotIconID", r, 0, 0x400, 130)
    assert int(color.pixels(0, 0, 1, 1)[0, 0]) != RED
    draw = drawing("601", 1)
    draw.call("PlotIconID", draw.rect(0, 0, 32, 32), 0, SELECTED, 130)
    assert (draw.pixels(0, 0, 32, 32) == ((1 - np.tri(32)) * HOLE)).all()


def test_suites(color: Drawing) -> None:
    place, r = color.store(bytes(4)), color.rect(0, 0, 32, 32)
    assert color.call("GetIconSuite", place, 130, 0x0000FFFF) == 0
    suite = color.guest.u32(place)
    assert color.call("PlotIconSuite", r, 0, 0, suite) == 0
    assert int(color.pixels(0, 0, 1, 1)[0, 0]) == RED
    assert color.call("GetIconFromSuite", place, suite, "icl8") == 0
    assert color.mac.memory.contents(color.guest.u32(place)) == bytes([RED]) * 1024
    assert color.call("GetIconFromSuite", place, suite, "icl4") == -50
    bits_only = color.mac.memory.handle_from(LARGE)
    assert color.call("NewIconSuite", place) == 0
    other = color.guest.u32(place)
    assert color.call("PlotIconSuite", r, 0, 0, other) == NO_MASK
    assert color.call("AddIconToSuite", bits_only, other, "ICN#") == 0
    assert color.call("AddIconToSuite", bits_only, other, "ABCD") == -50
    assert color.call("PlotIconSuite", r, 0, 0, other) == 0
    assert (color.pixels(0, 0, 32, 32) == np.where(HOLE, np.tri(32) * BLACK, 0)).all()
    assert color.call("SetSuiteLabel", other, 3) == 0 and color.call("GetSuiteLabel", other) == 3
    assert color.call("SetSuiteLabel", other, 9) == -50
    for one, data in ((suite, True), (other, True)):
        assert color.call("DisposeIconSuite", one, data) == 0
    assert not color.mac.memory.is_handle(bits_only)
    assert not color.mac.outputs.findings


def test_where_an_icon_is(color: Drawing) -> None:
    r, region = color.rect(100, 100, 132, 132), color.call("NewRgn")
    assert color.call("IconIDToRgn", region, r, 0, 130) == 0
    assert (
        color.mac.region_handles.region(region).mask(color.mac.quickdraw.rectangle(r)) == HOLE
    ).all()
    assert color.call("IconIDToRgn", region, r, 0, 133) == NO_MASK
    assert color.call("PtInIconID", Point(101, 101), r, 0, 130) is True
    assert color.call("PtInIconID", Point(116, 116), r, 0, 130) is False
    assert color.call("RectInIconID", color.rect(110, 110, 120, 120), r, 0, 130) is False
    assert color.call("RectInIconID", color.rect(100, 110, 120, 120), r, 0, 130) is True
    name, parts = color.store(bytes(256)), color.store(bytes(6))
    assert color.call("GetLabel", 2, parts, name) == 0
    assert color.guest.pascal_string(name) == b"Hot"
    assert color.call("GetLabel", 8, parts, name) == -50


@given(bits=st.binary(min_size=12, max_size=12), size=st.tuples(*[st.integers(0, 40)] * 2))
def test_the_region_of_a_stretched_icon_is_its_stretched_mask(
    bits: bytes, size: tuple[int, int]
) -> None:
    icon = IconImage.of_bits(bytes(12) + bits, 8, 12)
    height, width = size
    r = Rectangle(-3, 5, -3 + height, 5 + width)
    rows, columns = (np.arange(n) * parts // max(n, 1) for n, parts in ((height, 12), (width, 8)))
    assert (icon.region(r).mask(r) == icon.mask[rows][:, columns]).all()


def test_single_icons_by_their_handles(color: Drawing) -> None:
    r, memory = color.rect(0, 0, 32, 32), color.mac.memory
    assert color.call("PlotIconHandle", r, 0, 0, memory.handle_from(LARGE)) == 0
    assert (color.pixels(0, 0, 32, 32) == np.where(HOLE, np.tri(32) * BLACK, 0)).all()
    assert (
        color.call("PlotSICNHandle", color.rect(0, 0, 16, 16), 0, 0, memory.handle_from(SMALL)) == 0
    )
    assert color.pixels(4, 0, 12, 16).all()
    assert color.call("PlotCIconHandle", r, 0, 0, color.call("GetCIcon", 128)) == 0
    assert int(color.pixels(0, 0, 1, 1)[0, 0]) == RED


def test_colour_cursors(color: Drawing) -> None:
    assert color.call("GetCCursor", 999) == 0
    color.call("AllocCursor")
    before = len(color.mac.memory.heap.blocks)
    cursor = color.call("GetCCursor", 131)
    color.call("SetCCursor", cursor)
    assert color.mac.quickdraw_cursor.image == bytes(range(32)) + b"\xff" * 32 + b"\0\3\0\4"
    color.call("DisposeCCursor", cursor)
    assert len(color.mac.memory.heap.blocks) == before
