"""Pixels of all depths, one at a time and by the book, for tests to compare drawing with."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import PixelView, Rectangle, standard_palette

Color = tuple[int, int, int]


def used_bits(depth: int) -> int:
    """The bits of a pixel that mean something."""
    return {16: 0x7FFF, 32: 0xFFFFFF}.get(depth, (1 << depth) - 1)


def black(depth: int) -> int:
    """The pixel value of black."""
    return 0 if depth > 8 else used_bits(depth)


def white(depth: int) -> int:
    """The pixel value of white."""
    return used_bits(depth) if depth > 8 else 0


def color_of(pixel: int, depth: int) -> Color:
    """The colour of a pixel."""
    if depth == 32:
        return pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255
    if depth == 16:
        red, green, blue = (pixel >> shift & 31 for shift in (10, 5, 0))
        return red << 3 | red >> 2, green << 3 | green >> 2, blue << 3 | blue >> 2
    red, green, blue = standard_palette(depth)[pixel].tolist()
    return red, green, blue


@cache
def nearest(color: Color, depth: int) -> int:
    """The pixel nearest to a colour."""
    red, green, blue = color
    if depth == 32:
        return red << 16 | green << 8 | blue
    if depth == 16:
        return red >> 3 << 10 | green >> 3 << 5 | blue >> 3
    if depth == 1:
        return int(299 * red + 587 * green + 114 * blue < 127500)
    palette = standard_palette(depth).tolist()
    distances = [sum((a - b) ** 2 for a, b in zip(color, one, strict=True)) for one in palette]
    return distances.index(min(distances))


def combined(old: int, new: int, mode: int, depth: int) -> int:
    """A pixel after a boolean transfer: ones stand for black, also where pixels have zeros."""
    whole = used_bits(depth)
    if depth > 8:
        old, new = old ^ whole, new ^ whole
    if mode & 4:
        new ^= whole
    result = (new, old | new, old ^ new, old & ~new)[mode & 3]
    return result ^ whole if depth > 8 else result


def shown(bitmap: PixelView, r: Rectangle | None = None) -> NDArray[Any]:
    """The pixels of a bit map, without bits that mean nothing."""
    return bitmap.pixels(r or bitmap.bounds).astype(np.int64) & used_bits(bitmap.depth)
