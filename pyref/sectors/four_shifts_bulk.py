"""What the four-shifts routine of 1994 leaves in memory, for many scenes at once.

:mod:`pyref.sectors.four_shifts` is the specification. The functions here say the same of each scene
in a hundredth of the time, and not by the same way:

* An object is flagged if it overlaps another. Corners of two that overlap are less than 32 pixels
  apart, so in one of the four passes no sector boundary is between them, where they are tested.
* The lists that are left are those of the last pass alone.

All scenes of a block are worked on together, in arrays of shape ``(scenes, objects)``. A row is
sorted by numbers that have the position in their upper bits and the object in their lower ones,
because NumPy sorts numbers many times faster than it finds out their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from pyref.scene import RECT_SIZE, Scene
from pyref.scene_block import SceneBlock
from pyref.sectors.four_shifts import (
    MANY_OBJECTS,
    MAX_OBJECTS,
    NULL,
    SECTOR_SIZE,
    SHIFTS,
    X_LIMIT,
    X_SECTORS,
    Y_LIMIT,
    Y_SECTORS,
    require_safe,
)

_BITS = 11  # of an object's number, up to 2,000
_OBJECT = (1 << _BITS) - 1
_Y_BITS = 10  # of a y coordinate, up to 543
_STEPS = 8  # to find out which scenes are done takes as long as two steps
_COORDINATE = (1 << _Y_BITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class LeftMemory:
    """The memory that the routine of 1994 leaves behind.

    Attributes:
        flags: as `pyref.sectors.four_shifts.Detection.flags`.
        sector_heads: as `pyref.sectors.four_shifts.Detection.sector_heads`.
        sector_links: as `pyref.sectors.four_shifts.Detection.sector_links`.
    """

    flags: NDArray[np.uint8]
    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]


@dataclass(frozen=True, slots=True, eq=False)
class LeftBlock(Sequence[LeftMemory]):
    """The memory that it leaves of many scenes; each array has an axis more, that of the scenes."""

    flags: NDArray[np.uint8]
    sector_heads: NDArray[np.int16]
    sector_links: NDArray[np.int16]

    def __len__(self) -> int:
        """How many scenes there are."""
        return len(self.flags)

    @overload
    def __getitem__(self, index: int) -> LeftMemory: ...
    @overload
    def __getitem__(self, index: slice) -> LeftBlock: ...
    def __getitem__(self, index: int | slice) -> LeftMemory | LeftBlock:
        """That of one scene, or of several."""
        parts = self.flags[index], self.sector_heads[index], self.sector_links[index]
        return LeftBlock(*parts) if isinstance(index, slice) else LeftMemory(*parts)


def determine_collisions(scenes: Sequence[Scene]) -> Sequence[LeftMemory]:
    """Find every object that overlaps another, in each scene.

    Args:
        scenes: scenes of up to 200 objects each; a block of them is the fastest.

    Returns:
        What `pyref.sectors.four_shifts.determine_collisions` says of each scene.

    Raises:
        ValueError: as that function.
    """
    return _left_by(scenes, MAX_OBJECTS)


def determine_collisions_of_many(scenes: Sequence[Scene]) -> Sequence[LeftMemory]:
    """The same as :func:`determine_collisions`, with room for 2,000 objects."""
    return _left_by(scenes, MANY_OBJECTS)


def _left_by(scenes: Sequence[Scene], room: int) -> Sequence[LeftMemory]:
    if isinstance(scenes, SceneBlock):
        _require_safe(scenes, scenes.corners, room)
        return _left(*_with_first(scenes.corners, scenes.order), room)
    alike: dict[tuple[int, int], list[int]] = {}
    for index, scene in enumerate(scenes):
        alike.setdefault((scene.objects, len(scene.order)), []).append(index)
    answers: dict[int, LeftMemory] = {}
    for rows in alike.values():
        some = [scenes[row] for row in rows]
        corners = np.array([scene.corners for scene in some])
        _require_safe(some, corners, room)
        order = np.array([scene.order for scene in some])
        left = _left(*_with_first(corners, order), room)
        answers.update(zip(rows, left, strict=True))
    return [answers[index] for index in range(len(scenes))]


def _require_safe(scenes: Sequence[Scene], corners: NDArray[np.int32], room: int) -> None:
    """Raise what `four_shifts.require_safe` raises for the first scene that is not safe."""
    if corners.shape[1] > room or ((corners < 0) | (corners > (X_LIMIT, Y_LIMIT))).any():
        for scene in scenes:
            require_safe(scene, room)


def _with_first(
    corners: NDArray[np.int32], order: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The corners of all elements of a block's lists, and their order.

    Without objects, the routine files an element that no scene has filled: it is at the origin.
    """
    if corners.shape[1]:
        return corners, order
    return np.zeros((len(corners), 1, 2), np.int32), np.zeros((len(corners), 1), np.int32)


def _left(corners: NDArray[np.int32], order: NDArray[np.int32], room: int) -> LeftBlock:
    """What is left of a block; ``order`` has the objects that are filed, (scenes, filed)."""
    flags = np.zeros((len(corners), room), dtype=np.uint8)
    _flag_overlapping(corners, order, flags)
    return LeftBlock(flags, *_file(corners, order))


def _flag_overlapping(
    corners: NDArray[np.int32], order: NDArray[np.int32], flags: NDArray[np.uint8]
) -> None:
    """Set the flags of objects that overlap another one.

    From left to right, each object is held against the next, then against the one after that, and
    so on. A scene is done when no two that far apart in the row are near each other, or all of its
    objects are flagged.
    """
    spots = corners[..., 0] << _Y_BITS | corners[..., 1]
    row = np.sort(_along(spots, order) << _BITS | order, axis=1)
    objects = row & _OBJECT
    y = ((row >> _BITS) & _COORDINATE).astype(np.int16)
    x = (row >> (_BITS + _Y_BITS)).astype(np.int16)
    scenes = np.arange(len(row))
    is_overlapping = np.zeros(row.shape, dtype=np.bool_)
    for step in range(1, row.shape[1]):
        is_near = x[:, step:] - x[:, :-step] < RECT_SIZE
        is_hit = is_near & (abs(y[:, step:] - y[:, :-step]) < RECT_SIZE)
        is_overlapping[:, step:] |= is_hit
        is_overlapping[:, :-step] |= is_hit
        if step % _STEPS == 1:
            goes_on = is_near.any(axis=1) & ~is_overlapping.all(axis=1)
            flags[scenes[:, np.newaxis], objects] = is_overlapping
            if not goes_on.any():
                return
            scenes, objects, is_overlapping = (
                scenes[goes_on],
                objects[goes_on],
                is_overlapping[goes_on],
            )
            x, y = x[goes_on], y[goes_on]
    flags[scenes[:, np.newaxis], objects] = is_overlapping


def _along(values: NDArray[np.int32], order: NDArray[np.int32]) -> NDArray[np.int32]:
    """The values of objects, of shape (scenes, objects), in the order that they are filed in."""
    first = np.arange(0, values.size, max(1, values.shape[1]), dtype=np.int32)
    along: NDArray[np.int32] = values.ravel()[order + first[:, np.newaxis]]
    return along


def _file(
    corners: NDArray[np.int32], order: NDArray[np.int32]
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The heads and links that the last pass leaves. A new object is filed in front."""
    column, line = ((corners[..., axis] + SHIFTS[-1][axis]) // SECTOR_SIZE for axis in (0, 1))
    places = np.arange(order.shape[1], dtype=np.int32)
    row = np.sort(_along(column * Y_SECTORS + line, order) << _BITS | places, axis=1)
    sectors = row >> _BITS
    objects = _along(order, row & _OBJECT).astype(np.int16)
    # Of two neighbours in a row with one sector, the second is filed in front of the first.
    is_front = np.ones(row.shape, dtype=np.bool_)
    is_front[:, :-1] = sectors[:, 1:] != sectors[:, :-1]
    links = np.full(corners.shape[:2], NULL, dtype=np.int16)
    number = np.arange(len(row))[:, np.newaxis]
    links[number, objects[:, 1:]] = np.where(is_front[:, :-1], NULL, objects[:, :-1])
    heads = np.full((len(row), X_SECTORS * Y_SECTORS), NULL, dtype=np.int16)
    heads[np.broadcast_to(number, row.shape)[is_front], sectors[is_front]] = objects[is_front]
    return heads.reshape(-1, X_SECTORS, Y_SECTORS), links
