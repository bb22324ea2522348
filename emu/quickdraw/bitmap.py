"""Bit maps and 8-bit pixel maps: pixels in guest memory, addressed by QuickDraw coordinates.

All drawing works on *cells*, the bytes of a rectangle's rows. A cell of a bit map holds eight
pixels, the leftmost in the highest bit; a cell of a pixel map holds one pixel. A *stencil* tells
which pixels may change: it is an array with a byte for each cell, in which every bit that may
change is 1. So the same operations on bytes work for both depths.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw.rectangle import Rectangle

Cells = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def bytes_in_row(width: int, depth: int) -> int:
    """How many bytes a row of pixels takes, rounded up to whole long words as on the screen.

    Args:
        width: the pixels in the row.
        depth: the bits of each pixel.
    """
    return -(-width * depth // 32) * 4


class BitMap:
    """A view of pixels in guest memory; writing to it changes the guest's bytes at once.

    Args:
        memory: the bytes from the base address on, one-dimensional and writable; bytes after the
            last row stay unchanged.
        row_bytes: bytes from the start of one row to the start of the next (without the flag
            bits that a PixMap keeps in the same field).
        bounds: the coordinates of the pixels: the first pixel of the first row lies at
            (bounds.left, bounds.top).
        depth: bits a pixel takes, 1 or 8. In a bit map 1 is black; in a pixel map 255 is black
            and 0 is white.

    Raises:
        UsageError: the memory is too short for the rows, the rows are too short for the bounds, or
            the depth is neither 1 nor 8.
    """

    __slots__ = ("bounds", "depth", "grid", "row_bytes")

    def __init__(self, memory: Cells, row_bytes: int, bounds: Rectangle, depth: int = 1) -> None:
        if depth not in (1, 8):
            raise UsageError(f"a bit map of {depth} bits per pixel: only 1 and 8 are drawn")
        if row_bytes < 0 or bounds.width * depth > row_bytes * 8:
            raise UsageError(f"a bit map {bounds.width} pixels wide with rows of {row_bytes} bytes")
        size = bounds.height * row_bytes
        if memory.size < size:
            raise UsageError(f"a bit map needs {size} bytes and its memory has {memory.size}")
        self.row_bytes = row_bytes
        self.bounds = bounds
        self.depth = depth
        self.grid: Cells = memory[:size].reshape(bounds.height, row_bytes)

    def moved_to(self, bounds: Rectangle) -> BitMap:
        """The same pixels with other coordinates; ``bounds`` may not be larger than the old."""
        return BitMap(self.grid.reshape(-1), self.row_bytes, bounds, self.depth)

    def _must_hold(self, r: Rectangle) -> None:
        if not self.bounds.encloses(r):
            raise UsageError(f"{r} is not inside the bit map's bounds {self.bounds}")

    def pixels(self, r: Rectangle) -> NDArray[np.uint8]:
        """A copy of the pixels of a rectangle: rows of 0 and 1, or of indices in 8 bits.

        Raises:
            UsageError: the rectangle reaches outside the bounds.
        """
        self._must_hold(r)
        if r.empty:
            return np.zeros((r.height, r.width), np.uint8)
        cells = self.cells(r.top, r.left, r.bottom, r.right)
        return cells.copy() if self.depth == 8 else self.unpack(cells, r.left, r.width)

    def put(self, r: Rectangle, pixels: NDArray[np.uint8]) -> None:
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
        if self.depth == 8:
            cells[:] = pixels
        else:
            cells ^= (cells ^ self.pack(pixels, r.left)) & self.edges(r.left, r.right)

    # The drawing modules use the methods below. All coordinates must lie inside the bounds.

    def cells(self, top: int, left: int, bottom: int, right: int) -> Cells:
        """A view of the bytes that hold the pixels of a rectangle, which may not be empty."""
        bounds = self.bounds
        top, bottom = top - bounds.top, bottom - bounds.top
        left, right = left - bounds.left, right - bounds.left
        if self.depth == 1:
            left, right = left >> 3, (right + 7) >> 3
        return self.grid[top:bottom, left:right]

    def edges(self, left: int, right: int) -> Cells | int:
        """The stencil of a row in which only the pixels left <= h < right may change."""
        if self.depth == 8:
            return 255
        left, right = left - self.bounds.left, right - self.bounds.left
        first, last = 255 >> (left & 7), 255 & (255 << (-right & 7))
        inner = ((right + 7) >> 3) - (left >> 3) - 2
        if inner < 0:
            return first & last
        if first & last == 255:
            return 255
        return np.frombuffer(
            first.to_bytes(1, "big") + b"\xff" * inner + last.to_bytes(1, "big"), np.uint8
        )

    def pack(self, pixels: NDArray[np.uint8] | Mask, left: int) -> Cells:
        """Convert rows of truth values, which begin at the coordinate ``left``, to cells."""
        if self.depth == 8:
            return np.where(pixels, np.uint8(255), np.uint8(0))
        lead = (left - self.bounds.left) & 7
        if lead:
            height, width = pixels.shape
            shifted = np.zeros((height, lead + width), pixels.dtype)
            shifted[:, lead:] = pixels
            pixels = shifted
        return np.packbits(pixels, axis=1)

    def unpack(self, cells: Cells, left: int, width: int) -> NDArray[np.uint8]:
        """Convert cells of a bit map to pixels, 0 and 1, from the coordinate ``left`` on."""
        lead = (left - self.bounds.left) & 7
        return np.unpackbits(cells, axis=1, count=lead + width)[:, lead:]
