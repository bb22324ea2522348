"""Only what has changed of a screen is sent."""

from __future__ import annotations

from typing import Any

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from emu.play.frames import FrameDifferences, changed_rectangles
from emu.quickdraw import DEPTHS, PixelView, Rectangle, bytes_in_row
from emu.quickdraw.color_space import IndexedColorSpace

_WIDTH, _HEIGHT = 100, 70


def screen_of(depth: int) -> PixelView:
    """A screen of 100 by 70 pixels in which all bytes are 0."""
    row = bytes_in_row(_WIDTH, depth)
    return PixelView(
        np.zeros(row * _HEIGHT, np.uint8), row, Rectangle(0, 0, _HEIGHT, _WIDTH), depth
    )


def put(canvas: Any, shown: Any) -> None:
    """Put what is shown onto a canvas, as the page does."""
    rgba = np.frombuffer(shown.rgba, np.uint8).reshape(shown.height, shown.width, 4)
    canvas[shown.top : shown.top + shown.height, shown.left : shown.left + shown.width] = rgba


@pytest.mark.parametrize("depth", DEPTHS)
@hypothesis.given(places=st.lists(st.tuples(st.integers(0, 69), st.integers(0, 99)), max_size=8))
def test_what_is_shown_makes_the_whole_screen(depth: int, places: list[tuple[int, int]]) -> None:
    screen = screen_of(depth)
    differences = FrameDifferences(screen)
    canvas = np.zeros((_HEIGHT, _WIDTH, 4), np.uint8)
    for shown in differences.take(screen):
        put(canvas, shown)
    for v, h in places:
        screen.put(Rectangle(v, h, v + 1, h + 1), np.ones((1, 1), screen.grid.dtype))
    later = differences.take(screen)
    assert sum(shown.width * shown.height for shown in later) <= 32 * 32 * len(set(places))
    for shown in later:
        put(canvas, shown)
    assert np.array_equal(canvas[:, :, :3], screen.space.colors(screen.pixels(screen.bounds)))
    assert (canvas[:, :, 3] == 255).all()
    assert differences.take(screen) == ()


def test_an_outline_is_its_edges_and_no_rectangle() -> None:
    changed = np.zeros((320, 320), bool)
    changed[10, 10:300] = changed[290, 10:300] = True
    changed[10:290, 10] = changed[10:290, 299] = True
    found = list(changed_rectangles(changed, Rectangle(0, 0, 320, 320)))
    assert len(found) == 4
    assert sum(r.width * r.height for r in found) == 36 * 32 * 32


def test_other_colors_change_the_whole_screen() -> None:
    screen = screen_of(8)
    differences = FrameDifferences(screen)
    differences.take(screen)
    assert isinstance(screen.space, IndexedColorSpace)
    palette = screen.space.palette.copy()
    palette[0] = (1, 2, 3)
    screen.space = IndexedColorSpace(palette)
    (shown,) = differences.take(screen)
    assert (shown.width, shown.height, shown.rgba[:4]) == (_WIDTH, _HEIGHT, b"\x01\x02\x03\xff")
