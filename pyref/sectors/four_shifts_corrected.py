"""The sector grid with four shifts, corrected: any number of objects, none included, anywhere.

The method is that of :mod:`pyref.sectors.four_shifts` (Tom Moertel, 1994), and so is the order of
work. Three things differ. In each of them the printed routine has a defect:

* a scene may have no objects; the printed routine always walks at least one;
* a corner that lies beyond the grid is filed under the nearest sector of its border, where the
  printed routine writes outside its table. Two corners less than 30 pixels apart are no farther
  apart when both are moved to the border, so the proof that they share a sector still holds;
* differences of coordinates are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import GENERATORS as SCREEN_GENERATORS
from pyref.scene import RECT_SIZE, Scene, check_origin, scene_from_corners
from pyref.scene import make_scene as make_screen_scene
from pyref.sectors.four_shifts import (
    MAX_OBJECTS,
    NULL,
    SHIFTS,
    X_LIMIT,
    X_SECTORS,
    Y_LIMIT,
    Y_SECTORS,
)
from pyref.streams import Stream

_MAX_REPORTS = 4096
_SHIFT = 6  # bits: a sector is 64 pixels wide
_LEAST, _MOST = -(2**15), 2**15 - 1  # the range of a coordinate on 68K


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedDetection:
    """The memory that the corrected routine leaves behind.

    Attributes:
        flags: uint8 of shape ``(200,)``, 1 for every object in a collision.
        sector_heads: int16 of shape ``(11, 9)``, column then row: the first object of each
            sector's list after the last pass, or -1.
        sector_links: int16 of shape ``(n,)``, the object after each one in its sector's list
            after the last pass, or -1.
        reported: int16 of shape ``(hits, 2)``, the pairs (higher, lower) found to overlap, in
            order, over all four passes.
        tests: how many tests of two objects were made.
    """

    flags: NDArray[np.uint8]
    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]
    reported: NDArray[np.int16]
    tests: int

    @property
    def report_first(self) -> NDArray[np.int16]:
        """The first objects of the first 4096 reports."""
        return self.reported[:_MAX_REPORTS, 0]

    @property
    def report_second(self) -> NDArray[np.int16]:
        """The second objects of the first 4096 reports."""
        return self.reported[:_MAX_REPORTS, 1]

    @property
    def hits(self) -> int:
        """How many tests found an overlap, repetitions included."""
        return len(self.reported)


def determine_collisions(scene: Scene | ArrayLike) -> CorrectedDetection:
    """Find every object that overlaps another.

    Args:
        scene: a scene, or corners in pixels as integers of shape ``(n, 2)``, n up to 200.

    Raises:
        ValueError: if `scene` is no scene, or has more than 200 objects.
    """
    whole_scene = scene if isinstance(scene, Scene) else scene_from_corners(scene)
    require_room(whole_scene)
    corners = whole_scene.corners
    exact = corners.astype(np.int64)
    filed = np.clip(exact, 0, (X_LIMIT, Y_LIMIT))
    flags = np.zeros(MAX_OBJECTS, dtype=np.uint8)
    reported: list[tuple[int, int]] = []
    tests = 0
    lists: dict[tuple[int, int], list[int]] = {}
    for shift in SHIFTS:
        lists = _file(filed + np.array(shift), whole_scene.order)
        for sector in sorted(lists):  # column by column
            members = lists[sector]
            for place, higher in enumerate(members):
                for lower in members[place + 1 :]:
                    tests += 1
                    if (np.abs(exact[higher] - exact[lower]) < RECT_SIZE).all():
                        flags[[higher, lower]] = 1
                        reported.append((higher, lower))
    heads = np.full((X_SECTORS, Y_SECTORS), NULL, dtype=np.int16)
    links = np.full(len(corners), NULL, dtype=np.int16)
    for sector, members in lists.items():
        heads[sector] = members[0]
        links[members[:-1]] = members[1:]
    return CorrectedDetection(
        flags, heads, links, np.array(reported, dtype=np.int16).reshape(-1, 2), tests
    )


def require_room(scene: Scene) -> None:
    """Check that a scene has no more objects than the routine's arrays hold.

    Raises:
        ValueError: it has more.
    """
    if scene.objects > MAX_OBJECTS:
        raise ValueError(f"{scene.objects} objects, where the routine holds {MAX_OBJECTS}")


@dataclass(frozen=True, slots=True)
class Intersection:
    """The result of a test of two objects.

    Attributes:
        collide: 1 if the first two objects of a scene overlap, otherwise 0.
    """

    collide: int


def intersect_first_two(scene: Scene) -> Intersection:
    """Whether the first two objects of a scene overlap; 0 if there are fewer than two."""
    if scene.objects < 2:
        return Intersection(0)
    (x, y), (other_x, other_y) = scene.corners[:2].tolist()
    return Intersection(int(abs(x - other_x) < RECT_SIZE and abs(y - other_y) < RECT_SIZE))


def _file(shifted: NDArray[np.int64], order: NDArray[np.int32]) -> dict[tuple[int, int], list[int]]:
    """The objects of each sector that has any; the last one filed comes first."""
    lists: dict[tuple[int, int], list[int]] = {}
    for index in reversed(order.tolist()):
        column, row = (shifted[index] >> _SHIFT).tolist()
        lists.setdefault((column, row), []).append(index)
    return lists


# -- scenes ------------------------------------------------------------------------------------

Generator: TypeAlias = Callable[[Stream, int, int, int], NDArray[np.int64]]
"""A generator: called with (stream, objects, screen width, screen height); returns corners of shape
(objects, 2)."""


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Scene:
    """Make a scene by a generator of `pyref.scene`, or by one that leaves the screen.

    Args:
        generator: a name in :data:`GENERATORS`, or one of `pyref.scene`.
        objects: how many objects, 0 or more.
        seed: 0 <= seed < 2**64.
        width: of the screen in pixels, 2..672.
        height: likewise, 2..544.

    Raises:
        ValueError: for an unknown generator, or a number outside these limits.
    """
    if generator in SCREEN_GENERATORS:
        return make_screen_scene(generator, objects, seed, width=width, height=height)
    check_origin(generator, seed, [*SCREEN_GENERATORS, *GENERATORS])
    # Checks the numbers, too.
    empty = make_screen_scene("uniform", 0, seed, width=width, height=height)
    if objects < 0:
        raise ValueError(f"a scene cannot have {objects} objects")
    corners = GENERATORS[generator](Stream(seed), objects, width, height)
    scene = scene_from_corners(np.clip(corners, _LEAST, _MOST).astype(np.int32))
    return replace(scene, generator=generator, seed=empty.seed)


def _outside(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int64]:
    """Objects lie on the screen and up to 300 pixels round it."""
    return stream.below(objects, width + 600, height + 600).astype(np.int64) - 300


def _border(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int64]:
    """Objects lie within 35 pixels of the grid's corners, on both sides of its border."""
    draws = stream.below(objects, 2, 2, 71, 71).astype(np.int64)
    return draws[:, :2] * (X_LIMIT + 1, Y_LIMIT + 1) + draws[:, 2:] - 35


def _far(stream: Stream, objects: int, width: int, height: int) -> NDArray[np.int64]:
    """Coordinates lie at the ends of 16 bits, so that differences need more bits."""
    draws = stream.below(objects, 3, 3, 41, 41).astype(np.int64)
    ends = np.array([_LEAST, 0, _MOST])
    return ends[draws[:, :2]] + draws[:, 2:] - 20


GENERATORS: Mapping[str, Generator] = MappingProxyType(
    {"outside": _outside, "border": _border, "far": _far}
)
"""The generators that leave the screen, by name."""
