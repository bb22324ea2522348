"""Morton codes: two coordinates in one integer, bit by bit, and the cells round a cell.

A code of 16 bits names one of 256 x 256 cells, a code of 32 bits one of 65,536 x 65,536. The bits
of x are the even ones (mask 0x5555), the bits of y the odd ones (0xaaaa); y grows downwards, so
the cell above has the smaller y. Sorted by code, cells come in the order in which a quadtree is
walked depth first.

A neighbour can be found in two ways that share no code:

* :func:`neighbours` splits the code into coordinates, adds or subtracts 1, and joins them again.
  It is easily seen to be right, so everything else is checked against it.
* :func:`step_x` and :func:`step_y` add and subtract *dilated integers*: numbers whose bits lie
  apart as they do in the code. Before an addition the gaps are filled with ones, so that carries
  run across them; before a subtraction with zeros, so that borrows do. (Günther Schrack, "Finding
  neighbors of equal size in linear quadtrees and octrees in constant time", 1992.)

All functions take arrays and work element by element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Codes: TypeAlias = NDArray[np.int64]
"""Codes as signed 64-bit integers, which hold every code of 32 bits without overflow."""

SLOTS = (
    "top_left",
    "top",
    "top_right",
    "left",
    "right",
    "bottom_left",
    "bottom",
    "bottom_right",
)
"""The eight neighbours in the order in which they are listed and searched."""

OFFSETS = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""For each of `SLOTS` the step in x and in y, in cells."""


@dataclass(frozen=True, slots=True)
class CodeSize:
    """The width of a code.

    Attributes:
        bits: the number of bits, even and up to 32; each coordinate has half of them.
    """

    bits: int

    @property
    def mask(self) -> int:
        """All bits of a code."""
        return (1 << self.bits) - 1

    @property
    def mask_x(self) -> int:
        """The bits that hold x; also the dilated form of the largest x, which is that of -1."""
        return self.mask // 3

    @property
    def mask_y(self) -> int:
        """The bits that hold y."""
        return self.mask_x << 1

    @property
    def cells(self) -> int:
        """How many cells there are on each axis."""
        return 1 << self.bits // 2


NARROW, WIDE = CodeSize(16), CodeSize(32)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """The eight neighbours of each of some cells.

    Attributes:
        codes: int64 of shape ``(n, 8)``, a column for each of `SLOTS`. A neighbour that does not
            exist is given as the cell itself.
        exists: bool of shape ``(n, 8)``; all true on a torus.
    """

    codes: Codes
    exists: NDArray[np.bool_]

    @property
    def existing(self) -> NDArray[np.uint8]:
        """``exists`` as one byte for each cell, shape ``(n,)``; bit s stands for slot s."""
        return np.packbits(self.exists, axis=-1, bitorder="little")[..., 0]


def encode(x: ArrayLike, y: ArrayLike, size: CodeSize = NARROW) -> Codes:
    """The codes of cells.

    Args:
        x: columns, integers of any shape, 0 to ``size.cells`` less one.
        y: rows, likewise.
        size: the width of a code.

    Raises:
        ValueError: a coordinate lies outside, or is not an integer.
    """
    spread = [_spread(_checked(c, size.cells, name), size) for c, name in ((x, "x"), (y, "y"))]
    return spread[0] | spread[1] << 1


def decode(codes: ArrayLike, size: CodeSize = NARROW) -> tuple[Codes, Codes]:
    """The columns and the rows of cells, in the shape of ``codes``.

    Raises:
        ValueError: a code is negative, too wide, or not an integer.
    """
    checked = _checked(codes, size.mask + 1, "code")
    return _gather(checked, size), _gather(checked >> 1, size)


def neighbours(codes: ArrayLike, size: CodeSize = NARROW, *, toroidal: bool = True) -> Neighbours:
    """The eight cells round each cell, found through coordinates.

    Args:
        codes: cells, integers of shape ``(n,)``.
        size: the width of a code.
        toroidal: whether the last column (row) is followed by the first. If not, a cell on the
            border has fewer neighbours.

    Raises:
        ValueError: a code is negative, too wide, or not an integer.
    """
    own = _checked(codes, size.mask + 1, "code")
    columns, rows = decode(own, size)
    steps = np.array(OFFSETS)
    x, y = columns[:, np.newaxis] + steps[:, 0], rows[:, np.newaxis] + steps[:, 1]
    inside = (x >= 0) & (x < size.cells) & (y >= 0) & (y < size.cells)
    encoded = encode(x % size.cells, y % size.cells, size)
    if toroidal:
        return Neighbours(encoded, np.ones_like(inside))
    return Neighbours(np.where(inside, encoded, own[:, np.newaxis]), inside)


def neighbours_by_steps(codes: ArrayLike, size: CodeSize = NARROW) -> Codes:
    """The eight cells round each cell of a torus, found by dilated arithmetic; shape ``(n, 8)``.

    Raises:
        ValueError: a code is negative, too wide, or not an integer.
    """
    own = _checked(codes, size.mask + 1, "code")
    columns = [step_x(step_y(own, dy, size), dx, size) for dx, dy in OFFSETS]
    return np.stack(columns, axis=-1)


def step_x(codes: Codes, cells: int, size: CodeSize = NARROW) -> Codes:
    """The cells one to the right (``cells`` = 1) or to the left (-1), or the same (0)."""
    return _step(codes, cells, size.mask_x, size.mask_y, 1)


def step_y(codes: Codes, cells: int, size: CodeSize = NARROW) -> Codes:
    """The cells one below (``cells`` = 1) or above (-1), or the same (0)."""
    return _step(codes, cells, size.mask_y, size.mask_x, 2)


def _step(codes: Codes, cells: int, own: int, other: int, unit: int) -> Codes:
    """Add ``cells`` to the coordinate under the mask ``own``; its dilated 1 is ``unit``."""
    moved = codes & own
    if cells > 0:
        moved = (codes | other) + unit  # ones in the gaps pass a carry on
    elif cells < 0:
        moved = (codes & own) - unit  # zeros in the gaps pass a borrow on
    return moved & own | codes & other


def _spread(numbers: Codes, size: CodeSize) -> Codes:
    """Move bit i of each number to bit 2i."""
    spread = np.zeros_like(numbers)
    for bit in range(size.bits // 2):
        spread |= (numbers >> bit & 1) << 2 * bit
    return spread


def _gather(codes: Codes, size: CodeSize) -> Codes:
    """Move bit 2i of each code to bit i, and drop the others."""
    gathered = np.zeros_like(codes)
    for bit in range(size.bits // 2):
        gathered |= (codes >> 2 * bit & 1) << bit
    return gathered


def _checked(numbers: ArrayLike, limit: int, what: str) -> Codes:
    array = np.asarray(numbers)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"a {what} is an integer, not {array.dtype}")
    if array.min() < 0 or array.max() >= limit:
        raise ValueError(f"{what} {array.min()}..{array.max()} is outside 0..{limit - 1}")
    return array.astype(np.int64)
