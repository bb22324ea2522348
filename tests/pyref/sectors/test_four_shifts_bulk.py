"""The bulk references of the four shifts say what the references say, scene by scene."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyref.scene import GENERATORS, Scene
from pyref.sectors import (
    four_shifts,
    four_shifts_bulk,
    four_shifts_corrected,
    four_shifts_corrected_bulk,
)
from tests.pyref.bulk import require_same

OBSERVED = ("flags", "sector_heads", "sector_links")
WORK = (*OBSERVED, "reported", "tests", "hits", "report_first", "report_second")
SIZES = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2**64 - 1)), max_size=6)


@given(st.sampled_from(sorted(GENERATORS)), SIZES)
def test_as_printed(generator: str, sizes: list[tuple[int, int]]):
    scenes = [four_shifts.make_scene(generator, objects, seed) for objects, seed in sizes]
    plain = [four_shifts.determine_collisions(scene) for scene in scenes]
    require_same(plain, four_shifts_bulk.determine_collisions(scenes), OBSERVED)


@given(st.sampled_from(sorted([*GENERATORS, *four_shifts_corrected.GENERATORS])), SIZES)
def test_corrected(generator: str, sizes: list[tuple[int, int]]):
    scenes = [four_shifts_corrected.make_scene(generator, objects, seed) for objects, seed in sizes]
    plain = [four_shifts_corrected.determine_collisions(scene) for scene in scenes]
    require_same(plain, four_shifts_corrected_bulk.determine_collisions(scenes), WORK)


@pytest.mark.slow
def test_more_pairs_than_are_taken_at_once():
    few = [four_shifts.make_scene("identical", 200, seed) for seed in range(40)]
    plain = [four_shifts.determine_collisions(scene) for scene in few[:1]]
    found = four_shifts_bulk.determine_collisions(few)
    require_same(plain, found[:1], OBSERVED)
    assert all(answer.flags.all() for answer in found)
    many = [four_shifts.make_scene("clustered", 2000, 1)]
    plain = [four_shifts.determine_collisions_of_many(many[0])]
    require_same(plain, four_shifts_bulk.determine_collisions_of_many(many), OBSERVED)


def test_no_scenes_and_a_list_that_leaves_objects_out():
    assert four_shifts_bulk.determine_collisions([]) == []
    scene = four_shifts_corrected.make_scene("clustered", 30, 7).listing([0, 12, 5, 29])
    plain = [four_shifts_corrected.determine_collisions(scene)]
    require_same(plain, four_shifts_corrected_bulk.determine_collisions([scene]), WORK)


@pytest.mark.parametrize(
    ("plain", "bulk", "corner", "objects"),
    [
        (
            four_shifts.determine_collisions,
            four_shifts_bulk.determine_collisions,
            (672, 0),
            1,
        ),
        (
            four_shifts.determine_collisions,
            four_shifts_bulk.determine_collisions,
            (0, 0),
            201,
        ),
        (
            four_shifts.determine_collisions,
            four_shifts_bulk.determine_collisions,
            (0, 0),
            30_000,
        ),
        (
            four_shifts_corrected.determine_collisions,
            four_shifts_corrected_bulk.determine_collisions,
            (0, 0),
            201,
        ),
    ],
)
def test_what_one_refuses_the_other_refuses(
    plain: Callable[[Scene], Any],
    bulk: Callable[[Sequence[Scene]], Any],
    corner: tuple[int, int],
    objects: int,
):
    scene = four_shifts.scene_from_corners([corner] * objects)
    with pytest.raises(ValueError) as first:
        plain(scene)
    with pytest.raises(ValueError) as second:
        bulk([four_shifts.make_scene("uniform", 3, 1), scene])
    assert str(first.value) == str(second.value)
