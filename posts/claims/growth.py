"""How work grows with the number of objects: the series of plots."""

from __future__ import annotations

import numpy as np

from posts.claims import Series
from posts.claims.work import SEED, SYSTEMS, mean_tests
from pyref.blockmap.blockmap import play
from pyref.blockmap.blockmap_boxes import BoxScene, scene_from_boxes
from pyref.quadtree.circle_scene import CircleScene, make_circle_scene
from pyref.quadtree.linear_quadtree import (
    DESCRIBED_LEAF,
    LEAF,
    search_as_described,
    search_corrected,
)
from pyref.quadtree.linear_quadtree_measures import crowded_leaf
from pyref.scene import RECT_SIZE

_SIZES = (25, 50, 100, 200)
_SCENES = 20
_DENSITY_SIZES = (100, 200, 400, 800)
_SIDE = 32  # pixels on each axis to an object at the one density


def tests_on_the_screen() -> Series:
    """Tests over objects on one screen, means over 20 scenes, by system."""
    tests = {size: mean_tests(size, _SCENES) for size in _SIZES}
    return {name: {size: tests[size][name] for size in _SIZES} for name in SYSTEMS}


def at_one_density(size: int) -> dict[str, float]:
    """Tests of some systems with 1,024 square pixels to an object, as many objects as given.

    Every system but the last has the same scene. The printed blockmap is left out, since its
    fragments would not last.
    """
    side = round(_SIDE * size**0.5)
    circles = make_circle_scene("equal", size, SEED, width=side, height=side)
    return {
        "all pairs": size * (size - 1) / 2,
        "quadtree as described": search_as_described(circles, leaf=DESCRIBED_LEAF).tests,
        "quadtree corrected": search_corrected(circles, leaf=LEAF).tests,
        "blockmap corrected": play(_boxes_round(circles, side)).tests,
        "quadtree, all in one leaf": crowded_leaf(size),
    }


def tests_at_one_density() -> Series:
    """Tests over objects at one density, by system."""
    tests = {size: at_one_density(size) for size in _DENSITY_SIZES}
    first, *_ = tests.values()
    return {name: {size: tests[size][name] for size in tests} for name in first}


def _boxes_round(circles: CircleScene, side: int) -> BoxScene:
    sizes = np.full((circles.objects, 2), RECT_SIZE)
    return scene_from_boxes(np.column_stack([circles.corners, sizes]), world=(side, side))
