"""Pixels of any depth and their colour tables, as records and resources hold them.

Source: Inside Macintosh: Imaging With QuickDraw, chapter 4 (PixMap records and colour tables).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import ColorSpace, Palette, PixelView, Rectangle, standard_space
from emu.quickdraw.color_space import palette_space
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable, PixMap

_DEVICE_TABLE = 0x8000
"""Of ctFlags: the place of an entry is its pixel value, and its field value means nothing."""

_RESOLUTION = 0x00480000
"""72 dots an inch, as a Fixed."""

_DIRECT_PIXELS = 16
"""What pixelType says of pixels that hold their colours."""


def pixel_map(base: int, row_bytes: int, bounds: Rectangle, depth: int, table: int) -> bytes:
    """A PixMap record (Inside Macintosh V, p. V-52; Imaging With QuickDraw, chapter 4)."""
    record = PixMap.copied()
    record.baseAddr, record.rowBytes, record.bounds = base, row_bytes | 0x8000, bounds
    record.hRes = record.vRes = _RESOLUTION
    record.pmTable = table
    set_depth(record, depth)
    return record.read()


def set_depth(record: PixMap, depth: int) -> None:
    """Let a pixel map say how many bits a pixel has, and how many each part of it."""
    is_direct = depth > 8
    record.pixelType = _DIRECT_PIXELS if is_direct else 0
    record.pixelSize, record.cmpCount = depth, 3 if is_direct else 1
    record.cmpSize = {16: 5, 32: 8}.get(depth, depth)


def table_size(data: bytes) -> int:
    """The bytes of the colour table that some data begin with."""
    return ColorTable.size + 8 * (ColorTable.ctSize.of(data.ljust(ColorTable.size, b"\0")) + 1)


@lru_cache(maxsize=256)
def table_space(table: bytes, depth: int) -> ColorSpace | None:
    """What pixel values mean by a colour table.

    Those without an entry are steps from black, which is the highest of them, to white, which is
    the lowest, and no colour becomes one of them: a picture of 4 bits whose outlines are pixels of
    15 may come with eight colours. Source: Apple's ROM sources of 1994, `MakeScaleTbl` in
    QuickDraw/Patterns.a.

    Args:
        table: the bytes of a ColorTable; it is not used for pixels of 16 and 32 bits. Without an
            entry it stands for the standard colours.
        depth: the bits of each pixel.

    Returns:
        The space; None if there are no pixels of such a depth.
    """
    if depth not in (1, 2, 4, 8):
        return standard_space(depth) if depth in (16, 32) else None
    table = table.ljust(ColorTable.size, b"\0")
    count = min(ColorTable.ctSize.of(table) + 1, (len(table) - ColorTable.size) // ColorSpec.size)
    if count < 1:
        return standard_space(depth)
    palette = np.empty((1 << depth, 3), np.uint8)
    entries = np.frombuffer(table, ">u2", count * 4, ColorTable.size).reshape(count, 4)
    by_place = ColorTable.ctFlags.of(table) & _DEVICE_TABLE
    places = np.arange(count) if by_place else entries[:, 0] & 255
    inside = places < len(palette)
    palette[places[inside]] = entries[inside, 1:] >> 8
    known = np.unique(places[inside]).astype(np.uint8)
    unknown = np.setdiff1d(np.arange(len(palette)), known)
    steps = np.arange(len(unknown))[::-1] * 255 // max(1, len(unknown) - 1)
    palette[unknown] = steps[:, None]
    return palette_space(palette.tobytes(), known.tobytes())


def table_palette(table: bytes) -> Palette:
    """The colours of a colour table of 2 to 256 entries, by their places.

    Args:
        table: the bytes of a ColorTable; one entry stands for two of the same colour.
    """
    count = min(ColorTable.ctSize.of(table) + 1, 256)
    entries = np.frombuffer(table, ">u2", count * 4, ColorTable.size).reshape(count, 4)
    colors = (entries[:, 1:] >> 8).astype(np.uint8)
    return colors if count > 1 else np.repeat(colors, 2, axis=0)


def as_bitmap(
    data: bytes, row_bytes: int, bounds: Rectangle, depth: int, table: bytes
) -> PixelView:
    """A bit map of its own for pixels of any depth.

    Args:
        data: the rows; missing bytes count as 0.
        row_bytes: bytes from one row to the next.
        bounds: the pixels' coordinates.
        depth: 1, 2, 4, 8, 16 or 32.
        table: the bytes of their ColorTable; not used for pixels of 16 and 32 bits.

    Raises:
        UsageError: the rows are too short, or there is no such depth.
    """
    size = row_bytes * bounds.height
    rows = np.frombuffer(data[:size].ljust(size, b"\0"), np.uint8).copy()
    return PixelView(rows, row_bytes, bounds, depth, table_space(table, depth))


def standard_pixels(bitmap: PixelView) -> NDArray[np.uint8]:
    """The pixels of a bit map as numbers of the nearest standard colours of 8 bits."""
    pixels = bitmap.pixels(bitmap.bounds)
    return standard_space(8).converted(pixels, bitmap.space).astype(np.uint8)
