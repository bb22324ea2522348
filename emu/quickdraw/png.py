"""Makes PNG pictures of bit maps.

Pillow would do that too, but takes 20 ms to load, which every run of a program would wait for.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw.bitmap import PixelView
from emu.quickdraw.color_space import IndexedColorSpace
from emu.quickdraw.palette import Palette
from emu.quickdraw.rectangle import Rectangle

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GRAY, _TRUE_COLOR, _INDEXED = 0, 2, 3


def screenshot(
    bitmap: PixelView, palette: Palette | None = None, part: Rectangle | None = None
) -> bytes:
    """Make a PNG file of a bit map: black and white, with a palette, or with direct colours.

    The same pixels always give the same bytes, because the file holds no time and no name.

    Args:
        bitmap: the pixels.
        palette: the colours of indexed pixels; None is those of the bit map.
        part: the rectangle to show; None means all of it.

    Raises:
        UsageError: the part reaches outside the bit map or is empty.
    """
    r = bitmap.bounds if part is None else part
    if r.empty:
        raise UsageError(f"no picture of {r}: it is empty")
    pixels = bitmap.pixels(r)
    space = bitmap.space
    if not isinstance(space, IndexedColorSpace):
        rows = space.colors(pixels).reshape(r.height, -1)
        return _file(r, 8, _TRUE_COLOR, rows)
    if space.is_black_and_white:
        return _file(r, 1, _GRAY, np.packbits(pixels ^ 1, axis=1))  # there 1 is white
    colors = space.palette if palette is None else palette
    return _file(r, 8, _INDEXED, pixels, colors.tobytes())


def _file(
    part: Rectangle, depth: int, kind: int, rows: NDArray[np.uint8], palette: bytes = b""
) -> bytes:
    """A file with these rows of bytes, none of them filtered. Source: RFC 2083."""
    header = struct.pack(">IIBBBBB", part.width, part.height, depth, kind, 0, 0, 0)
    unfiltered = np.pad(rows, ((0, 0), (1, 0))).tobytes()
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(unfiltered, 9)), (b"IEND", b"")]
    if palette:
        chunks.insert(1, (b"PLTE", palette))
    return _SIGNATURE + b"".join(map(_chunk, chunks))


def _chunk(named: tuple[bytes, bytes]) -> bytes:
    name, data = named
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
