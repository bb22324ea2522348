"""Bit maps as views of memory, and pictures of them."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from emu.base.errors import UsageError
from emu.quickdraw import DEPTHS, PixelView, Rectangle, screenshot, standard_palette


def test_a_bit_map_is_a_view() -> None:
    memory = np.zeros(9, np.uint8)
    bitmap = PixelView(memory, 2, Rectangle(-1, -3, 3, 10))
    memory[2] = 0b00010000
    assert bitmap.pixels(Rectangle(0, 0, 1, 2)).tolist() == [[1, 0]]
    bitmap.put(Rectangle(0, 1, 2, 6), np.ones((2, 5), np.uint8))
    assert memory[2:6].tolist() == [0b00011111, 0b10000000, 0b00001111, 0b10000000]
    assert memory[6:].tolist() == [0, 0, 0]


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(0, 39), st.integers(0, 39), st.sampled_from(DEPTHS))
def test_put_and_get(width: int, a: int, b: int, depth: int) -> None:
    left, right = sorted((a % width, b % width))
    row_bytes = (width * depth + 7) // 8
    memory = np.full(3 * row_bytes, 0xA5, np.uint8)
    bitmap = PixelView(memory, row_bytes, Rectangle(0, 0, 3, width), depth)
    expected = bitmap.pixels(bitmap.bounds)
    pixels = np.random.default_rng(width).integers(0, 1 << depth, (2, right - left))
    bitmap.put(Rectangle(1, left, 3, right), pixels)
    expected[1:, left:right] = pixels
    assert np.array_equal(bitmap.pixels(bitmap.bounds), expected)


def test_other_coordinates_for_the_same_pixels() -> None:
    memory = np.zeros(4, np.uint8)
    bitmap = PixelView(memory, 1, Rectangle(0, 0, 4, 8))
    local = bitmap.moved_to(Rectangle(-2, -2, 2, 6))
    local.put(Rectangle(0, 0, 1, 1), np.ones((1, 1), np.uint8))
    assert memory.tolist() == [0, 0, 0b00100000, 0]


@pytest.mark.parametrize(
    ("size", "row_bytes", "bounds", "depth"),
    [
        (7, 2, Rectangle(0, 0, 4, 16), 1),
        (8, 2, Rectangle(0, 0, 4, 17), 1),
        (8, 2, Rectangle(0, 0, 4, 3), 8),
        (8, 2, Rectangle(0, 0, 4, 4), 3),
        (8, 2, Rectangle(0, 0, 4, 5), 4),
        (8, -2, Rectangle(0, 0, 0, 0), 1),
        (8, 8192, Rectangle(-32768, -32768, 32767, 32767), 1),
    ],
)
def test_impossible_bit_maps(size: int, row_bytes: int, bounds: Rectangle, depth: int) -> None:
    with pytest.raises(UsageError, match="bit map"):
        PixelView(np.zeros(size, np.uint8), row_bytes, bounds, depth)


def test_an_inverted_bit_map_has_no_pixels() -> None:
    bitmap = PixelView(np.zeros(0, np.uint8), 0, Rectangle(3, 3, -3, -3))
    assert bitmap.grid.size == 0


def test_rectangles_outside_are_refused() -> None:
    bitmap = PixelView(np.zeros(8, np.uint8), 1, Rectangle(0, 0, 8, 8))
    with pytest.raises(UsageError, match="not inside"):
        bitmap.pixels(Rectangle(0, 0, 8, 9))
    with pytest.raises(UsageError, match="not inside"):
        bitmap.put(Rectangle(-1, 0, 7, 8), np.zeros((8, 8), np.uint8))
    with pytest.raises(UsageError, match="do not fill"):
        bitmap.put(Rectangle(0, 0, 8, 8), np.zeros((8, 7), np.uint8))


def test_a_picture_of_bits() -> None:
    bitmap = PixelView(np.array([0b10100000, 0b01000000], np.uint8), 1, Rectangle(5, 5, 7, 8))
    data = screenshot(bitmap)
    image = Image.open(BytesIO(data))
    assert image.mode == "1"
    assert np.asarray(image.convert("L")).tolist() == [[0, 255, 0], [255, 0, 255]]
    assert data == screenshot(bitmap)
    part = Image.open(BytesIO(screenshot(bitmap, part=Rectangle(6, 6, 7, 7))))
    assert part.size == (1, 1)


def test_a_picture_of_colours() -> None:
    bitmap = PixelView(np.array([0, 255, 35, 215], np.uint8), 4, Rectangle(0, 0, 1, 4), 8)
    image = Image.open(BytesIO(screenshot(bitmap))).convert("RGB")
    assert np.asarray(image).tolist() == [[[255, 255, 255], [0, 0, 0], [255, 0, 0], [238, 0, 0]]]
    palette = np.zeros((256, 3), np.uint8)
    palette[35] = 1, 2, 3
    image = Image.open(BytesIO(screenshot(bitmap, palette))).convert("RGB")
    assert np.asarray(image)[0, 2].tolist() == [1, 2, 3]


def test_no_picture_of_nothing() -> None:
    with pytest.raises(UsageError, match="empty"):
        screenshot(PixelView(np.zeros(0, np.uint8), 0, Rectangle(0, 0, 0, 0)))


def test_the_standard_colours_are_all_different() -> None:
    palette = standard_palette()
    assert palette.shape == (256, 3)
    assert len({tuple(color) for color in palette.tolist()}) == 256
