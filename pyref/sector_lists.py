"""The lists of a sector grid, and the pairs that they bring together, for many scenes at once.

Each object is filed in front of those that are already in its sector. So a sector's list has its
objects in the reverse order of filing, and every object of a list is paired with each one after
it. NumPy does here for a batch of scenes what the references in Python do object by object.

Objects of a batch are numbered through. Sectors of different scenes have different numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["NULL", "SectorLists", "file_objects"]

NULL = -1  # no object: the end of a list


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
    latest_first = objects[::-1]
    order = np.argsort(sectors[::-1], kind="stable")
    return SectorLists(latest_first[order], sectors[::-1][order])
