"""Counts the tests that every system makes on the same scenes, by its reference.

The scenes are those of the 1994 harness, squares of 30 pixels spread evenly over 640 x 480. For
systems that bound by circles each square has the circle that just fits it. The blockmap plays one
frame in a world of whole sectors, 768 x 576, which also holds objects that reach beyond the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol, TypeAlias

import numpy as np

from pyref import brute_force
from pyref.blockmap.blockmap import play, play_as_printed
from pyref.blockmap.blockmap_boxes import BoxScene, scene_from_boxes
from pyref.quadtree.circle_scene import circles_in_squares
from pyref.quadtree.linear_quadtree import detect_as_described, detect_collisions
from pyref.scene import RECT_SIZE, Scene, make_scene
from pyref.sectors import adjacent_sectors, four_shifts

SEED = 1994
_WHOLE_SECTORS = (768, 576)


class _Answer(Protocol):
    @property
    def tests(self) -> int: ...


_System: TypeAlias = Callable[[Scene], _Answer]


def boxes_in_squares(scene: Scene) -> BoxScene:
    """The squares of a scene as boxes of the blockmap that stay where they are for one frame."""
    sizes = np.full((scene.objects, 2), RECT_SIZE)
    boxes = np.column_stack([scene.corners, sizes])
    return scene_from_boxes(boxes, world=_WHOLE_SECTORS, generator=scene.generator, seed=scene.seed)


SYSTEMS: Mapping[str, _System] = MappingProxyType(
    {
        "all pairs": brute_force.determine_collisions,
        "nine sectors, all pairs": adjacent_sectors.as_counted,
        "own and eight, 64": adjacent_sectors.with_eight,
        "own and four, 64": adjacent_sectors.by_halves_64,
        "own and four, 32": adjacent_sectors.by_halves_32,
        "four shifts": four_shifts.determine_collisions,
        "quadtree as described": lambda scene: detect_as_described(circles_in_squares(scene)),
        "quadtree corrected": lambda scene: detect_collisions(circles_in_squares(scene)),
        "blockmap as printed": lambda scene: play_as_printed(boxes_in_squares(scene)),
        "blockmap corrected": lambda scene: play(boxes_in_squares(scene)),
    }
)
"""Every system that tests pairs of a scene, by its name in tables and plots."""


def scenes_of(objects: int, count: int) -> list[Scene]:
    """The scenes that means are taken over."""
    return [make_scene("uniform", objects, SEED + number) for number in range(count)]


def mean_tests(
    objects: int, count: int, systems: Sequence[str] = tuple(SYSTEMS)
) -> dict[str, float]:
    """The tests that systems make, as means over scenes.

    Args:
        objects: the number of objects in each scene.
        count: the number of scenes.
        systems: names in `SYSTEMS`.
    """
    scenes = scenes_of(objects, count)
    return {
        name: float(np.mean([SYSTEMS[name](scene).tests for scene in scenes])) for name in systems
    }
