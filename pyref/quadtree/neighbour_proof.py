"""The neighbours of cells, said so that it is true of codes that are not known, too.

`pyref.quadtree.neighbour_search` says the same with arrays of NumPy, which hold numbers alone. Here
is nothing but the arithmetic of whole numbers, so that ``macproof prove`` can compute with all
codes at once: a code is taken apart, bit by bit, and put together again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from pyref.quadtree.morton import NARROW, OFFSETS, WIDE, CodeSize
from pyref.quadtree.neighbour_search import Cells

Rows: TypeAlias = list[list[Any]]
"""A row of eight codes for each cell."""


@dataclass(frozen=True, slots=True)
class ProvedAnswer:
    """The right neighbours of cells, as `pyref.quadtree.neighbour_search.RightAnswer` has them."""

    toroidal: Rows
    wide_toroidal: Rows
    bounded: Rows
    wide_bounded: Rows
    existing: list[Any]
    wide_existing: list[Any]


def find_neighbours(cells: Cells) -> ProvedAnswer:
    """The neighbours of each cell, on a torus and on a plane with a border."""
    narrow = [_neighbours(code, NARROW) for code in cells.codes.tolist()]
    wide = [_neighbours(code, WIDE) for code in cells.wide_codes.tolist()]
    return ProvedAnswer(
        toroidal=[toroidal for toroidal, _, _ in narrow],
        wide_toroidal=[toroidal for toroidal, _, _ in wide],
        bounded=[bounded for _, bounded, _ in narrow],
        wide_bounded=[bounded for _, bounded, _ in wide],
        existing=[existing for _, _, existing in narrow],
        wide_existing=[existing for _, _, existing in wide],
    )


def _neighbours(code: Any, size: CodeSize) -> tuple[list[Any], list[Any], Any]:
    """On a torus, on a plane, and which of them there are on a plane, a bit for each."""
    column, row = _gathered(code, size), _gathered(code >> 1, size)
    last = size.cells - 1
    toroidal, bounded, existing = [], [], 0
    for slot, (right, down) in enumerate(OFFSETS):
        x, y = column + right, row + down
        is_inside = (x >= 0) & (x <= last) & (y >= 0) & (y <= last)
        other = _spread(x & last, size) | _spread(y & last, size) << 1
        toroidal.append(other)
        bounded.append(code ^ (-is_inside & (code ^ other)))  # the cell itself if there is none
        existing = existing | is_inside << slot
    return toroidal, bounded, existing


def _spread(number: Any, size: CodeSize) -> Any:
    """Bit i moved to bit 2i."""
    return sum((number >> bit & 1) << 2 * bit for bit in range(size.bits // 2))


def _gathered(code: Any, size: CodeSize) -> Any:
    """Bit 2i moved to bit i, and the others dropped."""
    return sum((code >> 2 * bit & 1) << bit for bit in range(size.bits // 2))
