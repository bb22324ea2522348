"""The scenes and references of the cases that run neighbour routines by themselves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pyref.quadtree.morton import WIDE, neighbours_by_steps
from pyref.quadtree.neighbour_search import (
    find_neighbours,
    find_neighbours_as_printed,
    find_neighbours_in_assembly,
    make_cells,
)


@pytest.mark.parametrize("start", [0, 1, 1994])
def test_128_seeds_in_a_row_hold_every_code(start: int):
    scenes = [make_cells("every-code", 512, seed) for seed in range(start, start + 128)]
    assert len({code for scene in scenes for code in scene.codes.tolist()}) == 1 << 16


def test_cells_are_made_again_the_same():
    one, other = (make_cells("every-code", 512, 7) for _ in range(2))
    assert np.array_equal(one.codes, other.codes)
    assert np.array_equal(one.wide_codes, other.wide_codes)
    assert one.codes.tolist()[:2] == [3584, 3585]
    assert one.wide_codes.tolist()[:5] == [0, 0x55555555, 0xAAAAAAAA, 0xFFFFFFFF, 1289204377]
    assert len(set(one.wide_codes.tolist())) == 512


def test_some_cells_can_be_kept():
    kept = make_cells("every-code", 512, 3).keep([2, 5])
    assert kept.objects == 2
    assert kept.codes.tolist() == [1538, 1541]
    assert make_cells("every-code", 0, 3).objects == 0


@pytest.mark.parametrize("arguments", [("other", 1, 0), ("every-code", -1, 0)])
def test_what_makes_no_cells_is_refused(arguments: tuple[str, int, int]):
    with pytest.raises(ValueError, match=r"unknown generator|cannot be"):
        make_cells(*arguments)


def test_answers_have_a_row_for_each_cell_and_agree_with_steps():
    cells = make_cells("every-code", 100, 11)
    right = find_neighbours(cells)
    assert np.array_equal(right.toroidal, neighbours_by_steps(cells.codes))
    assert np.array_equal(right.wide_toroidal, neighbours_by_steps(cells.wide_codes, WIDE))
    inside = right.existing[:, np.newaxis] >> np.arange(8) & 1 == 1
    assert np.array_equal(right.bounded[inside], right.toroidal[inside])
    own = np.broadcast_to(cells.codes[:, np.newaxis], inside.shape)
    assert np.array_equal(right.bounded[~inside], own[~inside])
    printed = find_neighbours_as_printed(cells)
    assert np.array_equal(printed.repaired, right.toroidal)
    assert not np.array_equal(printed.printed, right.toroidal)
    assert np.array_equal(printed.top_right_repaired.view(np.uint16), right.toroidal[:, 2])
    assembly = find_neighbours_in_assembly(cells)
    assert np.array_equal(assembly.apart, printed.printed)
    assert np.array_equal(assembly.repaired, right.toroidal)
    assert not np.array_equal(assembly.shared, assembly.apart)
    for answer in (right, printed, assembly):
        assert {len(getattr(answer, f.name)) for f in dataclasses.fields(answer)} == {100}
