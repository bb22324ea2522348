"""What is said of codes that are not known is what is said of numbers."""

from __future__ import annotations

import numpy as np
import pytest

from pyref.quadtree import neighbour_proof, neighbour_search


@pytest.mark.parametrize("generator", ["every-code", "far-carries"])
def test_both_ways_to_say_it_agree(generator: str):
    cells = neighbour_search.make_cells(generator, 64, 7)
    proved, right = neighbour_proof.find_neighbours(cells), neighbour_search.find_neighbours(cells)
    for name in ("toroidal", "wide_toroidal", "bounded", "wide_bounded", "existing"):
        assert np.array_equal(getattr(proved, name), getattr(right, name)), name
    assert np.array_equal(proved.wide_existing, right.wide_existing)
