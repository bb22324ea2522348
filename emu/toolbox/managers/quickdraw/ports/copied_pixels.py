"""What CopyBits is asked for, as drawing, pictures and their recording hand it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from emu.quickdraw import PixelRegion, PixelView, Rectangle, bytes_in_row, standard_space


@dataclass(frozen=True, slots=True)
class CopiedPixels:
    """Pixels to be copied.

    Attributes:
        bitmap: where they are.
        source: the rectangle that is copied, in the bit map's coordinates.
        destination: the rectangle that it fills, stretched or shrunk, in the port's coordinates.
        mode: the transfer mode.
        mask: the pixels of the destination that may change; None for all.
    """

    bitmap: PixelView
    source: Rectangle
    destination: Rectangle
    mode: int
    mask: PixelRegion | None = None


def in_black_and_white(copied: CopiedPixels) -> CopiedPixels:
    """The same with pixels of one bit, in which colours are the nearer of black and white."""
    given = copied.bitmap
    if given.depth == 1:
        return copied
    row_bytes = bytes_in_row(given.bounds.width, 1)
    bits = PixelView(np.zeros(row_bytes * given.bounds.height, np.uint8), row_bytes, given.bounds)
    pixels = given.pixels(given.bounds)
    bits.put(given.bounds, standard_space(1).converted(pixels, given.space))
    return replace(copied, bitmap=bits)
