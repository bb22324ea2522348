"""Pixels of any depth, as records and resources hold them, turned into those that are drawn with.

What is drawn with has one byte for each pixel: the number of one of the standard colours.
Source: Inside Macintosh: Imaging With QuickDraw, chapter 4 (PixMap records and colour tables).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw import BitMap, Rectangle
from emu.toolbox.managers.quickdraw.inks import Inks
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable

Pixels = NDArray[np.uint8]

_DEVICE_TABLE = 0x8000
"""Of ctFlags: the place of an entry is its pixel value, and its field value means nothing."""


def table_size(data: bytes) -> int:
    """The bytes of the colour table that some data begin with."""
    return ColorTable.size + 8 * (ColorTable.ctSize.of(data.ljust(ColorTable.size, b"\0")) + 1)


def indices(rows: Pixels, depth: int) -> Pixels:
    """The pixel values of 1, 2, 4 or 8 bits in rows of bytes.

    Args:
        rows: two-dimensional, uint8.
        depth: the bits of each pixel.
    """
    if depth == 8:
        return rows
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    parts = (rows[:, :, None] >> shifts) & np.uint8((1 << depth) - 1)
    return parts.reshape(rows.shape[0], -1)


def standard_values(table: bytes, inks: Inks) -> Pixels:
    """For each pixel value the number of the nearest standard colour, by a colour table's record.

    A value without an entry becomes white.

    Args:
        table: the bytes of a ColorTable.
        inks: knows the standard colours.
    """
    values = np.zeros(256, np.uint8)
    count = min(ColorTable.ctSize.of(table) + 1, (len(table) - ColorTable.size) // ColorSpec.size)
    if count < 1:
        return values
    entries = np.frombuffer(table, ">u2", count * 4, ColorTable.size).reshape(count, 4)
    by_place = ColorTable.ctFlags.of(table) & _DEVICE_TABLE
    places = np.arange(count) if by_place else entries[:, 0]
    values[places & 255] = inks.nearest(entries[:, 1:] >> 8)
    return values


def nearest_entries(table: bytes, colors: NDArray[Any]) -> Pixels:
    """For each colour the value of the nearest entry of a colour table.

    Args:
        table: the bytes of a ColorTable with up to 256 entries.
        colors: red, green and blue, 0 to 255, along the last axis of two.
    """
    count = ColorTable.ctSize.of(table) + 1
    entries = np.frombuffer(table, ">u2", count * 4, ColorTable.size).reshape(count, 4)
    by_place = ColorTable.ctFlags.of(table) & _DEVICE_TABLE
    values = (np.arange(count) if by_place else entries[:, 0]).astype(np.uint8)
    known = (entries[:, 1:] >> 8).astype(np.int32)
    found = [
        ((part[:, None, :].astype(np.int32) - known) ** 2).sum(axis=2).argmin(axis=1)
        for part in np.array_split(colors, len(colors) // 1024 + 1)
    ]
    nearest: Pixels = values[np.concatenate(found)]
    return nearest


def direct_values(rows: Pixels, depth: int, inks: Inks) -> Pixels:
    """The numbers of the standard colours nearest to pixels of 16 or 32 bits in rows of bytes.

    A pixel of 16 bits has five for each of red, green and blue; one of 32 has a byte that is not
    used, then one for each.
    """
    if depth == 16:
        words = np.ascontiguousarray(rows).view(">u2")
        parts = np.stack([words >> shift & 31 for shift in (10, 5, 0)], axis=-1)
        return inks.nearest(parts << 3 | parts >> 2)
    return inks.nearest(rows.reshape(rows.shape[0], -1, 4)[:, :, 1:])


def as_bitmap(
    data: bytes, row_bytes: int, bounds: Rectangle, depth: int, table: bytes, inks: Inks
) -> BitMap:
    """A copy of pixels of any depth, with one byte for each.

    Args:
        data: the rows; missing bytes count as 0.
        row_bytes: bytes from one row to the next.
        bounds: the pixels' coordinates.
        depth: 1, 2, 4, 8, 16 or 32.
        table: the bytes of their ColorTable; not used for pixels of 16 and 32 bits.
        inks: knows the standard colours.

    Raises:
        UsageError: the rows are too short, or there is no such depth.
    """
    if depth not in (1, 2, 4, 8, 16, 32):
        raise UsageError(f"a pixel map of {depth} bits per pixel")
    if bounds.width * depth > row_bytes * 8:
        raise UsageError(f"a pixel map {bounds.width} pixels wide with rows of {row_bytes} bytes")
    row_bytes -= row_bytes % max(depth // 8, 1)
    size = row_bytes * bounds.height
    rows = np.frombuffer(data[:size].ljust(size, b"\0"), np.uint8).reshape(-1, row_bytes or 1)
    if depth > 8:
        values = direct_values(rows, depth, inks)
    else:
        values = standard_values(table, inks)[indices(rows, depth)]
    pixels = np.ascontiguousarray(values[:, : bounds.width])
    return BitMap(pixels.reshape(-1), bounds.width, bounds, 8)
