"""Bit maps and pixel maps inside pictures."""

from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np

from emu.quickdraw import BitMap
from emu.toolbox.managers.quickdraw.copied_pixels import CopiedPixels
from emu.toolbox.managers.quickdraw.pictures.reader import DamagedPictureError, PictureReader

_UNPACKED_BELOW = 8
_LONG_COUNTS_FROM = 251
_MOST_PIXELS = 1 << 24
_PIXEL_MAP_REST = 36

ToPixel = Callable[[tuple[int, int, int], int], int]
"""Gives the pixel value of a colour at a depth."""


def unpack_bits(packed: bytes, size: int) -> bytes:
    """Bytes from the run-length form of PackBits; zeros for those that are missing."""
    data = bytearray()
    at = 0
    while at < len(packed) and len(data) < size:
        count = packed[at]
        at += 1
        if count < 128:
            data += packed[at : at + count + 1]
            at += count + 1
        elif count > 128 and at < len(packed):
            data += packed[at : at + 1] * (257 - count)
            at += 1
    return bytes(data[:size]).ljust(size, b"\0")


def read_pixels(reader: PictureReader, opcode: int, to_pixel: ToPixel) -> CopiedPixels:
    """The data of BitsRect, BitsRgn, PackBitsRect or PackBitsRgn.

    Colours become the nearest of the standard ones.

    Raises:
        DamagedPictureError: it is cut off, or of a kind that is not read.
    """
    flagged = reader.size()
    row_bytes = flagged & 0x3FFF
    bounds = reader.rectangle()
    depth, colors = 1, None
    if flagged & 0x8000:
        depth, colors = _color_map(reader, to_pixel)
    if row_bytes * bounds.height * 8 // depth > _MOST_PIXELS or row_bytes * 8 < (
        bounds.width * depth
    ):
        raise DamagedPictureError(
            f"the picture holds a bit map of {bounds.height} rows of {row_bytes} bytes"
        )
    source, destination = reader.rectangle(), reader.rectangle()
    mode = reader.words(1)[0]
    mask = reader.region() if opcode & 1 else None
    rows = [_row(reader, row_bytes, opcode) for _ in range(bounds.height)]
    pixels = np.frombuffer(b"".join(rows), np.uint8).copy()
    if colors is None:
        bitmap = BitMap(pixels, row_bytes, bounds)
    else:
        table = pixels.reshape(bounds.height, row_bytes)
        indices = _indices(table, depth)[:, : bounds.width]
        mapped = np.ascontiguousarray(colors[indices])
        bitmap = BitMap(mapped.reshape(-1), bounds.width, bounds, 8)
    return CopiedPixels(bitmap, source, destination, mode, mask)


def _row(reader: PictureReader, row_bytes: int, opcode: int) -> bytes:
    if row_bytes < _UNPACKED_BELOW or opcode < 0x98:
        return reader.take(row_bytes)
    count = reader.size() if row_bytes >= _LONG_COUNTS_FROM else reader.byte()
    return unpack_bits(reader.take(count), row_bytes)


def _color_map(
    reader: PictureReader, to_pixel: ToPixel
) -> tuple[int, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """The depth of a pixel map, and for each of its values the standard one."""
    rest = reader.take(_PIXEL_MAP_REST)
    depth = int.from_bytes(rest[18:20], "big")
    if depth not in (1, 2, 4, 8):
        raise DamagedPictureError(
            f"the picture holds pixels of {depth} bits, which macproof does not draw"
        )
    reader.skip(4)
    flags, last = struct.unpack(">Hh", reader.take(4))
    values = np.zeros(256, np.uint8)
    for place in range(last + 1):
        value, red, green, blue = struct.unpack(">4H", reader.take(8))
        # In tables of devices the place counts, and the value means nothing.
        index = place if flags & 0x8000 else value
        values[index & 255] = to_pixel((red, green, blue), 8)
    return depth, values


def _indices(
    rows: np.ndarray[tuple[int, int], np.dtype[np.uint8]], depth: int
) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """The pixel values in rows of bytes."""
    if depth == 8:
        return rows
    shifts = np.arange(8 - depth, -1, -depth, dtype=np.uint8)
    parts = (rows[:, :, None] >> shifts) & np.uint8((1 << depth) - 1)
    return parts.reshape(rows.shape[0], -1)
