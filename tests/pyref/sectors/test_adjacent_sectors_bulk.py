"""The bulk references of the adjacent sectors say what the references say, scene by scene."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyref.scene import GENERATORS
from pyref.sectors import adjacent_sectors, adjacent_sectors_bulk
from tests.pyref.bulk import require_same

FORMS = ("as_counted", "with_eight", "by_halves_64", "by_halves_32")
WORK = ("flags", "reports", "tests", "hits", "objects", "sector_heads", "sector_links")
SIZES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2**64 - 1)), max_size=5)


@pytest.mark.parametrize("form", FORMS)
@given(st.sampled_from([*sorted(GENERATORS), "piled", "few-listed"]), SIZES)
def test_every_form(form: str, generator: str, sizes: list[tuple[int, int]]):
    scenes = [adjacent_sectors.make_scene(generator, objects, seed) for objects, seed in sizes]
    plain = [getattr(adjacent_sectors, form)(scene) for scene in scenes]
    require_same(plain, getattr(adjacent_sectors_bulk, form)(scenes), WORK)


@pytest.mark.parametrize("form", FORMS)
def test_unsafe_scenes_are_refused_alike(form: str):
    outside = adjacent_sectors.scene_from_corners([(672, 0)])
    with pytest.raises(ValueError) as first:
        getattr(adjacent_sectors, form)(outside)
    with pytest.raises(ValueError) as second:
        getattr(adjacent_sectors_bulk, form)([outside])
    assert str(first.value) == str(second.value)
