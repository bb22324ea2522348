"""The same objects in the forms that different systems need, and which of them collide.

Objects are squares of 30 pixels, known by their upper-left corners: integers of shape ``(n, 2)``.
A system that bounds objects by circles gets the circle inside each square. One that moves boxes
gets boxes that stand still. One without coordinates gets as many critters.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref import brute_force
from pyref.blockmap.blockmap_boxes import REPORTS, BoxScene, scene_from_boxes
from pyref.collider.collider_steps import (
    MAX_CRITTERS,
    Kind,
    Operation,
    Script,
    Step,
    script_from_steps,
)
from pyref.quadtree import circle_scene
from pyref.quadtree.circle_scene import CircleScene, circles_in_squares
from pyref.scene import RECT_SIZE, scene_from_corners


def circles(corners: ArrayLike) -> CircleScene:
    """The circle of 30 pixels inside each square."""
    return circles_in_squares(scene_from_corners(corners))


def boxes(corners: ArrayLike) -> BoxScene:
    """The squares as boxes that stand still for one frame and report their collisions."""
    return _boxes(corners, frames=1)


def boxes_before(corners: ArrayLike) -> BoxScene:
    """The same boxes, but no frame is played: the world is only made, filled and left."""
    return _boxes(corners, frames=0)


def critters(corners: ArrayLike) -> Script:
    """A game with as many critters, every two of them a pair, without a step of collisions.

    Raises:
        ValueError: there are more objects than a game has room for.
    """
    return script_from_steps(_made(corners))


def critters_that_collide(corners: ArrayLike) -> Script:
    """The same game, and then one step in which every pair collides.

    Raises:
        ValueError: there are more objects than a game has room for.
    """
    return script_from_steps([*_made(corners), (Operation.COLLIDE_STEP, 0, 0, 0, 0)])


def squares_that_overlap(corners: ArrayLike) -> NDArray[np.bool_]:
    """Whether each square overlaps another, by comparing each with each; shape ``(n,)``.

    Those that only touch do not overlap.
    """
    return brute_force.collisions(scene_from_corners(corners).corners).astype(np.bool_)


def circles_that_overlap(corners: ArrayLike) -> NDArray[np.bool_]:
    """Whether the circle in each square overlaps another; those that only touch do not."""
    scene = circles(corners)
    flags = np.zeros(scene.objects, dtype=np.bool_)
    flags[circle_scene.overlapping_pairs(scene).reshape(-1)] = True
    return flags


def _boxes(corners: ArrayLike, *, frames: int) -> BoxScene:
    scene = scene_from_corners(corners)
    sizes = np.full((scene.objects, 2), RECT_SIZE)
    boxes = np.column_stack([scene.corners, sizes])
    return scene_from_boxes(boxes, kinds=REPORTS, frames=frames)


def _made(corners: ArrayLike) -> list[Step]:
    objects = scene_from_corners(corners).objects
    if objects > MAX_CRITTERS:
        raise ValueError(f"{objects} objects, where a game has room for {MAX_CRITTERS} critters")
    steps: list[Step] = []
    for number in range(objects):
        steps.append((Operation.CREATE, number, Kind.OTHER, 0, 0))
        steps.append((Operation.SMART_ADD_ALL, number, 0, 0, 0))
    return steps
