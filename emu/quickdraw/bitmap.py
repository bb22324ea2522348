"""Bit maps and pixel maps: pixels in guest memory, addressed by QuickDraw coordinates.

All drawing works on *cells*: the bytes of a rectangle's rows, or its words and long words if pixels
have 16 and 32 bits. A byte holds eight pixels of 1 bit, four of 2, two of 4 or one of 8, the
leftmost in the highest bits. A *stencil* tells which pixels may change: it is an array of cells in
which every bit that may change is 1. So the same operations on bits work for all depths.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw.color_space import ColorSpace, Pixels, standard_space
from emu.quickdraw.rectangle import Rectangle

DEPTHS = (1, 2, 4, 8, 16, 32)
"""The bits a pixel may have."""

FULL = {1: 0xFF, 2: 0xFF, 4: 0xFF, 8: 0xFF, 16: 0x7FFF, 32: 0xFFFFFF}
"""A cell in which all bits are 1 that pixels of a depth use: direct ones leave their highest."""

Cells = NDArray[Any]
Mask = NDArray[np.bool_]


def bytes_in_row(width: int, depth: int) -> int:
    """How many bytes a row of pixels takes, rounded up to whole long words as on the screen.

    Args:
        width: the pixels in the row.
        depth: the bits of each pixel.
    """
    return -(-width * depth // 32) * 4


_IN_BYTE = {1: 8, 2: 4, 4: 2, 8: 1, 16: 1, 32: 1}
_CELL_TYPES: dict[int, Any] = {8: np.dtype("u1"), 16: np.dtype(">u2"), 32: np.dtype(">u4")}


class PixelView:
    """A view of pixels in guest memory; writing to it changes the guest's bytes at once.

    Attributes:
        grid: the rows of cells.
        full: a cell in which all bits are 1 that pixels use.
        space: what the pixel values mean.

    Args:
        memory: the bytes from the base address on, one-dimensional and writable; bytes after the
            last row stay unchanged.
        row_bytes: bytes from the start of one row to the start of the next (without the flag
            bits that a PixMap keeps in the same field).
        bounds: the coordinates of the pixels: the first pixel of the first row lies at
            (bounds.left, bounds.top).
        depth: bits a pixel takes: 1, 2, 4, 8, 16 or 32.
        space: what the pixel values mean; None means the standard colours of the depth. There the
            highest value of 1 to 8 bits is black, and 0 is white.
        before_access: called with each view of cells that is about to be read or changed.

    Raises:
        UsageError: the memory is too short for the rows, the rows are too short for the bounds, or
            there is no such depth.
    """

    __slots__ = (
        "_before_access",
        "_in_byte",
        "bounds",
        "depth",
        "full",
        "grid",
        "row_bytes",
        "space",
    )

    def __init__(
        self,
        memory: NDArray[np.uint8],
        row_bytes: int,
        bounds: Rectangle,
        depth: int = 1,
        space: ColorSpace | None = None,
        before_access: Callable[[Cells], object] | None = None,
    ) -> None:
        if depth not in DEPTHS:
            raise UsageError(f"a bit map of {depth} bits per pixel; there may be {DEPTHS}")
        if row_bytes < 0 or bounds.width * depth > row_bytes * 8:
            raise UsageError(f"a bit map {bounds.width} pixels wide with rows of {row_bytes} bytes")
        size = bounds.height * row_bytes
        if memory.size < size:
            raise UsageError(f"a bit map needs {size} bytes and its memory has {memory.size}")
        self.row_bytes = row_bytes
        self.bounds = bounds
        self.depth = depth
        self.space = standard_space(depth) if space is None else space
        self.full = FULL[depth]
        self._in_byte = _IN_BYTE[depth]
        self._before_access = before_access
        rows = memory[:size].reshape(bounds.height, row_bytes)
        self.grid: Cells = rows
        if depth > 8:
            whole = row_bytes - row_bytes % (depth // 8)
            self.grid = rows[:, :whole].view(_CELL_TYPES[depth])

    def moved_to(self, bounds: Rectangle) -> PixelView:
        """The same pixels with other coordinates; ``bounds`` may not be larger than the old."""
        moved: PixelView = copy(self)
        if bounds.width > self.bounds.width or bounds.height > self.bounds.height:
            raise UsageError(f"{bounds} is larger than the bit map's bounds {self.bounds}")
        moved.bounds = bounds
        return moved

    def _must_hold(self, r: Rectangle) -> None:
        if not self.bounds.encloses(r):
            raise UsageError(f"{r} is not inside the bit map's bounds {self.bounds}")

    def pixels(self, r: Rectangle) -> Pixels:
        """A copy of the pixels of a rectangle: rows of 0 and 1, of indices, or of direct pixels.

        Raises:
            UsageError: the rectangle reaches outside the bounds.
        """
        self._must_hold(r)
        if r.empty:
            return np.zeros((r.height, r.width), np.uint8)
        cells = self.cells(r.top, r.left, r.bottom, r.right)
        return self.unpack(cells, r.left, r.width) if self.depth < 8 else cells.copy()

    def put(self, r: Rectangle, pixels: Pixels) -> None:
        """Set the pixels of a rectangle; in a bit map every value but 0 means 1.

        Raises:
            UsageError: the rectangle reaches outside the bounds, or does not have the array's
                shape.
        """
        self._must_hold(r)
        if pixels.shape != (r.height, r.width):
            raise UsageError(f"pixels of shape {pixels.shape} do not fill {r}")
        if r.empty:
            return
        cells = self.cells(r.top, r.left, r.bottom, r.right)
        if self.depth >= 8:
            cells[:] = pixels
        else:
            cells ^= (cells ^ self.pack_pixels(pixels, r.left)) & self.edges(r.left, r.right)

    # The drawing modules use the methods below. All coordinates must lie inside the bounds.

    def cells(self, top: int, left: int, bottom: int, right: int) -> Cells:
        """A view of the cells that hold the pixels of a rectangle, which may not be empty."""
        bounds = self.bounds
        top, bottom = top - bounds.top, bottom - bounds.top
        left, right = left - bounds.left, right - bounds.left
        if self.depth < 8:
            left, right = left * self.depth >> 3, (right * self.depth + 7) >> 3
        cells = self.grid[top:bottom, left:right]
        if self._before_access is not None:
            self._before_access(cells)
        return cells

    def edges(self, left: int, right: int) -> Cells | int:
        """The stencil of a row in which only the pixels left <= h < right may change."""
        depth = self.depth
        if depth >= 8:
            return self.full
        left, right = (left - self.bounds.left) * depth, (right - self.bounds.left) * depth
        first, last = 255 >> (left & 7), 255 & (255 << (-right & 7))
        inner = ((right + 7) >> 3) - (left >> 3) - 2
        if inner < 0:
            return first & last
        if first & last == 255:
            return 255
        return np.frombuffer(
            first.to_bytes(1, "big") + b"\xff" * inner + last.to_bytes(1, "big"), np.uint8
        )

    def pack(self, mask: NDArray[np.uint8] | Mask, left: int) -> Cells:
        """Convert rows of truth values to cells, in which true pixels have all bits.

        Args:
            mask: the rows.
            left: the coordinate of the first column.
        """
        if self.depth == 1:
            return np.packbits(self._aligned(mask, left), axis=1)
        if self.depth >= 8:
            cell = _CELL_TYPES[self.depth].type
            return np.asarray(np.where(mask, cell(self.full), cell(0)))
        return np.packbits(np.repeat(self._aligned(mask, left), self.depth, axis=1), axis=1)

    def pack_pixels(self, pixels: Pixels, left: int) -> Cells:
        """Convert rows of pixel values, which begin at the coordinate ``left``, to cells."""
        if self.depth == 1:
            return np.packbits(self._aligned(pixels, left), axis=1)
        if self.depth >= 8:
            return pixels
        wide = self._aligned(pixels, left).astype(np.uint8, copy=False)
        cells = np.zeros((wide.shape[0], -(-wide.shape[1] // self._in_byte)), np.uint8)
        for place in range(self._in_byte):
            column = wide[:, place :: self._in_byte] << np.uint8(8 - self.depth * (place + 1))
            cells[:, : column.shape[1]] |= column
        return cells

    def _aligned(self, pixels: Pixels, left: int) -> Pixels:
        """Rows with columns of 0 before them, so that they begin where a byte does."""
        lead = (left - self.bounds.left) % self._in_byte
        if not lead:
            return pixels
        height, width = pixels.shape
        shifted = np.zeros((height, lead + width), pixels.dtype)
        shifted[:, lead:] = pixels
        return shifted

    def unpack(self, cells: Cells, left: int, width: int) -> NDArray[np.uint8]:
        """Convert cells of less than 8 bits a pixel to pixels, from the coordinate ``left`` on."""
        lead = (left - self.bounds.left) % self._in_byte
        if self.depth == 1:
            return np.unpackbits(cells, axis=1, count=lead + width)[:, lead:]
        shifts = np.arange(8 - self.depth, -1, -self.depth, dtype=np.uint8)
        parts = (cells[:, :, None] >> shifts) & np.uint8((1 << self.depth) - 1)
        return parts.reshape(cells.shape[0], -1)[:, lead : lead + width]
