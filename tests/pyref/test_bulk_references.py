"""Bulk references say what the references say, scene by scene, for the kit's own cases."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from emu.cases.find import load_case
from emu.cases.keys.scene_name import SceneName
from emu.cases.scenes import scene_of
from pyref.quadtree import linear_quadtree, linear_quadtree_bulk
from pyref.quadtree.circle_scene import circle_scene
from tests.pyref.bulk import require_same

CASES = [
    "four-shifts-experiment",
    "four-shifts-experiment-as-printed",
    "linear-quadtree",
    "linear-quadtree-as-described",
    "linear-quadtree-as-printed",
    "linear-quadtree-bare",
    "linear-quadtree-torus",
    "morton-neighbours",
    "morton-neighbours-as-printed",
    "morton-neighbours-in-assembly",
    "morton-top-right-words",
    "trivial-loops-as-described",
]


def named(dotted: str) -> Callable[..., Any]:
    module, _, name = dotted.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


@pytest.mark.parametrize("name", CASES)
def test_every_kind_of_scene_of_a_case(name: str):
    case = load_case(name)
    kinds = [(one, size) for one in case.generators for size in case.objects if size <= 200]
    chosen = [kinds[at] for at in range(0, len(kinds), max(1, len(kinds) // 12))]
    scenes = [scene_of(case, SceneName(*kind, seed)) for kind in chosen for seed in (1994, 1995)]
    plain = [named(case.reference)(scene) for scene in scenes]
    observed = list(dict.fromkeys(one.attribute for one in case.observed))
    require_same(plain, named(case.bulk_reference)(scenes), observed)
    assert named(case.bulk_reference)([]) == []


@pytest.mark.parametrize("circle", [(8192, 0, 5), (0, 0, 16)])
def test_the_quadtree_refuses_the_same_scenes(circle: tuple[int, int, int]):
    scene = circle_scene([circle])
    with pytest.raises(ValueError) as first:
        linear_quadtree.detect_collisions(scene)
    with pytest.raises(ValueError) as second:
        linear_quadtree_bulk.detect_collisions([circle_scene([(1, 1, 1)]), scene])
    assert str(first.value) == str(second.value)
