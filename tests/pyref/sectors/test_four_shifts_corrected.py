"""The corrected sector grid: every collision, wherever objects are, and none without objects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyref.scene import scene_from_corners
from pyref.sectors.four_shifts import determine_collisions as as_printed
from pyref.sectors.four_shifts_corrected import (
    GENERATORS,
    determine_collisions,
    intersect_first_two,
    make_scene,
)
from tests.rows import slow_but

ANYWHERE = st.lists(
    st.tuples(*[st.one_of(st.integers(-100, 750), st.integers(-(2**15), 2**15 - 1))] * 2),
    max_size=25,
)
BORDERS = st.lists(
    st.tuples(
        st.one_of(st.integers(-40, 40), st.integers(640, 720)),
        st.one_of(st.integers(-40, 40), st.integers(510, 590)),
    ),
    max_size=25,
)


def truth(corners: np.ndarray) -> set[tuple[int, int]]:
    near = (np.abs(corners[:, None].astype(np.int64) - corners) < 30).all(axis=-1)
    return {(int(a), int(b)) for a, b in np.argwhere(np.triu(near, 1))}


@given(st.one_of(ANYWHERE, BORDERS))
def test_every_overlapping_pair_is_found_and_no_other(corners: list[tuple[int, int]]):
    scene = scene_from_corners(corners)
    found = determine_collisions(scene)
    pairs = {(int(b), int(a)) for a, b in found.reported}
    assert pairs == truth(scene.corners)
    assert set(np.flatnonzero(found.flags).tolist()) == {i for pair in pairs for i in pair}
    times = [
        int((found.reported == pair).all(axis=1).sum())
        for pair in np.unique(found.reported, axis=0)
    ]
    assert set(times) <= {1, 2, 4}
    assert found.hits == sum(times) <= found.tests


@pytest.mark.parametrize("generator", ["uniform", "clustered", "sector-edge", "neighbours"])
@pytest.mark.parametrize("objects", [1, 50, 200])
def test_on_the_grid_it_does_what_the_printed_form_does(generator: str, objects: int):
    scene = make_scene(generator, objects, 7)
    found, printed = determine_collisions(scene), as_printed(scene)
    for name in ("flags", "sector_heads", "sector_links"):
        assert np.array_equal(getattr(found, name), getattr(printed, name))
    assert np.array_equal(found.reported, printed.hits)
    assert found.tests == printed.tests


def test_no_objects_are_none():
    found = determine_collisions([])
    assert (found.sector_heads == -1).all()
    assert found.tests == found.hits == len(found.sector_links) == 0
    assert as_printed([]).sector_heads[0, 0] == 0


@pytest.mark.parametrize("generator", slow_but(list(GENERATORS)[:1], GENERATORS))
def test_scenes_beyond_the_screen(generator: str):
    scenes = [make_scene(generator, 200, seed) for seed in range(5)]
    corners = np.concatenate([scene.corners for scene in scenes])
    assert (corners < 0).any()
    assert (corners > (671, 543)).all(axis=1).any()
    assert corners.min() >= -(2**15)
    assert corners.max() < 2**15
    assert sum(determine_collisions(scene).hits for scene in scenes) > 10
    again = make_scene(generator, 200, 0)
    assert np.array_equal(again.corners, scenes[0].corners)
    assert (again.generator, again.seed, again.objects) == (generator, 0, 200)


def test_far_corners_have_differences_that_need_17_bits():
    scene = make_scene("far", 200, 1)
    assert np.ptp(scene.corners) > 2**15


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("even", 3, 1), "unknown generator"),
        (("far", -1, 1), "cannot have"),
        (("far", 1, -1), "seed"),
    ],
)
def test_what_makes_no_scene(arguments: tuple[str, int, int], words: str):
    with pytest.raises(ValueError, match=words):
        make_scene(*arguments)


def test_more_objects_than_there_is_room_for():
    with pytest.raises(ValueError, match="holds 200"):
        determine_collisions(np.zeros((201, 2), dtype=np.int32))


@pytest.mark.parametrize(
    ("corners", "collide"),
    [
        ([], 0),
        ([(0, 0)], 0),
        ([(0, 0), (29, -29)], 1),
        ([(0, 0), (30, 0)], 0),
        ([(-16384, 0), (16384, 0)], 0),
        ([(2**31 - 1, 0), (-(2**31), 0)], 0),
    ],
)
def test_the_first_two(corners: list[tuple[int, int]], collide: int):
    assert intersect_first_two(scene_from_corners(corners)).collide == collide
