"""Scenes that are made together are those that are made one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyref import scene, scene_block
from pyref.scene import GENERATORS
from pyref.sectors import four_shifts, four_shifts_bulk
from tests.pyref.bulk import require_same

NAMES = st.lists(
    st.tuples(st.sampled_from(sorted(GENERATORS)), st.integers(0, 2**64 - 1)),
    min_size=1,
    max_size=9,
)
MAKERS = [
    pytest.param(scene_block.make_scenes, id="scene"),
    pytest.param(four_shifts.make_scenes, id="four_shifts"),
]
ALONE = ("corners", "generator", "seed", "order", "x", "y", "next_object", "old_links")
TOGETHER = ("corners", "x", "y", "next_object", "order")


@given(NAMES, st.integers(0, 70), st.sampled_from([scene, four_shifts]))
def test_each_is_as_made_alone(names: list[tuple[str, int]], objects: int, module: Any):
    generators, seeds = zip(*names, strict=True)
    make = module.make_scenes if module is four_shifts else scene_block.make_scenes
    block = make(generators, objects, seeds, width=500)
    alone = [module.make_scene(generator, objects, seed, width=500) for generator, seed in names]
    assert [type(one) for one in block] == [type(one) for one in alone]
    require_same(alone, list(block), ALONE)
    for name in TOGETHER:
        values = getattr(block, name)
        for own, one in zip(values, alone, strict=True):
            np.testing.assert_array_equal(own, getattr(one, name))
            assert own.dtype == getattr(one, name).dtype
    assert [one.seed for one in block[1:]] == list(seeds[1:])


@given(NAMES, st.integers(0, 90))
def test_what_the_routine_leaves_of_a_block(names: list[tuple[str, int]], objects: int):
    generators, seeds = zip(*names, strict=True)
    block = four_shifts.make_scenes(generators, objects, seeds)
    plain = [four_shifts.determine_collisions(one) for one in block]
    found = four_shifts_bulk.determine_collisions(block)
    observed = ("flags", "sector_heads", "sector_links")
    require_same(plain, found, observed)
    require_same(plain[:2], found[:2], observed)
    for name in observed:
        assert len(getattr(found, name)) == len(block)


@pytest.mark.parametrize(
    ("generators", "objects", "options", "words"),
    [
        (["uniform", "unifrom"], 3, {}, "unknown generator 'unifrom'"),
        (["uniform", "uniform"], -1, {}, "a scene cannot have -1 objects"),
        (["uniform", "uniform"], 3, {"width": 700}, "screen width 700 is outside 2..672"),
    ],
)
@pytest.mark.parametrize("make", MAKERS)
def test_what_is_refused(
    make: Callable[..., Any],
    generators: list[str],
    objects: int,
    options: dict[str, int],
    words: str,
):
    with pytest.raises(ValueError, match=words):
        make(generators, objects, [1, 2], **options)
    with pytest.raises(ValueError, match="outside 0"):
        make(["uniform"] * 2, 3, [1, -2])


def test_a_block_of_too_many_objects_is_refused_as_its_scenes_are():
    block = four_shifts.make_scenes(["uniform"], 201, [1])
    with pytest.raises(ValueError, match="201 objects, where the routine holds 200"):
        four_shifts_bulk.determine_collisions(block)
