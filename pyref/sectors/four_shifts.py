"""The sector grid with four shifts (Tom Moertel, 1994): what the routine must do, step by step.

The screen is cut into square sectors of 64 pixels. Each object is filed under the sector that
holds its upper-left corner, and only objects filed together are tested against each other. Two
objects that overlap across a sector boundary would be missed. So the whole procedure runs four
times: the grid is moved by half a sector on neither axis, on one, on the other, on both. Corners
less than 30 pixels apart on an axis share a column (or row) in at least one of that axis's two
positions, so some pass brings the pair together.

The order of work is part of the behaviour, and is the same here as in the compiled code:

* objects are filed in the order of their own list, which is that of the array unless the scene
  says otherwise;
* a sector's list is last in, first out, so walking it meets objects from the last one filed to
  the first; "higher" and "lower" below are places on the list of objects;
* every pair is therefore tested as (higher, lower);
* sectors are visited column by column, top to bottom, and passes in the order of :data:`SHIFTS`;
* the lists of the last pass are still there when the routine returns.

A pair that shares a sector in several passes is tested, and if it overlaps found, in each.
Because the shifts combine freely, the number of times is 1 or 2 on each axis: 1, 2 or 4 in all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.brute_force import collisions
from pyref.scene import RECT_SIZE, Scene, scene_from_corners
from pyref.scene import make_scene as make_screen_scene
from pyref.scene_block import SceneBlock

MAX_OBJECTS = 200
MANY_OBJECTS = 2000  # the limit of the same routine compiled with larger arrays
SECTOR_SIZE = 64  # pixels
X_SECTORS, Y_SECTORS = 11, 9  # the 640 x 480 screen rounded up to sectors, and one more each way
SHIFTS = ((0, 0), (0, 32), (32, 0), (32, 32))  # shifts of the grid, (x, y) in pixels, in order
NULL = -1  # no object: an empty sector, the end of a list

X_LIMIT = X_SECTORS * SECTOR_SIZE - max(x for x, _ in SHIFTS) - 1  # 671, the last safe column
Y_LIMIT = Y_SECTORS * SECTOR_SIZE - max(y for _, y in SHIFTS) - 1  # 543, the last safe row

_Corner: TypeAlias = Sequence[int]  # x, y
_Pair: TypeAlias = tuple[int, int]  # object indices, the higher first


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """The memory that the routine leaves behind, and the work it did.

    Attributes:
        flags: uint8 of shape ``(200,)``, 1 for every object in a collision, 0 for other objects
            and for unused elements. Shape ``(2000,)`` for the program with larger arrays.
        sector_heads: int16 of shape ``(11, 9)``, column then row: the first object of each
            sector's list after the last pass, or -1.
        sector_links: int16 of shape ``(n,)``, the object after each one in its sector's list
            after the last pass, or -1. A scene without objects has one entry, see
            :func:`determine_collisions`.
        tested: int16 of shape ``(tests, 2)``, the pairs (higher, lower) in the order tested,
            over all four passes.
        hits: int16 of shape ``(k, 2)``, those of them that overlapped, repetitions included.
    """

    flags: NDArray[np.uint8]
    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]
    tested: NDArray[np.int16]
    hits: NDArray[np.int16]

    @property
    def tests(self) -> int:
        """How many rectangle tests were made."""
        return len(self.tested)

    @property
    def hit_count(self) -> int:
        """How many tests found an overlap, repetitions included."""
        return len(self.hits)

    @property
    def sector_visits(self) -> int:
        """How many sectors were visited, over all four passes."""
        return len(SHIFTS) * X_SECTORS * Y_SECTORS

    @property
    def insertions(self) -> int:
        """How many times an object was filed under a sector, over all four passes."""
        return len(SHIFTS) * len(self.sector_links)


@dataclass(frozen=True, slots=True, eq=False)
class ListScene(Scene):
    """A scene for a routine whose list begins at the first element, whatever the count.

    Without objects that element is as the program is loaded: the list's last object, at the origin.
    """

    @property
    def x(self) -> NDArray[np.int32]:
        """Left edges in pixels, shape ``(max(objects, 1),)``."""
        return self.corners[:, 0] if self.objects else np.zeros(1, dtype=np.int32)

    @property
    def y(self) -> NDArray[np.int32]:
        """Top edges in pixels, shape ``(max(objects, 1),)``."""
        return self.corners[:, 1] if self.objects else np.zeros(1, dtype=np.int32)

    @property
    def next_object(self) -> NDArray[np.int32]:
        """The object after each one on the list, or -1, shape ``(max(objects, 1),)``."""
        # In a dataclass with slots, super() does not find the class that it is in by itself.
        links = super(ListScene, self).next_object
        return links if self.objects else np.array([-1], np.int32)


def make_scene(
    generator: str, objects: int, seed: int, *, width: int = 640, height: int = 480
) -> ListScene:
    """Make a scene like :func:`pyref.scene.make_scene`; an empty one has a first list element."""
    scene = make_screen_scene(generator, objects, seed, width=width, height=height)
    order = scene.order if generator == "shuffled" else None
    return ListScene(scene.corners, scene.generator, scene.seed, order)


@dataclass(frozen=True, slots=True, eq=False)
class ListBlock(SceneBlock):
    """Scenes of :class:`ListScene`, made and kept together."""

    kind: ClassVar[type[Scene]] = ListScene

    @property
    def x(self) -> NDArray[np.int32]:
        """Left edges in pixels, shape ``(scenes, max(objects, 1))``."""
        return self._or_first(super(ListBlock, self).x, 0)

    @property
    def y(self) -> NDArray[np.int32]:
        """Top edges in pixels, shape ``(scenes, max(objects, 1))``."""
        return self._or_first(super(ListBlock, self).y, 0)

    @property
    def next_object(self) -> NDArray[np.int32]:
        """The object after each one on the list, or -1, shape ``(scenes, max(objects, 1))``."""
        return self._or_first(super(ListBlock, self).next_object, NULL)

    def _or_first(self, values: NDArray[np.int32], first: int) -> NDArray[np.int32]:
        return values if values.shape[1] else np.full((len(self), 1), first, np.int32)


make_scenes = ListBlock.make


def determine_collisions(scene: Scene | ArrayLike) -> Detection:
    """Find every object that overlaps another, as the 1994 routine does.

    The routine cannot tell that it has no objects: its list starts at the first element of the
    array whatever the count. On a fresh array, all zeros, an empty scene is thus a scene of one
    object in the upper-left corner, filed under sector [0][0] and never flagged.

    Args:
        scene: a scene, or corners in pixels as integers of shape ``(n, 2)``, n up to 200.

    Returns:
        The flags, the final sector lists, and the pairs in the order they were tested.

    Raises:
        ValueError: if `scene` is no scene, has more than 200 objects, or has a corner with x
            outside 0..671 or y outside 0..543, where the routine leaves its sector table.
    """
    return _detect(scene, MAX_OBJECTS)


def determine_collisions_of_many(scene: Scene | ArrayLike) -> Detection:
    """The same as :func:`determine_collisions`, with room for 2,000 objects."""
    return _detect(scene, MANY_OBJECTS)


@dataclass(frozen=True, slots=True, eq=False)
class Overlaps:
    """Who is in a collision.

    Attributes:
        flags: uint8 of shape ``(n,)`` with n at least 200, as in :class:`Detection`.
    """

    flags: NDArray[np.uint8]


def overlaps(scene: Scene) -> Overlaps:
    """Find every object that overlaps another, wherever the objects lie, by comparing all pairs.

    That is what the routine is for, whatever table of sectors it has.
    """
    flags = np.zeros(max(MAX_OBJECTS, scene.objects), dtype=np.uint8)
    flags[scene.order] = collisions(scene.corners[scene.order])
    return Overlaps(flags)


def _detect(scene: Scene | ArrayLike, room: int) -> Detection:
    whole_scene = scene if isinstance(scene, Scene) else scene_from_corners(scene)
    require_safe(whole_scene, room)
    objects: list[_Corner] = whole_scene.corners.tolist() or [(0, 0)]
    order = whole_scene.order.tolist() or [0]
    flags = [0] * room
    tested: list[_Pair] = []
    hits: list[_Pair] = []

    for shift in SHIFTS:
        heads, links = _update_sectors(objects, order, shift)
        for head in chain.from_iterable(heads):
            for pair in _pairs_in_sector(head, links):
                tested.append(pair)
                higher, lower = pair
                if _intersect(objects[higher], objects[lower]):
                    flags[higher] = flags[lower] = 1
                    hits.append(pair)

    return Detection(
        flags=np.array(flags, dtype=np.uint8),
        sector_heads=np.array(heads, dtype=np.int16),
        sector_links=np.array(links, dtype=np.int16),
        tested=np.array(tested, dtype=np.int16).reshape(-1, 2),
        hits=np.array(hits, dtype=np.int16).reshape(-1, 2),
    )


def _update_sectors(
    objects: Sequence[_Corner], order: Sequence[int], shift: tuple[int, int]
) -> tuple[list[list[int]], list[int]]:
    """File each object under its sector, each new one in front of those already there."""
    heads = [[NULL] * Y_SECTORS for _ in range(X_SECTORS)]
    links = [NULL] * len(objects)
    x_shift, y_shift = shift
    for index in order:
        x, y = objects[index]
        column, row = (x + x_shift) // SECTOR_SIZE, (y + y_shift) // SECTOR_SIZE
        links[index] = heads[column][row]
        heads[column][row] = index
    return heads, links


def _pairs_in_sector(head: int, links: Sequence[int]) -> Iterator[_Pair]:
    """Pair each object of a sector's list with every one after it."""
    first = head
    while first != NULL:
        second = links[first]
        while second != NULL:
            yield first, second
            second = links[second]
        first = links[first]


def _intersect(a: _Corner, b: _Corner) -> bool:
    """Tell whether two objects overlap; edges that only touch do not count."""
    return abs(a[0] - b[0]) < RECT_SIZE and abs(a[1] - b[1]) < RECT_SIZE


def require_safe(scene: Scene, room: int) -> None:
    """Check that the routine can take a scene.

    Args:
        scene: the scene.
        room: how many objects the routine's arrays hold.

    Raises:
        ValueError: there are more objects, or one lies outside the routine's sector table.
    """
    corners = scene.corners
    if len(corners) > room:
        raise ValueError(f"{len(corners)} objects, where the routine holds {room}")
    unsafe = (corners < 0) | (corners > (X_LIMIT, Y_LIMIT))
    if unsafe.any():
        index, axis = np.argwhere(unsafe)[0]
        name, limit = (("x", X_LIMIT), ("y", Y_LIMIT))[axis]
        raise ValueError(
            f"object {index}: {name} = {corners[index, axis]} is outside 0..{limit}, "
            "where the routine's sector table ends"
        )
