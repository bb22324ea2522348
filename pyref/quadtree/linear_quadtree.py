"""Collision detection with a linear quadtree, as a forum post describes it, and corrected.

The world is cut into square leaves of one size. Objects, bounded by circles, are sorted by the
Morton code (:mod:`pyref.quadtree.morton`) of the leaf that holds their centre, those of one leaf by
index. The sorted objects are called nodes. Then, leaf by leaf in the order of codes:

1. objects of the leaf are tested against one another;
2. for each neighbouring leaf, in a fixed order, its nodes are looked up by code, and each of these
   *candidates* is tested against every *source*, an object of the leaf at hand.

There are two forms. They differ in the pairs they test:

* *As described*: leaves are larger than the largest radius; all eight neighbours are looked at; a
  candidate is tested only if its circle reaches into the leaf at hand. An overlapping pair is
  reported once, twice, or not at all: two circles may meet outside both of their leaves, and
  circles two leaves apart may overlap if a leaf is narrower than a diameter.
* *Corrected*: leaves are at least one largest diameter wide; of the neighbours only those to the
  right and below are looked at, since the others look back; every candidate is tested. Every
  overlapping pair is reported exactly once.

The order of tests is part of the behaviour, and is the same here as in the compiled code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.quadtree.circle_scene import CircleScene, make_circle_scene
from pyref.quadtree.morton import NARROW, Codes, encode, neighbours
from pyref.quadtree.morton_as_printed import neighbours_of_listing

MAX_OBJECTS = 2000
MAX_REPORTS = 4000  # the reports that are recorded; further ones are only counted
LEAF = 32  # pixels: more than the largest diameter
DESCRIBED_LEAF = 16  # pixels: just more than the largest radius
WORLD = NARROW.cells * LEAF  # pixels, on each axis
DESCRIBED_WORLD = NARROW.cells * DESCRIBED_LEAF

FORWARD = (4, 5, 6, 7)
"""The neighbours that the corrected form looks at: right, bottom left, bottom, bottom right."""

Lister: TypeAlias = Callable[[Codes], Codes]
"""A function that lists the neighbours of cells: takes codes of shape (n,), returns (n, 8)."""

_EVERYWHERE = ("crossings", "pairs")  # generators whose scenes are as large as the world


class _Circle(NamedTuple):
    x: int
    y: int
    radius: int


@dataclass(frozen=True, slots=True, eq=False)
class QuadtreeDetection:
    """The memory that the routine leaves behind, and the work it did.

    Attributes:
        nodes: int16 of shape ``(n,)``, object indices in the order of codes.
        codes: uint16 of shape ``(n,)``, the code of each object's leaf, by index.
        tested: int16 of shape ``(tests, 2)``, pairs (source, candidate) in the order tested.
        reported: int16 of shape ``(hits, 2)``, those of them that overlap, repetitions included.
        leaves: how many leaves hold an object.
        lookups: how many times a code was looked up.
        bounds_tests: how many candidates were tested against the bounds of a leaf; 0 in the
            corrected form.
    """

    nodes: NDArray[np.int16]
    codes: NDArray[np.uint16]
    tested: NDArray[np.int16]
    reported: NDArray[np.int16]
    leaves: int
    lookups: int
    bounds_tests: int

    @property
    def tests(self) -> int:
        """How many tests of two circles were made."""
        return len(self.tested)

    @property
    def hits(self) -> int:
        """How many of them found an overlap."""
        return len(self.reported)

    @property
    def links(self) -> NDArray[np.int16]:
        """The object after each one in the order of codes, or -1, by index; shape ``(n,)``."""
        links = np.full(len(self.nodes), -1, dtype=np.int16)
        links[self.nodes[:-1]] = self.nodes[1:]
        return links

    @property
    def report_first(self) -> NDArray[np.int16]:
        """The source of each report that is kept, of at most `MAX_REPORTS`."""
        return self.reported[:MAX_REPORTS, 0]

    @property
    def report_second(self) -> NDArray[np.int16]:
        """The candidate of each report that is kept."""
        return self.reported[:MAX_REPORTS, 1]

    @property
    def flags(self) -> NDArray[np.uint8]:
        """1 for every object in a report, else 0; shape ``(MAX_OBJECTS,)``."""
        flags = np.zeros(MAX_OBJECTS, dtype=np.uint8)
        flags[self.reported.reshape(-1)] = 1
        return flags

    @property
    def object_flags(self) -> NDArray[np.uint8]:
        """The flags of the scene's objects, shape ``(n,)``."""
        return self.flags[: len(self.nodes)]


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> CircleScene:
    """Make a scene on the screen; those of "crossings" and "pairs" fill the world.

    See `make_circle_scene`.
    """
    if generator in _EVERYWHERE:
        width = height = WORLD
    return make_circle_scene(generator, objects, seed, width=width, height=height)


def make_scene_as_described(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> CircleScene:
    """`make_scene` for the world of the form as described."""
    if generator in _EVERYWHERE:
        width = height = DESCRIBED_WORLD
    return make_circle_scene(generator, objects, seed, width=width, height=height)


def make_scene_across_the_edge(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> CircleScene:
    """`make_scene`, its middle moved to the corner where all four edges of the torus meet."""
    if generator in _EVERYWHERE:
        width = height = WORLD
    scene = make_circle_scene(generator, objects, seed, width=width, height=height)
    return scene.wrapped(-(width // 2), -(height // 2), WORLD)


def detect_collisions(scene: CircleScene) -> QuadtreeDetection:
    """The corrected form on a plane, with the limits of the compiled routine.

    Raises:
        ValueError: more than 2,000 objects, a radius above 15, or a centre outside 0..8191.
    """
    require_room(scene, WORLD)
    return search_corrected(scene, leaf=LEAF)


def detect_on_torus(scene: CircleScene) -> QuadtreeDetection:
    """The corrected form on a torus of 8192 x 8192 pixels.

    Raises:
        ValueError: as `detect_collisions`.
    """
    require_room(scene, WORLD)
    return search_corrected(scene, leaf=LEAF, toroidal=True)


def detect_as_described(scene: CircleScene) -> QuadtreeDetection:
    """The form as described, with correct neighbours.

    Raises:
        ValueError: more than 2,000 objects, a radius above 15, or a centre outside 0..4095.
    """
    require_room(scene, DESCRIBED_WORLD)
    return search_as_described(scene, leaf=DESCRIBED_LEAF)


def detect_as_printed(scene: CircleScene) -> QuadtreeDetection:
    """The form as described, with the neighbours that the printed assembly lists.

    Raises:
        ValueError: as `detect_as_described`.
    """
    require_room(scene, DESCRIBED_WORLD)
    return search_as_described(scene, leaf=DESCRIBED_LEAF, lister=neighbours_of_listing)


def search_corrected(scene: CircleScene, *, leaf: int, toroidal: bool = False) -> QuadtreeDetection:
    """Test every pair of one leaf or of neighbouring leaves, once.

    Args:
        scene: circles whose centres lie in the 256 x 256 leaves.
        leaf: width of a leaf in pixels, at least the largest diameter.
        toroidal: whether the last column (row) of leaves is followed by the first.

    Raises:
        ValueError: a leaf is narrower than a diameter, or a centre lies outside.
    """
    if scene.objects and 2 * scene.radius.max() > leaf:
        raise ValueError(f"diameter {2 * scene.radius.max()} is more than the leaf's {leaf} pixels")
    world = leaf * NARROW.cells if toroidal else 0

    def list_forward(codes: Codes) -> list[list[int]]:
        around = neighbours(codes, toroidal=toroidal)
        rows = zip(around.codes.tolist(), around.exists.tolist(), strict=True)
        return [[row[s] for s in FORWARD if exists[s]] for row, exists in rows]

    return _search(scene, leaf, list_forward, lambda candidate, source: True, False, world)


def search_as_described(
    scene: CircleScene, *, leaf: int, lister: Lister | None = None
) -> QuadtreeDetection:
    """Test pairs of one leaf, and candidates of all eight neighbours that reach into the leaf.

    Places are compared as on a plane, although the neighbours are those of a torus: candidates
    beyond an edge are looked up, and never reach into the leaf.

    Args:
        scene: circles whose centres lie in the 256 x 256 leaves.
        leaf: width of a leaf in pixels; any number, to show the effect of wrong ones.
        lister: lists the neighbours of cells; if not given, correctly.

    Raises:
        ValueError: a centre lies outside.
    """

    def list_all(codes: Codes) -> list[list[int]]:
        lists: list[list[int]] = (
            neighbours(codes).codes if lister is None else lister(codes)
        ).tolist()
        return lists

    def reaches(candidate: _Circle, source: _Circle) -> bool:
        dx = _outside(candidate.x, source.x // leaf * leaf, leaf)
        dy = _outside(candidate.y, source.y // leaf * leaf, leaf)
        return dx * dx + dy * dy < candidate.radius**2

    return _search(scene, leaf, list_all, reaches, True, 0)


def leaf_lines(
    scene: CircleScene, answer: QuadtreeDetection, *, leaf: int = LEAF
) -> Iterator[tuple[int, int, int, int]]:
    """The leaves that hold an object: left, top, right and bottom pixel of each."""
    columns, rows = scene.x // leaf, scene.y // leaf
    for column, row in sorted(set(zip(columns.tolist(), rows.tolist(), strict=True))):
        left, top = column * leaf, row * leaf
        yield left, top, left + leaf - 1, top + leaf - 1


def described_leaf_lines(
    scene: CircleScene, answer: QuadtreeDetection
) -> Iterator[tuple[int, int, int, int]]:
    """`leaf_lines` for the form as described."""
    return leaf_lines(scene, answer, leaf=DESCRIBED_LEAF)


def _search(
    scene: CircleScene,
    leaf: int,
    list_neighbours: Callable[[Codes], list[list[int]]],
    reaches: Callable[[_Circle, _Circle], bool],
    bounds_are_tested: bool,
    world: int,
) -> QuadtreeDetection:
    """Search in either form: sort the objects, and go from leaf to leaf.

    Args:
        scene: the circles.
        leaf: width of a leaf in pixels.
        list_neighbours: the codes to look up for each of some leaves.
        reaches: whether a candidate is to be tested with a source of the current leaf.
        bounds_are_tested: whether ``reaches`` is a test that counts.
        world: the size of a torus in pixels, or 0 for a plane.
    """
    circles = [_Circle(*row) for row in np.column_stack([scene.x, scene.y, scene.radius]).tolist()]
    codes = encode(scene.x // leaf, scene.y // leaf)
    nodes: list[int] = np.argsort(codes, kind="stable").tolist()
    runs: dict[int, list[int]] = {}
    for node in nodes:
        runs.setdefault(int(codes[node]), []).append(node)

    tested: list[tuple[int, int]] = []
    lookups = bounds_tests = 0
    around = list_neighbours(np.array(list(runs), dtype=np.int64))
    for sources, others in zip(runs.values(), around, strict=True):
        tested += combinations(sources, 2)
        for code in others:
            lookups += 1
            for candidate in runs.get(code, ()):
                bounds_tests += bounds_are_tested
                if reaches(circles[candidate], circles[sources[0]]):
                    tested += [(source, candidate) for source in sources]

    reported = [(a, b) for a, b in tested if _overlap(circles[a], circles[b], world)]
    return QuadtreeDetection(
        nodes=np.array(nodes, dtype=np.int16),
        codes=codes.astype(np.uint16),
        tested=_pairs(tested),
        reported=_pairs(reported),
        leaves=len(runs),
        lookups=lookups,
        bounds_tests=bounds_tests,
    )


def _overlap(a: _Circle, b: _Circle, world: int) -> bool:
    """Tell whether two circles overlap; those that only touch do not."""
    dx, dy = abs(a.x - b.x), abs(a.y - b.y)
    if world:
        dx, dy = min(dx, world - dx), min(dy, world - dy)
    return dx * dx + dy * dy < (a.radius + b.radius) ** 2


def _outside(place: int, low: int, leaf: int) -> int:
    """The distance of a place from a leaf on one axis; 0 inside, both edges included."""
    return max(low - place, place - (low + leaf), 0)


def _pairs(pairs: Sequence[tuple[int, int]]) -> NDArray[np.int16]:
    return np.array(pairs, dtype=np.int16).reshape(-1, 2)


def require_room(scene: CircleScene, world: int) -> None:
    """Check that the compiled routine has room for a scene.

    Args:
        scene: the scene.
        world: the width and height of the world in pixels.

    Raises:
        ValueError: it has too many objects, or one outside the limits.
    """
    if scene.objects > MAX_OBJECTS:
        raise ValueError(f"{scene.objects} objects, where the routine holds {MAX_OBJECTS}")
    limits = (("x", scene.x, 0, world - 1), ("y", scene.y, 0, world - 1))
    for name, values, low, high in (*limits, ("radius", scene.radius, 1, LEAF // 2 - 1)):
        wrong = np.flatnonzero((values < low) | (values > high))
        if len(wrong):
            raise ValueError(
                f"object {wrong[0]}: {name} = {values[wrong[0]]} is outside {low}..{high}"
            )
