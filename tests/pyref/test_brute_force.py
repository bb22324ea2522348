"""Brute force: the definition of a collision, for any number of scenes at once."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyref import brute_force
from pyref.brute_force import (
    colliding_pairs,
    collisions,
    determine_collisions,
)
from pyref.reported_pairs import MAX_REPORTS
from pyref.scene import GENERATORS, make_scene

INT32 = st.integers(-(2**31), 2**31 - 1)
CROWDED = st.lists(st.tuples(st.integers(-60, 60), st.integers(-60, 60)), max_size=25)
ANYWHERE = st.lists(st.tuples(INT32, INT32), max_size=25)

Corners = list[tuple[int, int]]


def overlapping(corners: Corners) -> list[list[int]]:
    """The definition once more, in plain Python: (higher, lower) in index order."""
    return [
        [higher, lower]
        for higher in range(len(corners))
        for lower in range(higher)
        if all(abs(a - b) < 30 for a, b in zip(corners[higher], corners[lower], strict=True))
    ]


@given(CROWDED | ANYWHERE)
@settings(deadline=None)
def test_pairs_and_flags_follow_the_definition(corners: Corners) -> None:
    expected = overlapping(corners)
    assert colliding_pairs(corners).tolist() == expected
    involved = {index for pair in expected for index in pair}
    assert collisions(corners).tolist() == [int(i in involved) for i in range(len(corners))]


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize(("distance", "overlap"), [(0, 1), (29, 1), (30, 0), (31, 0)])
def test_29_pixels_overlap_and_30_only_touch(
    distance: int, overlap: int, axis: int, sign: int
) -> None:
    corners = np.full((2, 2), 100)
    corners[1, axis] += sign * distance
    assert collisions(corners).tolist() == [overlap, overlap]
    assert colliding_pairs(corners).tolist() == [[1, 0]] * overlap


def test_both_axes_must_be_near() -> None:
    assert not collisions([[0, 0], [0, 30], [30, 0], [30, 30]]).any()


def test_the_ends_of_the_number_range_are_far_apart() -> None:
    ends = [[-(2**31), 0], [2**31 - 1, 0], [-32768, 0], [32767, 0]]
    assert not collisions(ends).any()
    assert colliding_pairs(ends).shape == (0, 2)


@pytest.mark.parametrize("shape", [(0, 2), (1, 2), (0, 5, 2), (3, 0, 2), (3, 1, 2)])
def test_nothing_collides_without_a_pair(shape: tuple[int, ...]) -> None:
    flags = collisions(np.zeros(shape, dtype=np.int32))
    assert flags.shape == shape[:-1]
    assert flags.dtype == np.uint8
    assert not flags.any()


@pytest.mark.parametrize("generator", GENERATORS)
def test_scenes_together_give_what_they_give_alone(
    generator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenes = np.stack([make_scene(generator, 60, seed).corners for seed in range(23)])
    alone = np.stack([collisions(scene) for scene in scenes])
    together = collisions(scenes)
    assert together.dtype == np.uint8
    assert np.array_equal(together, alone)
    for objects_at_once in (1, 60, 300, 23 * 60):  # chunks of 1, 1, 5 and all scenes
        monkeypatch.setattr(brute_force, "_CHUNK_OBJECTS", objects_at_once)
        assert np.array_equal(collisions(scenes), alone)


def test_input_is_left_alone_whatever_its_layout() -> None:
    corners = np.asfortranarray(make_scene("clustered", 50, 1).corners).astype(">i2")
    before = corners.copy()
    flags = collisions(corners[::-1])
    assert np.array_equal(corners, before)
    assert np.array_equal(flags[::-1], collisions(corners))


@pytest.mark.slow
def test_ten_thousand_full_scenes_need_little_memory() -> None:
    scenes = np.stack([make_scene("uniform", 200, seed).corners for seed in range(10_000)])
    tracemalloc.start()
    try:
        flags = collisions(scenes)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert flags.shape == (10_000, 200)
    assert peak < 8 * 2**20  # the flags take 2 of them, a table of all pairs would take 380
    assert flags.mean() == pytest.approx(0.878, abs=0.005)


@pytest.mark.parametrize(
    "corners", [[1, 2], [[1, 2, 3]], [[1.5, 2.0]], np.zeros((1, 1, 1, 2), int)]
)
def test_bad_corners_are_refused(corners: object) -> None:
    with pytest.raises(ValueError, match="corners"):
        collisions(corners)  # type: ignore[arg-type]


def test_pairs_are_those_of_one_scene() -> None:
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        colliding_pairs(np.zeros((2, 3, 2), dtype=np.int32))


# -- the compiled routine's order of work --------------------------------------------------------


@given(CROWDED)
@settings(deadline=None)
def test_the_routine_reports_each_pair_once_in_order(corners: Corners) -> None:
    found = determine_collisions(corners)
    expected = sorted((lower, higher) for higher, lower in overlapping(corners))
    assert [tuple(pair) for pair in found.reports.tolist()] == expected
    assert np.array_equal(found.flags[: len(corners)], collisions(corners))
    assert not found.flags[len(corners) :].any()
    assert found.tests == len(corners) * (len(corners) - 1) // 2
    assert found.hits == len(expected)


def test_the_routine_keeps_so_many_reports_and_counts_the_rest() -> None:
    found = determine_collisions(np.zeros((100, 2), int))
    assert found.tests == found.hits == 4950
    assert len(found.report_first) == len(found.report_second) == MAX_REPORTS == 4000
    assert (found.report_first[-1], found.report_second[-1]) == (55, 95)


def test_the_routine_has_limits() -> None:
    ends = [(-16384, -16384), (16383, 16383)]
    assert determine_collisions(ends).hits == 0
    with pytest.raises(ValueError, match="16-bit differences end"):
        determine_collisions([(16384, 0)])
    with pytest.raises(ValueError, match="16-bit differences end"):
        determine_collisions([(0, -16385)])
    with pytest.raises(ValueError, match="2001 objects"):
        determine_collisions(np.zeros((2001, 2), int))
