"""The lists of a sector grid, and the pairs that they bring together, for many scenes at once.

Each object is filed in front of those that are already in its sector. So a sector's list has its
objects in the reverse order of filing, and every object of a list is paired with each one after
it. NumPy does here for a batch of scenes what the references in Python do object by object.

Objects of a batch are numbered through. Sectors of different scenes have different numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from pyref.scene import RECT_SIZE, Scene

NULL = -1  # no object: the end of a list
_MOST_PAIRS = 300_000  # at once, so that arrays of them stay in the processor's cache


class _Objects(Protocol):
    @property
    def objects(self) -> int: ...


_Scene = TypeVar("_Scene", bound=_Objects)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Scenes whose objects are numbered through.

    Attributes:
        corners: int64 of shape ``(objects, 2)``.
        order: int64 of shape ``(filed,)``: the objects in the order in which they are filed.
        scene: int64 of shape ``(objects,)``: the scene of each object.
        starts: int64 of shape ``(scenes + 1,)``: the first object of each scene, and the end.
        scenes: the scenes.
    """

    corners: NDArray[np.int64]
    order: NDArray[np.int64]
    scene: NDArray[np.int64]
    starts: NDArray[np.int64]
    scenes: Sequence[Scene]

    @property
    def within(self) -> NDArray[np.int64]:
        """The number of each object within its scene; int64 of shape ``(objects,)``."""
        return np.arange(len(self.scene)) - self.starts[self.scene]

    @classmethod
    def of(cls, scenes: Sequence[Scene]) -> Batch:
        """Number the objects of scenes."""
        counts = np.array([scene.objects for scene in scenes])
        starts = np.append(0, np.cumsum(counts))
        orders = [start + scene.order for scene, start in zip(scenes, starts, strict=False)]
        return cls(
            np.concatenate([scene.corners for scene in scenes]).astype(np.int64),
            np.concatenate(orders).astype(np.int64),
            np.repeat(np.arange(len(scenes)), counts),
            starts,
            scenes,
        )


def batches_of(scenes: Sequence[Scene]) -> Iterator[Batch]:
    """Divide scenes into batches that have few enough pairs of objects."""
    return (Batch.of(few) for few in few_pairs(scenes))


def few_pairs(scenes: Sequence[_Scene]) -> Iterator[list[_Scene]]:
    """Divide scenes into parts that have few enough pairs of objects to be worked on at once."""
    taken: list[_Scene] = []
    pairs = 0
    for scene in scenes:
        more = scene.objects**2 // 2
        if taken and pairs + more > _MOST_PAIRS:
            yield taken
            taken, pairs = [], 0
        taken.append(scene)
        pairs += more
    if taken:
        yield taken


def runs(starts: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Runs of numbers one after the other: from each start on, as many as its size."""
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(sizes.sum())


def split_pairs(
    batch: Batch, first: NDArray[np.int64], second: NDArray[np.int64]
) -> list[NDArray[np.int16]]:
    """Divide pairs of objects by their scenes, and number the objects within their scene.

    Args:
        batch: the scenes.
        first: the first objects of the pairs, of shape ``(pairs,)``.
        second: the second objects, likewise.

    Returns:
        For each scene its pairs in the same order, int16 of shape ``(its pairs, 2)``.
    """
    scene = batch.scene[first]
    by_scene = np.argsort(scene, kind="stable")
    within = np.stack([first, second], axis=1) - batch.starts[scene, np.newaxis]
    ends = np.cumsum(np.bincount(scene, minlength=len(batch.scenes)))
    return np.split(within[by_scene].astype(np.int16), ends[:-1])


@dataclass(frozen=True, slots=True, eq=False)
class SectorLists:
    """The lists of all sectors that have objects.

    Attributes:
        objects: int64 of shape ``(filed,)``: sector after sector, and in each the list's order.
        sectors: int64 of shape ``(filed,)``: the sector of each of them.
    """

    objects: NDArray[np.int64]
    sectors: NDArray[np.int64]

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Which list each of `objects` is on, counted from 0; int64, ``(filed,)``."""
        begins = np.append(False, self.sectors[1:] != self.sectors[:-1])[: len(self.sectors)]
        return np.cumsum(begins)

    def left(self, batch: Batch, sectors: int, links: NDArray[np.int16]) -> NDArray[np.int16]:
        """What routines that file objects so leave in memory, with numbers within their scene.

        Args:
            batch: the scenes.
            sectors: the number of sectors of a scene.
            links: the links of all objects, of shape ``(objects,)``; those of filed objects are set
                to what follows each on its list, or -1.

        Returns:
            The first object of each sector's list, or -1; int16 of shape ``(scenes, sectors)``.
        """
        within = batch.within[self.objects].astype(np.int16)
        heads = np.full(len(batch.scenes) * sectors, NULL, dtype=np.int16)
        heads[self.sectors[::-1]] = within[::-1]  # the first of each list is written last
        links[self.objects] = NULL
        is_followed = self.sectors[:-1] == self.sectors[1:]
        links[self.objects[:-1][is_followed]] = within[1:][is_followed]
        return heads.reshape(-1, sectors)

    @property
    def followers(self) -> NDArray[np.int32]:
        """How many objects come after each of `objects` on its list; int32, ``(filed,)``."""
        is_last = np.append(self.sectors[:-1] != self.sectors[1:], len(self.objects) > 0)
        ends = 1 + np.flatnonzero(is_last).astype(np.int32)
        place = np.arange(len(self.objects), dtype=np.int32)
        return np.repeat(ends, np.diff(ends, prepend=0)) - place - 1

    def pairs(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Every object of a list with each one after it, in the order in which lists are walked.

        Returns:
            The first and the second of each pair, as places in `objects`; int32 of shape
            ``(pairs,)`` each.
        """
        place, after = np.arange(len(self.objects), dtype=np.int32), self.followers
        first = np.repeat(place, after)
        # Pairs are numbered through; those of one first object are a run. From its place and the
        # number of pairs before its run follows the second object of each of them.
        before = np.cumsum(after, dtype=np.int32) - after
        second = np.arange(len(first), dtype=np.int32) + np.repeat(place + 1 - before, after)
        return first, second


def file_objects(objects: NDArray[np.int64], sectors: NDArray[np.int64]) -> SectorLists:
    """File objects under their sectors.

    Args:
        objects: the objects in the order in which they are filed, of shape ``(filed,)``.
        sectors: the sector of each of them; sectors are visited in ascending order.
    """
    latest_first, filed_under = objects[::-1], sectors[::-1]
    # Numbers of 16 bits, as there mostly are, are sorted much faster.
    order = np.argsort(
        filed_under.astype(np.min_scalar_type(sectors.max(initial=0))), kind="stable"
    )
    return SectorLists(latest_first[order], filed_under[order])


def overlapping_pairs(
    batch: Batch, objects: NDArray[np.int64], first: NDArray[Any], second: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Those of some pairs whose objects overlap; edges that only touch do not count.

    Args:
        batch: the scenes.
        objects: the objects that pairs are places in, of shape ``(filed,)``.
        first: the place of the first object of each pair, of shape ``(pairs,)``.
        second: the place of the second object, likewise.

    Returns:
        The first and the second objects of the pairs that overlap, in the same order.
    """
    x, y = np.ascontiguousarray(batch.corners[objects].T)
    is_hit = (abs(x[first] - x[second]) < RECT_SIZE) & (abs(y[first] - y[second]) < RECT_SIZE)
    return objects[first[is_hit]], objects[second[is_hit]]
