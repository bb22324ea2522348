"""One sector grid in which adjacent sectors are searched too, in four forms, step by step.

Each object is filed under the sector of its upper-left corner. Two objects that overlap have
corners less than 30 pixels apart on each axis, so with sectors of 29 pixels or more they lie in
the same sector or in two that touch. Tom Moertel's post of July 1994 compares its four
shifts with this method, and describes the method in words only. The forms differ in their work:

* :func:`as_counted`: for each sector of the screen, every pair of the objects in that sector and
  the eight around it, as the post's analysis counts them. A pair is tested once for each sector
  that has both objects among its nine sectors: up to nine times.
* :func:`with_eight`: each sector's own pairs, and each of its objects against those of the eight
  around it. A pair in two sectors is tested from both.
* :func:`by_halves_64`: as before, but of the eight only the four that come later in the table.
  Every pair is tested at most once, and every overlap reported exactly once.
* :func:`by_halves_32`: the same with sectors of 32 pixels.

The order of work is part of the behaviour. Objects are filed in the order of their list. Lists are
last in, first out. Sectors are visited column by column. An object is tested against the rest of
its own list, then against the sectors around it in table order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.reported_pairs import MAX_OBJECTS, ReportedPairs
from pyref.scene import RECT_SIZE, SAFE_HEIGHT, SAFE_WIDTH, Scene, scene_from_corners
from pyref.scene import make_scene as make_screen_scene

NULL = -1  # no object: an empty sector, the end of a list

SCREEN_COLUMNS, SCREEN_ROWS = 10, 8  # sectors of 64 pixels that cover 640 x 480
# Steps to the sectors around one, in table order: columns, rows.
AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
LATER = AROUND[4:]

_EDGE = 96  # pixels: the first column of 64 and half of the second
_LISTED_AT_END = 50  # of the last objects, those that are listed where few are

_Corner: TypeAlias = Sequence[int]  # x, y
_Pair: TypeAlias = tuple[int, int]  # object indices in the order of the test
_Lists: TypeAlias = list[list[list[int]]]  # by column and row, first object first
_Line: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom in pixels, all included


@dataclass(frozen=True, slots=True, eq=False)
class SectorDetection(ReportedPairs):
    """The memory that a routine leaves behind, and the work it did.

    Attributes:
        sector_heads: int16 of shape ``(sectors,)``, column by column: the first object of each
            sector's list, or -1.
        sector_links: int16 of shape ``(n,)``, the object after each one in its sector's list, or
            -1. An object that is not on the list of objects keeps the value from before.
    """

    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> Scene:
    """Make a scene by a generator of `pyref.scene`, or by one of two more.

    "piled": all objects lie on one spot, and are listed in random order. Once the reports are full,
    objects that are listed early take part in no further test, so a wrong write into their flags
    is not undone.

    "few-listed": all objects lie at the left edge; only the first and the last 50 are listed, in
    random order. So high indices occur at little cost. The flags of 2,000 objects end where the
    table of sectors begins, so a read in front of the table finds flags that are set.

    Args:
        generator: the name.
        objects: how many objects, 0 or more.
        seed: 0 <= seed < 2**64.
        width: of the screen in pixels, 2..672; not used by "few-listed".
        height: likewise, 2..544.

    Raises:
        ValueError: for an unknown generator, or a number outside these limits.
    """
    if generator not in ("piled", "few-listed"):
        return make_screen_scene(generator, objects, seed, width=width, height=height)
    order = make_screen_scene("shuffled", objects, seed).order
    if generator == "piled":
        scene = make_screen_scene("identical", objects, seed, width=width, height=height)
    else:
        scene = make_screen_scene("uniform", objects, seed, width=_EDGE, height=height)
        order = order[(order == 0) | (order >= objects - _LISTED_AT_END)]
    return scene_from_corners(scene.corners, generator=generator, seed=seed).listing(order)


def as_counted(scene: Scene | ArrayLike) -> SectorDetection:
    """Test all pairs among nine sectors, for every sector of the screen.

    Args:
        scene: a scene, or corners in pixels as integers of shape ``(n, 2)``, n up to 2000, x
            within 0..671 and y within 0..543.

    Returns:
        Flags, reports in order, the number of tests, and the sector lists.

    Raises:
        ValueError: if `scene` is no scene, or exceeds these limits.
    """
    return _detect(scene, 64, _pairs_of_nine)


def with_eight(scene: Scene | ArrayLike) -> SectorDetection:
    """Test each sector's own pairs, and its objects with those of the eight sectors around.

    Arguments, result and errors are those of :func:`as_counted`.
    """
    return _detect(scene, 64, lambda lists: _pairs_by_steps(lists, AROUND))


def by_halves_64(scene: Scene | ArrayLike) -> SectorDetection:
    """Test each sector's own pairs, and its objects with those of the four sectors after it.

    Arguments, result and errors are those of :func:`as_counted`.
    """
    return _detect(scene, 64, lambda lists: _pairs_by_steps(lists, LATER))


def by_halves_32(scene: Scene | ArrayLike) -> SectorDetection:
    """The same as :func:`by_halves_64`, with sectors of 32 pixels."""
    return _detect(scene, 32, lambda lists: _pairs_by_steps(lists, LATER))


def sectors_of_64(scene: Scene, answer: SectorDetection) -> list[_Line]:
    """The lines between the sectors of 64 pixels, one pixel wide, for a picture."""
    return _lines_between(64)


def sectors_of_32(scene: Scene, answer: SectorDetection) -> list[_Line]:
    """The lines between the sectors of 32 pixels, one pixel wide, for a picture."""
    return _lines_between(32)


def _lines_between(size: int) -> list[_Line]:
    across, down = SCREEN_COLUMNS * 64, SCREEN_ROWS * 64
    lines = [(x, 0, x, down - 1) for x in range(0, across, size)]
    return lines + [(0, y, across - 1, y) for y in range(0, down, size)]


def _pairs_by_steps(lists: _Lists, steps: Sequence[_Pair]) -> Iterator[_Pair]:
    """Pair each object with the rest of its own list, then with the lists that steps lead to."""
    for x, column in enumerate(lists):
        for y, own in enumerate(column):
            beside = [other for step in steps for other in _list_beside(lists, x, y, step)]
            for place, first in enumerate(own):
                for second in own[place + 1 :] + beside:
                    yield first, second


def _pairs_of_nine(lists: _Lists) -> Iterator[_Pair]:
    """Pair all objects of a sector and of those around it with one another."""
    for x in range(SCREEN_COLUMNS):
        for y in range(SCREEN_ROWS):
            near = list(lists[x][y])
            for step in AROUND:
                near += _list_beside(lists, x, y, step)
            for place, first in enumerate(near):
                for second in near[place + 1 :]:
                    yield first, second


def _list_beside(lists: _Lists, x: int, y: int, step: _Pair) -> list[int]:
    column, row = x + step[0], y + step[1]
    inside = 0 <= column < len(lists) and 0 <= row < len(lists[0])
    return lists[column][row] if inside else []


def _detect(
    scene: Scene | ArrayLike, size: int, pairs_of: Callable[[_Lists], Iterator[_Pair]]
) -> SectorDetection:
    """File the objects under sectors of a size in pixels, and test the pairs of the lists."""
    whole_scene = scene if isinstance(scene, Scene) else scene_from_corners(scene)
    require_safe(whole_scene)
    corners: list[_Corner] = whole_scene.corners.tolist()
    columns, rows = -(-SAFE_WIDTH // size), -(-SAFE_HEIGHT // size)
    lists: _Lists = [[[] for _ in range(rows)] for _ in range(columns)]
    for index in whole_scene.order.tolist():
        x, y = corners[index]
        lists[x // size][y // size].insert(0, index)

    flags = np.zeros(MAX_OBJECTS, dtype=np.uint8)
    reports: list[_Pair] = []
    tests = 0
    for first, second in pairs_of(lists):
        tests += 1
        if _intersect(corners[first], corners[second]):
            flags[first] = flags[second] = 1
            reports.append((first, second))

    filed = [members for column in lists for members in column]
    links = np.full(len(corners), NULL, dtype=np.int16)
    links[: len(whole_scene.old_links)] = whole_scene.old_links
    for members in filed:
        links[members[:-1]] = members[1:]
        links[members[-1:]] = NULL
    return SectorDetection(
        flags=flags,
        reports=np.array(reports, dtype=np.int16).reshape(-1, 2),
        tests=tests,
        objects=len(corners),
        sector_heads=np.array([members[0] if members else NULL for members in filed], np.int16),
        sector_links=links,
    )


def _intersect(a: _Corner, b: _Corner) -> bool:
    """Tell whether two objects overlap; edges that only touch do not count."""
    return abs(a[0] - b[0]) < RECT_SIZE and abs(a[1] - b[1]) < RECT_SIZE


def require_safe(scene: Scene) -> None:
    """Check that the routines can take a scene.

    Raises:
        ValueError: it has more objects than their arrays hold, or one lies outside the sectors.
    """
    corners = scene.corners
    if len(corners) > MAX_OBJECTS:
        raise ValueError(f"{len(corners)} objects, where the routine holds {MAX_OBJECTS}")
    limits = (SAFE_WIDTH - 1, SAFE_HEIGHT - 1)
    unsafe = (corners < 0) | (corners > limits)
    if unsafe.any():
        index, axis = np.argwhere(unsafe)[0]
        raise ValueError(
            f"object {index}: {'xy'[axis]} = {corners[index, axis]} is outside "
            f"0..{limits[axis]}, where the routine's sector table ends"
        )
