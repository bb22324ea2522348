"""Scenes of circles, for collision systems that bound every object by a circle.

A circle has a centre and a radius in whole pixels. Like the scenes of :mod:`pyref.scene`, a scene
is identified by its generator, number of objects and seed, and is made from raw words of PCG64 by
integer arithmetic. Two circles overlap if their centres are closer than the sum of their
radii; circles that only touch do not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import RECT_SIZE, Scene, check_origin, frozen
from pyref.streams import Stream

MAX_RADIUS = RECT_SIZE // 2  # pixels: a circle fits the square that other systems move about

_LEAF = 16  # pixels: boundaries of leaves of 16, 32 and more pixels are all multiples of it
_CLUSTERS, _CLUSTER_RADIUS = 4, 40
_LEVELS, _GATHERING = 9, 8  # sizes of leaves, and circles where lines of such leaves cross
_CHAIN = 4  # circles in a chain
_WIDE_LEAF = 2 * _LEAF  # pixels: pairs at lines so far apart do not meet
_CORNER = 4  # lines from each border that cross in its corners
_NEAR, _SMALL = 5, 10  # pixels: how far from a crossing a pair lies, and its largest radius
# From one of the four leaves at a crossing to another: beside it, below or above it, or both.
_ACROSS = np.array([(1, 0), (0, 1), (1, 1)])
# From one centre to the next, in pixels, on both sides of the sum of two largest radii, 30.
_STEPS = np.array(
    [(30, 0), (29, 0), (0, 30), (0, 29), (18, 24), (24, 18), (18, 23), (23, 18), (21, 21), (22, 21)]
)


@dataclass(frozen=True, slots=True, eq=False)
class CircleScene:
    """Circles, and how the scene was made.

    Build one with :func:`make_circle_scene` or :func:`circle_scene`, which check their input.

    Attributes:
        corners: upper-left corners of the squares round the circles in pixels, int32 of shape
            ``(objects, 2)``, not writable.
        radius: radii in pixels, int32 of shape ``(objects,)``, likewise, 1 or more.
        generator: the name in `GENERATORS` that made it, or another word.
        seed: what the generator started from; 0 where it has no meaning.
    """

    corners: NDArray[np.int32]
    radius: NDArray[np.int32]
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many circles the scene has."""
        return len(self.radius)

    @property
    def x(self) -> NDArray[np.int32]:
        """Columns of the centres in pixels, shape ``(objects,)``."""
        return self.corners[:, 0] + self.radius

    @property
    def y(self) -> NDArray[np.int32]:
        """Rows of the centres in pixels, shape ``(objects,)``."""
        return self.corners[:, 1] + self.radius

    @property
    def diameter(self) -> NDArray[np.int32]:
        """Diameters in pixels, shape ``(objects,)``."""
        return 2 * self.radius

    def keep(self, indices: ArrayLike) -> CircleScene:
        """The scene with some of its circles only, in the order of ``indices``."""
        chosen = np.asarray(indices, dtype=np.intp).reshape(-1)
        return replace(
            self, corners=frozen(self.corners[chosen]), radius=frozen(self.radius[chosen])
        )

    def wrapped(self, x: int, y: int, world: int) -> CircleScene:
        """The scene moved by (x, y) pixels on a torus of ``world`` pixels on each axis."""
        centres = np.stack([(self.x + x) % world, (self.y + y) % world], axis=-1)
        return replace(self, corners=frozen(centres - self.radius[:, np.newaxis]))


Generator: TypeAlias = Callable[[Stream, int, int, int], NDArray[np.int32]]
"""A generator: called with (stream, objects, width, height); returns int32 (objects, 3): x, y,
radius."""


def make_circle_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> CircleScene:
    """Make the scene of a generator, a number of objects and a seed.

    Args:
        generator: a name in `GENERATORS`.
        objects: how many circles, 0 or more.
        seed: 0 <= seed < 2**64.
        width: of the area that holds all centres, in pixels, 1 to 32,768.
        height: likewise.

    Raises:
        ValueError: for an unknown generator, or a number outside the limits above.
        TypeError: for a number that is not an integer.
    """
    check_origin(generator, seed, GENERATORS)
    objects, seed, width, height = map(operator.index, (objects, seed, width, height))
    if objects < 0:
        raise ValueError(f"a scene cannot have {objects} objects")
    for name, size in (("width", width), ("height", height)):
        if not 1 <= size <= 1 << 15:
            raise ValueError(f"{name} {size} is outside 1..{1 << 15}")
    corners = GENERATORS[generator](Stream(seed), objects, width, height)
    centres = np.clip(corners[:, :2], 0, (width - 1, height - 1))
    return _of_centres(centres, corners[:, 2], generator, seed)


def circle_scene(circles: ArrayLike, *, generator: str = "given", seed: int = 0) -> CircleScene:
    """Make a scene of copies of given circles.

    Args:
        circles: integers of shape ``(n, 3)``: x, y, radius in pixels. May be empty.
        generator: a name for the source of the circles.
        seed: the seed given to that source, if any.

    Raises:
        ValueError: another shape, values that are not int32 integers, or a radius below 1.
    """
    array = np.asarray(circles)
    if array.size == 0:
        array = np.empty((0, 3), dtype=np.int32)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"circles have shape (n, 3), x, y and radius, not {array.shape}")
    if array.dtype.kind not in "iu":
        raise ValueError(f"circles are integers, whole pixels, not {array.dtype}")
    limits = np.iinfo(np.int32)
    if array.size and not (limits.min <= array.min() and array.max() <= limits.max):
        raise ValueError("circles do not fit 32-bit integers")
    if array.size and array[:, 2].min() < 1:
        raise ValueError(f"radius {array[:, 2].min()} is less than 1 pixel")
    return _of_centres(array[:, :2], array[:, 2], generator, seed)


def circles_in_squares(scene: Scene) -> CircleScene:
    """The circles inscribed in the squares of a scene, with its corners, generator and seed."""
    radii = np.full(scene.objects, MAX_RADIUS, dtype=np.int32)
    return CircleScene(frozen(scene.corners), frozen(radii), scene.generator, scene.seed)


def overlapping_pairs(scene: CircleScene, world: int = 0) -> NDArray[np.intp]:
    """Every pair of circles that overlap, found by testing all pairs.

    Args:
        scene: the circles.
        world: the size of a torus in pixels, or 0 for a plane.

    Returns:
        Object indices, shape ``(k, 2)``: each pair once as (lower, higher), ordered.
        Working memory grows with the square of the number of objects.
    """
    gaps = []
    for column in (scene.x, scene.y):
        places = column.astype(np.int64)
        gap = abs(places[:, np.newaxis] - places)
        gaps.append(np.minimum(gap % world, -gap % world) if world else gap)
    radius = scene.radius.astype(np.int64)
    reach = radius[:, np.newaxis] + radius
    overlap = gaps[0] ** 2 + gaps[1] ** 2 < reach**2
    return np.argwhere(np.triu(overlap, k=1))


def _uniform(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles of all sizes are spread evenly."""
    return stream.below(objects, width, height, MAX_RADIUS) + np.array([0, 0, 1], dtype=np.int32)


def _equal(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles of the largest size are spread evenly."""
    return _of_one_size(stream.below(objects, width, height))


def _clustered(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles lie round four centres, so that a few leaves hold many."""
    centres = stream.below(_CLUSTERS, width, height)
    side = 2 * _CLUSTER_RADIUS + 1
    draws = stream.below(objects, _CLUSTERS, side, side, MAX_RADIUS)
    places = centres[draws[:, 0]] + draws[:, 1:3] - _CLUSTER_RADIUS
    return np.column_stack([places, draws[:, 3] + 1])


def _leaf_edge(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles lie on, just before and just after the boundaries of leaves."""
    columns, rows = -(-width // _LEAF), -(-height // _LEAF)
    draws = stream.below(objects, columns, rows, 3, 3, MAX_RADIUS)
    return np.column_stack([_LEAF * draws[:, :2] + draws[:, 2:4] - 1, draws[:, 4] + 1])


def _identical(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles lie on one spot: every pair collides, and all are in one leaf."""
    return np.repeat(_of_one_size(stream.below(1, width, height)), objects, axis=0)


def _neighbours(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles follow one another in chains, at about the distance at which they touch."""
    chains = -(-objects // _CHAIN)
    starts = stream.below(chains, width, height)
    draws = stream.below(chains * _CHAIN, len(_STEPS), 2, 2)
    steps = _STEPS[draws[:, 0]] * (1 - 2 * draws[:, 1:])
    paths = steps.reshape(chains, _CHAIN, 2).cumsum(axis=1)
    far_edge = np.array([width - 1, height - 1])
    starts = np.clip(starts, -paths.min(axis=1), far_edge - paths.max(axis=1))
    return _of_one_size((starts[:, np.newaxis] + paths).reshape(-1, 2)[:objects])


def _crossings(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Circles lie at crossings of the lines that halve the area, eight times over.

    The area's own border is the first of these lines, so every corner is a crossing. Circles pile
    up on the last pixels inside.
    """
    groups = -(-objects // _GATHERING)
    draws = stream.below(groups, _LEVELS, _LEVELS, 1 << 20, 1 << 20).astype(np.int64)
    parts = 1 << draws[:, :2]
    lines = np.array([width, height]) * (draws[:, 2:] % (parts + 1)) // parts
    circles = stream.below(groups * _GATHERING, 2 * MAX_RADIUS, 2 * MAX_RADIUS, MAX_RADIUS)
    places = np.repeat(lines, _GATHERING, axis=0) + circles[:, :2] - MAX_RADIUS
    return np.column_stack([places, circles[:, 2] + 1])[:objects].astype(np.int32)


def _pairs(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int32]:
    """Pairs of circles lie in adjoining leaves, first in corners of the area, then anywhere.

    At most crossings of lines between leaves there is one pair or none. It meets no other pair. So
    a routine that does not search one of its leaves from the other misses the collision.
    """
    pairs = -(-objects // 2)
    last = np.array([width, height]) // _WIDE_LEAF
    columns, rows = np.maximum(last - 1, 1).tolist()
    circles = stream.below(2 * pairs, _NEAR, _NEAR, _SMALL)
    draws = stream.below(pairs, columns, rows, 2, 2, len(_ACROSS))
    number = np.arange(pairs)[:, np.newaxis]
    steps = 1 + number // (4, 4 * _CORNER) % _CORNER
    corners = np.where(number // (1, 2) % 2, last - steps, steps)
    lines = np.where(number < 4 * _CORNER**2, corners, 1 + draws[:, :2])
    sides = np.stack([draws[:, 2:4], draws[:, 2:4] ^ _ACROSS[draws[:, 4]]], axis=1).reshape(-1, 2)
    places = np.where(sides, circles[:, :2], -1 - circles[:, :2])
    places += np.repeat(_WIDE_LEAF * lines, 2, axis=0)
    return np.column_stack([places, circles[:, 2] + 1])[:objects].astype(np.int32)


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {
        "uniform": _uniform,
        "equal": _equal,
        "clustered": _clustered,
        "leaf-edge": _leaf_edge,
        "identical": _identical,
        "neighbours": _neighbours,
        "crossings": _crossings,
        "pairs": _pairs,
    }
)
"""Every generator, by its name. The scenes of a name never change; a new idea gets a new name."""


def _of_centres(
    centres: NDArray[np.signedinteger],
    radius: NDArray[np.signedinteger],
    generator: str,
    seed: int,
) -> CircleScene:
    corners = (centres - radius[:, np.newaxis]).astype(np.int32)
    return CircleScene(frozen(corners), frozen(radius.astype(np.int32)), generator, seed)


def _of_one_size(places: NDArray[np.signedinteger]) -> NDArray[np.int32]:
    radii = np.full(len(places), MAX_RADIUS)
    return np.column_stack([places, radii]).astype(np.int32)
