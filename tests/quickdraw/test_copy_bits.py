"""Copying and scrolling against a model that looks at every pixel on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emu.base.errors import UsageError
from emu.quickdraw import (
    DEPTHS,
    EMPTY,
    GRAY,
    PLANE,
    PixelRegion,
    PixelView,
    Rectangle,
    copy_bits,
    scroll,
)
from tests.quickdraw.pixel_model import color_of, combined, nearest, shown

edges = st.integers(-12, 34)
rectangles = st.builds(Rectangle, edges, edges, edges, edges)


@st.composite
def regions(draw: st.DrawFn) -> PixelRegion:
    region = EMPTY
    for r in draw(st.lists(rectangles, min_size=1, max_size=4)):
        region = region.xor(PixelRegion.from_rectangle(r))
    return region


def bitmap(seed: int, bounds: Rectangle, depth: int = 1) -> PixelView:
    row_bytes = (bounds.width * depth + 7) // 8 + 1
    memory = np.random.default_rng(seed).integers(0, 256, row_bytes * bounds.height, dtype=np.uint8)
    return PixelView(memory, row_bytes, bounds, depth)


def model(
    source: PixelView,
    r: Rectangle,
    destination: PixelView,
    to: Rectangle,
    mode: int,
    clip: PixelRegion,
) -> np.ndarray:
    """The pixels of the destination as they should be afterwards."""
    box = destination.bounds
    given_pixels, expected = shown(source), shown(destination)
    if r.empty or to.empty:
        return expected
    for v in range(max(box.top, to.top), min(box.bottom, to.bottom)):
        for h in range(max(box.left, to.left), min(box.right, to.right)):
            from_h = r.left + (h - to.left) * r.width // to.width
            from_v = r.top + (v - to.top) * r.height // to.height
            if not clip.contains(h, v) or not source.bounds.contains(from_h, from_v):
                continue
            new = int(given_pixels[from_v - source.bounds.top, from_h - source.bounds.left])
            if source.depth != destination.depth:
                new = nearest(color_of(new, source.depth), destination.depth)
            row, column = v - box.top, h - box.left
            expected[row, column] = combined(
                int(expected[row, column]), new, mode, destination.depth
            )
    return expected


@settings(deadline=None)
@given(
    st.integers(0, 99),
    st.tuples(st.sampled_from(DEPTHS), st.sampled_from(DEPTHS)),
    rectangles,
    st.one_of(rectangles, st.tuples(st.integers(-9, 9), st.integers(-9, 9))),
    st.integers(0, 7),
    regions(),
)
def test_every_mode(
    seed: int,
    depths: tuple[int, int],
    r: Rectangle,
    to: Rectangle | tuple[int, int],
    mode: int,
    clip: PixelRegion,
) -> None:
    """Between all depths, stretched, shrunk or plainly moved, partly outside of both."""
    source = bitmap(seed, Rectangle(-3, -2, 14, 23), depths[0])
    destination = bitmap(seed + 1, Rectangle(-1, -6, 11, 25), depths[1])
    target = to if isinstance(to, Rectangle) else r.offset(*to)
    expected = model(source, r, destination, target, mode, clip)
    copy_bits(source, r, destination, target, mode, clip)
    assert np.array_equal(shown(destination), expected)


@settings(deadline=None)
@given(
    st.integers(0, 99),
    st.sampled_from(DEPTHS),
    rectangles,
    st.one_of(rectangles, st.tuples(st.integers(-9, 9), st.integers(-9, 9))),
    st.integers(0, 3),
)
def test_onto_itself(
    seed: int, depth: int, r: Rectangle, to: Rectangle | tuple[int, int], mode: int
) -> None:
    pixels = bitmap(seed, Rectangle(-3, -2, 14, 23), depth)
    target = to if isinstance(to, Rectangle) else r.offset(*to)
    expected = model(pixels, r, pixels, target, mode, PixelRegion.from_rectangle(PLANE))
    copy_bits(pixels, r, pixels, target, mode)
    assert np.array_equal(shown(pixels), expected)


def test_bits_take_colours() -> None:
    source = PixelView(np.array([0b10100000], np.uint8), 1, Rectangle(0, 0, 1, 4))
    for mode, expected in ((0, [5, 9, 5, 9]), (1, [5, 7, 5, 7]), (3, [9, 7, 9, 7])):
        destination = PixelView(np.full(4, 7, np.uint8), 4, Rectangle(0, 0, 1, 4), 8)
        copy_bits(source, source.bounds, destination, source.bounds, mode, colors=(5, 9))
        assert destination.grid.tolist() == [expected]


def test_transparent() -> None:
    r = Rectangle(0, 0, 1, 4)
    source = PixelView(np.array([1, 9, 0, 255], np.uint8), 4, r, 8)
    destination = PixelView(np.full(4, 7, np.uint8), 4, r, 8)
    copy_bits(source, r, destination, r, 36, colors=(255, 9))
    assert destination.grid.tolist() == [[1, 7, 0, 255]]
    destination.grid[:] = 7
    copy_bits(source, r, destination, r, 36)
    assert destination.grid.tolist() == [[1, 9, 7, 255]]


def test_through_a_mask() -> None:
    r = Rectangle(0, 0, 2, 4)
    source = PixelView(np.full(2, 0xFF, np.uint8), 1, r)
    mask = PixelView(np.array([0b01100000, 0b10010000], np.uint8), 1, Rectangle(0, 10, 2, 14))
    destination = PixelView(np.zeros(2, np.uint8), 1, r)
    copy_bits(source, r, destination, r, mask=mask, mask_rect=Rectangle(0, 10, 2, 14))
    assert destination.grid[:, 0].tolist() == [0b01100000, 0b10010000]
    destination.grid[:] = 0
    copy_bits(source, r, destination, r, mask=mask, mask_rect=Rectangle(0, 12, 2, 16))
    assert destination.grid[:, 0].tolist() == [0b10000000, 0b01000000]
    copy_bits(source, r, destination, r, mask=mask, mask_rect=Rectangle(5, 5, 5, 5))
    assert destination.grid[:, 0].tolist() == [0b10000000, 0b01000000]


def test_rectangles_as_large_as_the_plane() -> None:
    source = bitmap(1, Rectangle(0, 0, 8, 8))
    destination = bitmap(2, Rectangle(0, 0, 8, 8))
    copy_bits(source, PLANE, destination, PLANE)
    assert np.array_equal(source.pixels(source.bounds), destination.pixels(source.bounds))
    copy_bits(source, Rectangle(7, 7, 8, 8), destination, PLANE)
    corner = int(source.pixels(source.bounds)[7, 7])
    assert (destination.pixels(destination.bounds) == corner).all()
    before = destination.grid.copy()
    copy_bits(source, PLANE, destination, Rectangle(0, 0, 1, 1), 2)
    copy_bits(source, PLANE, destination, Rectangle(9, 9, -9, -9))
    assert np.array_equal(destination.grid, before)


def test_no_such_mode() -> None:
    pixels = bitmap(1, Rectangle(0, 0, 8, 8))
    with pytest.raises(UsageError, match="transfer mode 41"):
        copy_bits(pixels, pixels.bounds, pixels, pixels.bounds, 41)


@settings(deadline=None)
@given(
    st.integers(0, 99),
    rectangles,
    st.integers(-9, 9),
    st.integers(-9, 9),
    st.one_of(rectangles, regions()),
)
def test_scroll(seed: int, r: Rectangle, dh: int, dv: int, clip: Rectangle | PixelRegion) -> None:
    pixels = bitmap(seed, Rectangle(-3, -2, 14, 23))
    box = pixels.bounds
    before = pixels.pixels(box)
    update = scroll(pixels, r, dh, dv, clip, background=GRAY)
    after = pixels.pixels(box)

    def moves(h: int, v: int) -> bool:
        return r.contains(h, v) and clip.contains(h, v) and box.contains(h, v)

    for v in range(box.top, box.bottom):
        for h in range(box.left, box.right):
            pixel = after[v - box.top, h - box.left]
            uncovered = False
            if not moves(h, v):
                expected = before[v - box.top, h - box.left]
            elif moves(h - dh, v - dv):
                expected = before[v - dv - box.top, h - dh - box.left]
            else:
                uncovered, expected = True, (h + v + 1) % 2
            assert pixel == expected
            assert update.contains(h, v) == uncovered
