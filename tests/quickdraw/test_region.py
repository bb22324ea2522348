"""Regions against plain sets of pixels, and the data format byte by byte."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import EMPTY, PLANE, PixelRegion, Rectangle

FIELD = Rectangle(-6, -5, 6, 7)
Pixels = set[tuple[int, int]]

edges = st.integers(-6, 7)
rectangles = st.builds(Rectangle, edges, edges, edges, edges)


def pixels_of_rectangle(r: Rectangle) -> Pixels:
    return {(h, v) for v in range(r.top, r.bottom) for h in range(r.left, r.right)}


def pixels_of(region: PixelRegion) -> Pixels:
    """The pixels, by every way there is to ask for them."""
    box = region.bounds.union(FIELD)
    rows, columns = np.nonzero(region.mask(box))
    found = {(int(h) + box.left, int(v) + box.top) for v, h in zip(rows, columns, strict=True)}
    asked = {(h, v) for h, v in pixels_of_rectangle(box) if region.contains(h, v)}
    cut = [pixels_of_rectangle(Rectangle(*r)) for r in region.rectangles()]
    assert found == asked == set().union(*cut)
    assert sum(map(len, cut)) == len(found), "the rectangles overlap"
    return found


@st.composite
def regions(draw: st.DrawFn) -> PixelRegion:
    region = EMPTY
    for r in draw(st.lists(rectangles, max_size=5)):
        region = region.xor(PixelRegion.from_rectangle(r))
    return region


def assert_canonical(region: PixelRegion) -> None:
    """Equal sets of pixels must be equal regions."""
    assert region == PixelRegion.from_mask(region.bounds, region.mask(region.bounds))


@settings(deadline=None)
@given(regions(), regions())
def test_algebra(a: PixelRegion, b: PixelRegion) -> None:
    first, second = pixels_of(a), pixels_of(b)
    for region, expected in (
        (a.union(b), first | second),
        (a.intersect(b), first & second),
        (a.difference(b), first - second),
        (a.xor(b), first ^ second),
    ):
        assert pixels_of(region) == expected
        assert_canonical(region)
        assert region.empty == (not expected)


@settings(deadline=None)
@given(rectangles)
def test_of_a_rectangle(r: Rectangle) -> None:
    region = PixelRegion.from_rectangle(r)
    assert region.is_rectangular
    assert pixels_of(region) == pixels_of_rectangle(r)
    assert region.empty == r.empty


@settings(deadline=None)
@given(regions(), st.integers(-4, 4), st.integers(-4, 4))
def test_offset(region: PixelRegion, dh: int, dv: int) -> None:
    assert pixels_of(region.offset(dh, dv)) == {(h + dh, v + dv) for h, v in pixels_of(region)}


@settings(deadline=None)
@given(regions(), st.integers(0, 3), st.integers(0, 3))
def test_inset(region: PixelRegion, dh: int, dv: int) -> None:
    pixels = pixels_of(region)
    near = [(h, v) for h in range(-dh, dh + 1) for v in range(-dv, dv + 1)]
    shrunk = region.inset(dh, dv)
    assert pixels_of(shrunk) == {
        (h, v) for h, v in pixels if all((h + x, v + y) in pixels for x, y in near)
    }
    assert_canonical(shrunk)
    grown = region.inset(-dh, -dv)
    assert pixels_of(grown) == {(h + x, v + y) for h, v in pixels for x, y in near}
    assert_canonical(grown)


@settings(deadline=None)
@given(regions())
def test_encoding_comes_back(region: PixelRegion) -> None:
    data = region.encode()
    assert len(data) == struct.unpack(">H", data[:2])[0]
    assert PixelRegion.decode(data) == region
    assert PixelRegion.decode(data + b"rest of the block") == region


def test_encoding_of_a_rectangle() -> None:
    data = PixelRegion.from_rectangle(Rectangle(1, 2, 3, -4)).encode()
    assert data == struct.pack(">5h", 10, 0, 0, 0, 0)
    data = PixelRegion.from_rectangle(Rectangle(-1, 2, 30, 400)).encode()
    assert data == struct.pack(">5h", 10, -1, 2, 30, 400)


def test_encoding_of_an_l() -> None:
    """The lines hold what changes from row to row and not what is inside."""
    upright = PixelRegion.from_rectangle(Rectangle(0, 0, 20, 10))
    region = upright.union(PixelRegion.from_rectangle(Rectangle(15, 0, 20, 30)))
    words = (44, 0, 0, 20, 30, 0, 0, 10, 32767, 15, 10, 30, 32767, 20, 0, 30, 32767, 32767)
    assert region.encode() == struct.pack(f">{len(words)}h", 36, *words[1:])


def test_encoding_of_parts_with_a_gap() -> None:
    region = PixelRegion.from_rectangle(Rectangle(0, 0, 2, 4)).union(
        PixelRegion.from_rectangle(Rectangle(5, 0, 7, 4))
    )
    lines = (0, 0, 4, 32767, 2, 0, 4, 32767, 5, 0, 4, 32767, 7, 0, 4, 32767, 32767)
    assert region.encode() == struct.pack(f">5h{len(lines)}h", 44, 0, 0, 7, 4, *lines)


def words(*lines: int, bounds: tuple[int, ...] = (0, 0, 4, 4)) -> bytes:
    return struct.pack(f">5h{len(lines)}h", 10 + 2 * len(lines), *bounds, *lines)


END = 32767


@pytest.mark.parametrize(
    "data",
    [
        b"",
        words()[:9],
        struct.pack(">5h", 8, 0, 0, 4, 4),
        struct.pack(">5h", 11, 0, 0, 4, 4) + b"\0",
        struct.pack(">5h", 12, 0, 0, 4, 4),
        struct.pack(">H4h", 0xFFFE, 0, 0, 4, 4),
        words(END, bounds=(0, 0, 4, 4)),
        words(0, 0, 4, END, 4, 0, 4, END),
        words(0, 0, 4, END, 4, 0, 4, END, END, END),
        words(0, 0, 4, END, END),
        words(0, 0, 4, END, 4, 0, 4),
        words(4, 0, 4, END, 0, 0, 4, END, END),
        words(0, 0, 4, END, 0, 0, 4, END, END),
        words(0, 4, 0, END, 4, 4, 0, END, END),
        words(0, 0, 4, 5, END, 4, 0, 4, 5, END, END),
        words(0, 0, 0, END, 4, 0, 0, END, END),
        words(0, END, 4, 0, 4, END, END),
        words(0, 0, 4, END, 4, 0, 4, END, END, bounds=(0, 0, 4, 5)),
    ],
)
def test_malformed(data: bytes) -> None:
    with pytest.raises(UsageError, match="region"):
        PixelRegion.decode(data)


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_any_data_is_decoded_or_refused(data: bytes) -> None:
    lines = struct.pack(">H", max(len(data) & ~1, 2)) + data[2:]
    try:
        region = PixelRegion.decode(lines)
    except UsageError:
        return
    assert_plane_sized(region)


def assert_plane_sized(region: PixelRegion) -> None:
    assert region.empty or Rectangle(-32768, -32768, 32767, 32767).encloses(region.bounds)


def test_as_wide_as_the_plane() -> None:
    """The usual clipping region, with a hole, costs no more than a small one."""
    hole = PixelRegion.from_rectangle(Rectangle(10, 10, 20, 20))
    region = PixelRegion.from_rectangle(PLANE).difference(hole)
    assert not region.contains(15, 15)
    assert region.contains(32766, -32768)
    decoded = PixelRegion.decode(region.encode())
    assert decoded.bounds == Rectangle(-32768, -32768, 32766, 32766)
    assert decoded.difference(region).empty
    assert region.inset(3, 3).contains(6, 10) and not region.inset(3, 3).contains(7, 10)
    assert region.mask(Rectangle(9, 9, 12, 12)).tolist() == [
        [True, True, True],
        [True, False, False],
        [True, False, False],
    ]


def test_what_leaves_the_plane_is_lost() -> None:
    region = PixelRegion.from_rectangle(Rectangle(0, 0, 10, 10))
    assert region.offset(32760, 0).bounds == Rectangle(0, 32760, 10, 32767)
    assert region.offset(32767, 0).empty
    corner = PixelRegion.from_rectangle(Rectangle(-32768, -32768, -32760, -32760))
    ragged = corner.union(PixelRegion.from_rectangle(Rectangle(-32760, -32768, -32750, -32750)))
    assert ragged.inset(-2, -2).bounds == Rectangle(-32768, -32768, -32748, -32748)


def test_too_ragged_to_encode() -> None:
    noise = np.random.default_rng(1).random((200, 200)) < 0.5
    region = PixelRegion.from_mask(Rectangle(0, 0, 200, 200), noise)
    with pytest.raises(UsageError, match="32 KB"):
        region.encode()
