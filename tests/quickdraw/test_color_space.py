"""Which entry of a palette stands for a colour: the inverse table of Color QuickDraw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.quickdraw import standard_palette
from emu.quickdraw.color_space import IndexedColorSpace, inverse_table, palette_space
from tests.quickdraw.pixel_model import Color, flooded_cells, nearest_entry

PARTS = st.integers(0, 255)
COLORS = st.tuples(PARTS, PARTS, PARTS)


def space_of(colors: list[Color]) -> IndexedColorSpace:
    space = palette_space(np.array(colors, np.uint8).tobytes())
    assert isinstance(space, IndexedColorSpace)
    return space


def after_a_fade(level: int) -> IndexedColorSpace:
    """The standard colours with so much of 256 of their light."""
    return IndexedColorSpace((standard_palette().astype(np.int64) * level >> 8).astype(np.uint8))


@pytest.mark.parametrize("level", [0, 1, 4, 15, 16, 100, 255])
def test_black_and_white_stay_at_their_ends_in_the_dark(level: int) -> None:
    space = after_a_fade(level)
    assert (space.black, space.white) == (255, 0)
    both = np.array([[[0, 0, 0], [255, 255, 255]]])
    assert space.pixels(both).tolist() == [[255, 0]]


def test_entries_between_do_not_take_the_place_of_white_and_black() -> None:
    colors = [(255, 255, 255), (0, 0, 0), (255, 255, 255), (0, 0, 0)]
    assert [space_of(colors).pixel(color) for color in colors] == [0, 3, 0, 3]


def test_a_palette_the_other_way_round_has_black_first() -> None:
    space = space_of([(0, 0, 0), (255, 0, 0), (0, 0, 255), (255, 255, 255)])
    assert (space.black, space.white) == (0, 3)


def test_of_equal_entries_in_a_cell_the_latest_is_taken_but_for_the_one_that_hides_them() -> None:
    colors = [(255, 255, 255), (65, 0, 0), (66, 0, 0), (66, 0, 0), (77, 0, 0), (0, 0, 0)]
    space = IndexedColorSpace(np.array([*colors, *[(0, 0, 0)] * 10], np.uint8))
    assert [space.pixel((red, 0, 0)) for red in (65, 66, 77, 79)] == [1, 3, 4, 4]


@given(st.lists(COLORS, min_size=4, max_size=4) | st.lists(COLORS, min_size=16, max_size=16))
def test_the_table_is_what_a_queue_of_cells_fills(colors: list[Color]) -> None:
    owners, _ = flooded_cells(tuple(colors))
    table = inverse_table(np.array(colors, np.uint8), 4).reshape(16, 16, 16)
    assert {cell: int(table[cell]) for cell in owners} == owners


@given(st.lists(COLORS, min_size=16, max_size=16), st.lists(COLORS, min_size=1, max_size=9))
def test_colours_become_the_entries_that_the_book_says(
    colors: list[Color], wanted: list[Color]
) -> None:
    pixels = space_of(colors).pixels(np.array(wanted)).tolist()
    assert pixels == [nearest_entry(color, tuple(colors)) for color in wanted]
