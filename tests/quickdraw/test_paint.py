"""Painting against a model that looks at every pixel on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import (
    BLACK,
    DEPTHS,
    EMPTY,
    GRAY,
    PLANE,
    WHITE,
    PixelRegion,
    PixelView,
    Point,
    Rectangle,
    Shape,
    frame_rectangle,
    oval,
    paint,
)
from tests.quickdraw.pixel_model import black, shown, used_bits, white

edges = st.integers(-20, 30)
rectangles = st.builds(Rectangle, edges, edges, edges, edges)
patterns = st.one_of(st.sampled_from([BLACK, WHITE, GRAY]), st.binary(min_size=8, max_size=8))


@st.composite
def regions(draw: st.DrawFn) -> PixelRegion:
    region = EMPTY
    for r in draw(st.lists(rectangles, min_size=1, max_size=5)):
        region = region.xor(PixelRegion.from_rectangle(r))
    return region


shapes = st.one_of(rectangles, regions())


@st.composite
def bitmaps(draw: st.DrawFn) -> PixelView:
    """A small bit map with something in it, anywhere near the origin, with bytes to spare."""
    depth = draw(st.sampled_from(DEPTHS))
    width, height = draw(st.integers(0, 29)), draw(st.integers(0, 12))
    top, left = draw(st.integers(-15, 5)), draw(st.integers(-15, 5))
    row_bytes = (width * depth + 7) // 8 + draw(st.integers(0, 2))
    memory = np.random.default_rng(draw(st.integers(0, 99))).integers(
        0, 256, height * row_bytes + 3, dtype=np.uint8
    )
    return PixelView(memory, row_bytes, Rectangle(top, left, top + height, left + width), depth)


def inside(shape: Shape, h: int, v: int) -> bool:
    return shape.contains(h, v)


def bit(pattern: bytes, h: int, v: int) -> int:
    return pattern[v & 7] >> (7 - (h & 7)) & 1


def transferred(old: int, source: int, mode: int, inks: tuple[int, int], depth: int) -> int:
    """A pixel after its transfer, by the table of the book: what ones and what zeros do."""
    foreground, background = inks
    if mode & 4:
        source = 1 - source
    inverted = old ^ used_bits(depth)
    for_one = (foreground, foreground, inverted, background)[mode & 3]
    return for_one if source else (background if mode & 3 == 0 else old)


@settings(deadline=None)
@given(
    bitmaps(),
    shapes,
    shapes,
    patterns,
    st.integers(0, 15),
    st.tuples(st.integers(-9, 9), st.integers(-9, 9)),
    st.none() | st.tuples(st.integers(0, 255), st.integers(0, 255)),
)
def test_every_mode(
    bitmap: PixelView,
    shape: Shape,
    clip: Shape,
    pattern: bytes,
    mode: int,
    origin: Point,
    colors: tuple[int, int] | None,
) -> None:
    box = bitmap.bounds
    before = bitmap.grid.copy()
    depth = bitmap.depth
    expected = shown(bitmap)
    if colors is not None:
        colors = colors[0] & used_bits(depth), colors[1] & used_bits(depth)
    inks = colors or (black(depth), white(depth))
    for row, v in enumerate(range(box.top, box.bottom)):
        for column, h in enumerate(range(box.left, box.right)):
            if inside(shape, h, v) and inside(clip, h, v):
                source = bit(pattern, h - origin[0], v - origin[1])
                expected[row, column] = transferred(
                    int(expected[row, column]), source, mode, inks, depth
                )
    paint(bitmap, shape, clip, pattern, mode, origin=origin, colors=colors)
    assert np.array_equal(shown(bitmap), expected)
    # The bits behind the right edge belong to others.
    bitmap.put(box, np.zeros((box.height, box.width), np.uint8))
    spared = bitmap.grid.copy()
    bitmap.grid[:] = before
    bitmap.put(box, np.zeros((box.height, box.width), np.uint8))
    assert np.array_equal(bitmap.grid, spared)


ARROW = bytes((0b10000000, 0b11000000, 0b11100000, 0b11110000, 0, 0, 0, 0b00000001))


@pytest.mark.parametrize(("left", "top"), [(0, 0), (-3, -5), (5, 2), (-48, -8), (-42, -7)])
def test_patterns_start_at_the_coordinates_origin(left: int, top: int) -> None:
    """Wherever a bit map's pixels lie in memory, the same coordinates have the same pattern."""
    bitmap = PixelView(np.zeros(8 * 40, np.uint8), 8, Rectangle(top, left, top + 40, left + 64))
    paint(bitmap, bitmap.bounds, pattern=ARROW)
    first = Rectangle(top + (-top & 7), left + (-left & 7), 0, 0)
    cell = Rectangle(first.top, first.left, first.top + 8, first.left + 8)
    assert np.packbits(bitmap.pixels(cell)).tobytes() == ARROW


def test_an_origin_moves_the_pattern() -> None:
    bitmap = PixelView(np.zeros(8 * 40, np.uint8), 8, Rectangle(0, 0, 40, 64))
    paint(bitmap, bitmap.bounds, pattern=ARROW, origin=(3, 20))
    assert np.packbits(bitmap.pixels(Rectangle(20, 3, 28, 11))).tobytes() == ARROW
    assert np.packbits(bitmap.pixels(Rectangle(4, 11, 12, 19))).tobytes() == ARROW


def test_a_frame_stays_inside_its_rectangle() -> None:
    bitmap = PixelView(np.zeros(5, np.uint8), 1, Rectangle(0, 0, 5, 8))
    paint(bitmap, frame_rectangle(Rectangle(0, 1, 5, 7), (2, 1)))
    rows = ["".join(".#"[p] for p in row) for row in bitmap.pixels(bitmap.bounds)]
    assert rows == [".######.", ".##..##.", ".##..##.", ".##..##.", ".######."]


@pytest.mark.parametrize("mode", [8, 10])
def test_two_round_shapes(mode: int) -> None:
    """A shape and a clipping region with more bands than are painted one by one."""
    bitmap = PixelView(np.zeros(5 * 30, np.uint8), 5, Rectangle(0, 0, 30, 40))
    shape, clip = oval(Rectangle(1, 1, 29, 30)), oval(Rectangle(-4, 8, 25, 39))
    paint(bitmap, shape, clip, mode=mode)
    expected = shape.mask(bitmap.bounds) & clip.mask(bitmap.bounds)
    assert np.array_equal(bitmap.pixels(bitmap.bounds), expected)


def test_shapes_as_large_as_the_plane() -> None:
    bitmap = PixelView(np.zeros(40, np.uint8), 4, Rectangle(-5, -5, 5, 27))
    hole = PixelRegion.from_rectangle(Rectangle(-1, -1, 1, 1))
    paint(
        bitmap,
        PixelRegion.from_rectangle(PLANE).difference(hole),
        PixelRegion.from_rectangle(PLANE),
    )
    assert bitmap.pixels(bitmap.bounds).sum() == 320 - 4
    paint(bitmap, Rectangle(32767, 32767, -32768, -32768), mode=10)
    assert bitmap.pixels(bitmap.bounds).sum() == 320 - 4


def test_refusals() -> None:
    bitmap = PixelView(np.zeros(8, np.uint8), 1, Rectangle(0, 0, 8, 8))
    with pytest.raises(UsageError, match="pattern of 7 bytes"):
        paint(bitmap, bitmap.bounds, pattern=b"1234567")
    for mode in (-1, 16, 40, 255):
        with pytest.raises(UsageError, match="transfer mode"):
            paint(bitmap, bitmap.bounds, mode=mode)
