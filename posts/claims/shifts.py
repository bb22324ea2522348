"""Counts the pairs that shifted sector grids separate, by trying every case.

On one axis a grid has a phase, the place of a corner within its sector, and a pair has an offset.
A grid *parts* the pair if a sector boundary lies between the two corners. In the plane a pair
shares a sector of a grid if neither axis parts it. Phases 0..S-1 and offsets -(w-1)..w-1 on both
axes are all cases of two squares of side w that overlap, and there are no others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Shift: TypeAlias = tuple[int, int]  # of a grid, in pixels along x and y

FOUR: tuple[Shift, ...] = ((0, 0), (0, 32), (32, 0), (32, 32))


@dataclass(frozen=True, slots=True)
class MissedPairs:
    """The pairs that some shifts of a grid miss.

    Attributes:
        cases: how many phases and offsets were tried.
        missed: in how many of them no shift brings the pair into one sector.
        example: the first missed case as two corners, ((x, y), (x, y)), or None.
    """

    cases: int
    missed: int
    example: tuple[Shift, Shift] | None

    @property
    def share(self) -> float:
        """Missed cases over all cases."""
        return self.missed / self.cases


def count_missed(sector: int, side: int, shifts: Sequence[Shift]) -> MissedPairs:
    """Try every phase and every offset of overlapping squares, on both axes at once.

    Args:
        sector: width of a sector in pixels.
        side: side of the squares in pixels.
        shifts: the shifts of the grid, (x, y) in pixels.

    Working memory is a few times ``(sector * (2 * side - 1)) ** 2`` bytes.
    """
    together = ~_parted(sector, side)
    cases = together.shape[1]
    together_somewhere = np.zeros((cases, cases), dtype=np.bool_)
    for x, y in shifts:
        together_somewhere |= np.logical_and.outer(together[x % sector], together[y % sector])
    missed = cases**2 - int(np.count_nonzero(together_somewhere))
    if not missed:
        return MissedPairs(cases**2, 0, None)
    across, down = divmod(int(np.argmin(together_somewhere)), cases)
    (x, dx), (y, dy) = (_case(index, side) for index in (across, down))
    return MissedPairs(cases**2, missed, ((x, y), (x + dx, y + dy)))


def largest_side(sector: int, shifts: Sequence[Shift], limit: int | None = None) -> int:
    """The largest side, in whole pixels, of squares of which no overlapping pair is missed.

    Args:
        sector: width of a sector in pixels.
        shifts: the shifts of the grid, (x, y) in pixels.
        limit: the largest side that is tried; the sector's width if not given.
    """
    # A pair missed at one side is missed at every larger one, so bisection finds the limit.
    good, bad = 0, (limit or sector) + 1
    while bad - good > 1:
        side = (good + bad) // 2
        if count_missed(sector, side, shifts).missed:
            bad = side
        else:
            good = side
    return good


def sufficient_shifts(sector: int, side: int, count: int) -> int:
    """The number of choices of ``count`` shifts that miss no overlapping pair.

    All integer shifts are searched; the first is (0, 0), since all phases are gone through anyway.
    Each axis is examined by itself: for a choice of shifts on that axis, which sets of grids can
    part a pair at once. A choice for x and a choice for y miss a pair if a set of the first and a
    set of the second together contain all grids. That depends only on the sets that occur.

    Args:
        sector: width of a sector in pixels.
        side: side of the squares in pixels.
        count: how many shifts, 1 to 3.

    Raises:
        ValueError: ``count`` is another number.
    """
    if not 1 <= count <= 3:
        raise ValueError(f"1, 2 or 3 shifts can be searched, not {count}")
    kinds = Counter(_sets_of_grids(sector, side, count).tolist())
    everything = (1 << count) - 1
    return sum(
        kinds[x] * kinds[y]
        for x, y in product(kinds, kinds)
        if not any(a | b == everything for a in _members(x) for b in _members(y))
    )


def _parted(sector: int, side: int) -> NDArray[np.bool_]:
    """Which cases of one axis each shift parts: booleans of shape (sector, phases * offsets)."""
    phases = np.arange(sector)[:, np.newaxis]
    offsets = np.arange(1 - side, side)
    shifts = np.arange(sector)[:, np.newaxis, np.newaxis]
    first, second = (phases + shifts) // sector, (phases + offsets + shifts) // sector
    parted: NDArray[np.bool_] = first != second
    return parted.reshape(sector, -1)


def _case(index: int, side: int) -> tuple[int, int]:
    """The phase and the offset of a case."""
    phase, place = divmod(index, 2 * side - 1)
    return phase, place + 1 - side


def _sets_of_grids(sector: int, side: int, count: int) -> NDArray[np.int64]:
    """For each choice of shifts, the sets of grids that part some case of one axis.

    Bit m of a result is set if some case is parted by exactly the grids whose bits are set in m.
    """
    parted = _parted(sector, side).astype(np.uint8)
    sets = []
    for chosen in product(range(sector), repeat=max(0, count - 2)):
        masks = parted[0]
        for place, shift in enumerate(chosen, start=1):
            masks = masks | parted[shift] << place
        # All values of the last shift are tried at once.
        several = masks | parted << (count - 1) if count > 1 else masks[np.newaxis]
        sets.append(np.bitwise_or.reduce(np.uint8(1) << several, axis=1))
    return np.concatenate(sets).astype(np.int64)


def _members(bits: int) -> list[int]:
    return [mask for mask in range(bits.bit_length()) if bits >> mask & 1]
