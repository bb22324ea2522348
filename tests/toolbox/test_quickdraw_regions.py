"""Regions through their routines: the data in guest memory, arithmetic, recording."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.guest.findings import GuestStopError, Sureness
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.quickdraw.drawing.geometry import map_region
from emu.toolbox.records.quickdraw import GrafPort
from tests.toolbox.conftest import has_found, make_mac
from tests.toolbox.quickdraw_kit import Drawing

QUICK = settings(
    max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
EDGE = st.integers(0, 12)
BOX = st.tuples(EDGE, EDGE, EDGE, EDGE)
PLANE = [(h, v) for v in range(14) for h in range(14)]

# An L: 4 by 4 without its upper right quarter. Size, bounds, and the rows that differ.
L_SHAPE = (
    "0024"
    + "000a000a000e000e"
    + "000a000a000c7fff"
    + "000c000c000e7fff"
    + "000e000a000e7fff"
    + "7fff"
)


@pytest.fixture
def draw(mac: Macintosh) -> Drawing:
    """A port as large as the screen."""
    return Drawing(mac)


@pytest.fixture(scope="module")
def shared() -> Drawing:
    """One for all examples of a property."""
    return Drawing(make_mac("601"))


def region(draw: Drawing, *boxes: tuple[int, int, int, int]) -> int:
    """A region of rectangles, each (left, top, right, bottom)."""
    whole, part = draw.call("NewRgn"), draw.call("NewRgn")
    for box in boxes:
        draw.call("SetRectRgn", part, *box)
        draw.call("UnionRgn", whole, part, whole)
    draw.call("DisposeRgn", part)
    return int(whole)


def holds(boxes: list[tuple[int, int, int, int]], h: int, v: int) -> bool:
    """Whether a pixel is in one of some rectangles."""
    return any(left <= h < right and top <= v < bottom for left, top, right, bottom in boxes)


def test_the_data_of_a_region_that_is_no_rectangle(draw: Drawing) -> None:
    handle = region(draw, (10, 10, 12, 14), (10, 12, 14, 14))
    assert draw.region_bytes(handle).hex() == L_SHAPE
    assert draw.mac.memory.handle_size(handle) == 36
    draw.call("SetEmptyRgn", handle)
    assert draw.region_bytes(handle).hex() == "000a" + "0000" * 4


def test_a_region_that_the_program_has_written_itself_is_read(draw: Drawing) -> None:
    handle = draw.mac.memory.handle_from(bytes.fromhex(L_SHAPE))
    draw.call("PaintRgn", handle)
    assert draw.pixels(10, 10, 14, 14).tolist() == [[1, 1, 0, 0]] * 2 + [[1, 1, 1, 1]] * 2
    assert draw.black() == 12


def test_a_damaged_region_is_reported_and_not_drawn(draw: Drawing) -> None:
    handle = draw.mac.memory.handle_from(bytes.fromhex("0012000a000a000e000e000a000b7fff7fff"))
    draw.call("PaintRgn", handle)
    assert draw.black() == 0
    draw.call("CopyRgn", 0, handle)
    assert has_found(draw.mac, "PaintRgn did nothing: the region handle .* holds")
    assert has_found(draw.mac, "CopyRgn did nothing: a region handle is nil")


@QUICK
@given(
    first=st.lists(BOX, max_size=4),
    second=st.lists(BOX, max_size=4),
    pair=st.sampled_from(
        [
            ("SectRgn", lambda a, b: a and b),
            ("UnionRgn", lambda a, b: a or b),
            ("DiffRgn", lambda a, b: a and not b),
            ("XorRgn", lambda a, b: a != b),
        ]
    ),
)
def test_arithmetic_against_pixels(
    shared: Drawing,
    first: list[tuple[int, int, int, int]],
    second: list[tuple[int, int, int, int]],
    pair: tuple[str, object],
) -> None:
    name, rule = pair
    a, b, result = region(shared, *first), region(shared, *second), shared.call("NewRgn")
    shared.call(name, a, b, result)
    assert callable(rule)
    expected = {(h, v) for h, v in PLANE if rule(holds(first, h, v), holds(second, h, v))}
    found = {(h, v) for h, v in PLANE if shared.call("PtInRgn", Point(v, h), result)}
    assert found == expected
    assert shared.call("EmptyRgn", result) == (not expected)
    shared.call(name, a, b, a)
    assert shared.call("EqualRgn", a, result)
    for handle in (a, b, result):
        shared.call("DisposeRgn", handle)


def test_moving_and_insetting(draw: Drawing) -> None:
    handle = region(draw, (10, 10, 30, 40))
    draw.call("OffsetRgn", handle, 5, -3)
    assert draw.region_bytes(handle).hex() == "000a0007000f00250023"
    draw.call("InsetRgn", handle, 2, 1)
    assert draw.region_bytes(handle).hex() == "000a0008001100240021"
    assert draw.call("RectInRgn", draw.rect(0, 0, 18, 9), handle) is True
    assert draw.call("RectInRgn", draw.rect(0, 0, 17, 9), handle) is False


def test_recording_lines_and_shapes(draw: Drawing) -> None:
    draw.call("OpenRgn")
    assert GrafPort(draw.guest, draw.port).pnVis == -1
    draw.call("FrameRect", draw.rect(10, 10, 30, 30))
    draw.call("FrameRect", draw.rect(15, 15, 25, 25))
    for name, h, v in (("MoveTo", 50, 50), ("LineTo", 60, 50), ("LineTo", 60, 60)):
        draw.call(name, h, v)
    draw.call("LineTo", 50, 60)
    draw.call("LineTo", 50, 50)
    handle = draw.call("NewRgn")
    draw.call("CloseRgn", handle)
    assert draw.black() == 0
    assert GrafPort(draw.guest, draw.port).pnVis == 0
    assert GrafPort(draw.guest, draw.port).rgnSave == 0
    draw.call("PaintRgn", handle)
    assert draw.black() == 20 * 20 - 10 * 10 + 10 * 10
    assert draw.pixels(50, 50, 60, 60).all()
    assert not draw.pixels(15, 15, 25, 25).any()


def test_frames_of_regions_are_inside(draw: Drawing) -> None:
    handle = region(draw, (10, 10, 20, 20))
    draw.call("FrameRgn", handle)
    assert draw.black() == 36
    assert draw.pixels(10, 10, 20, 11).all()


@pytest.mark.parametrize("pen", [(3, 0), (0, 3), (0, 0)])
def test_a_pen_without_width_or_height_frames_nothing(draw: Drawing, pen: tuple[int, int]) -> None:
    draw.call("PenSize", *pen)
    draw.call("FrameRgn", region(draw, (10, 10, 40, 40)))
    assert not draw.pixels(0, 0, 64, 64).any()


def test_clip_regions_are_copies(draw: Drawing) -> None:
    handle = region(draw, (10, 10, 12, 14), (10, 12, 14, 14))
    draw.call("SetClip", handle)
    draw.call("SetEmptyRgn", handle)
    draw.call("PaintRect", draw.rect(0, 0, 100, 100))
    assert draw.black() == 12
    draw.call("GetClip", handle)
    assert draw.region_bytes(handle).hex() == L_SHAPE


def test_a_bit_map_becomes_a_region(draw: Drawing) -> None:
    base = draw.store(bytes.fromhex("c000c000f000f000"))
    source = draw.store(base.to_bytes(4, "big") + bytes.fromhex("0002000a000a000e000e"))
    handle = draw.call("NewRgn")
    assert draw.call("BitMapToRegion", handle, source) == 0
    assert draw.region_bytes(handle).hex() == L_SHAPE


def test_mapping_a_region(draw: Drawing) -> None:
    handle = region(draw, (0, 0, 2, 4), (0, 2, 4, 4))
    draw.call("MapRgn", handle, draw.rect(0, 0, 4, 4), draw.rect(100, 100, 108, 104))
    bounds = draw.mac.region_handles.region(handle)
    assert bounds.bounds == Rectangle(100, 100, 104, 108)
    assert sum((b - t) * (r - left) for t, left, b, r in bounds.rectangles()) == 24


@given(
    rows=st.lists(st.integers(0, 255), min_size=8, max_size=8),
    size=st.tuples(st.integers(1, 40), st.integers(1, 40)),
)
def test_a_mapped_region_is_in_order_and_maps_back(rows: list[int], size: tuple[int, int]) -> None:
    mask = np.unpackbits(np.array(rows, np.uint8).reshape(8, 1), axis=1).astype(np.bool_)
    small = Rectangle(0, 0, 8, 8)
    whole = PixelRegion.from_mask(small, mask)
    large = Rectangle(100, 100, 100 + size[0], 100 + size[1])
    mapped = map_region(whole, small, large)
    assert PixelRegion.decode(mapped.encode()) == mapped
    assert mapped.empty or large.encloses(mapped.bounds)
    if min(size) >= 8:
        assert map_region(mapped, large, small) == whole
    twice = map_region(whole, small, Rectangle(0, 0, 16, 16)).mask(Rectangle(0, 0, 16, 16))
    assert (twice == np.kron(mask, np.ones((2, 2), np.bool_))).all()


def test_closing_what_is_not_open_is_reported(draw: Drawing) -> None:
    draw.call("CloseRgn", draw.call("NewRgn"))
    draw.call("ClosePoly")
    draw.call("ClosePicture")
    found = [(one.check, one.sureness) for one in draw.mac.outputs.findings.values()]
    assert found == [
        ("open region", Sureness.UNUSUAL),  # a Macintosh looks whether one is open
        ("open polygon", Sureness.EVERY),
        ("open picture", Sureness.UNUSUAL),
    ]


def test_what_lies_outside_the_plane_is_not_stored() -> None:
    beyond = Rectangle(-40000, 10, 5, 40000)
    stored = PixelRegion.decode(PixelRegion.from_rectangle(beyond).encode())
    assert stored == PixelRegion.from_rectangle(Rectangle(-0x8000, 10, 5, 0x7FFF))
    corner = PixelRegion.from_bands([(0, 10, (0, 40000)), (10, 20, (0, 5))])
    kept = PixelRegion.decode(corner.encode())
    assert kept.bounds == Rectangle(0, 0, 20, 0x7FFE)
    assert PixelRegion.decode(
        PixelRegion.from_rectangle(Rectangle(40000, 0, 50000, 9)).encode()
    ).empty


@pytest.mark.parametrize("verb", [5, 9, 255])
@pytest.mark.parametrize("name", ["StdRect", "StdOval"])
def test_a_verb_that_there_is_not(draw: Drawing, name: str, verb: int) -> None:
    r = draw.rect(0, 0, 10, 10)
    draw.call("OpenPicture", r)  # in which it would be kept
    with pytest.raises(GuestStopError, match=f"no drawing verb {verb}"):
        draw.call(name, verb, r)
