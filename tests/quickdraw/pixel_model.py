"""Pixels of all depths, one at a time and by the book, for tests to compare drawing with."""

from __future__ import annotations

from collections import deque
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


@cache
def palette_of(depth: int) -> tuple[Color, ...]:
    """The colours of all pixels of a depth that has a palette."""
    return tuple((red, green, blue) for red, green, blue in standard_palette(depth).tolist())


def color_of(pixel: int, depth: int) -> Color:
    """The colour of a pixel."""
    if depth == 32:
        return pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255
    if depth == 16:
        red, green, blue = (pixel >> shift & 31 for shift in (10, 5, 0))
        return red << 3 | red >> 2, green << 3 | green >> 2, blue << 3 | blue >> 2
    return palette_of(depth)[pixel]


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
    return nearest_entry(color, palette_of(depth))


def cell_of(color: Color) -> Color:
    """The cell of an inverse table in which a colour lies: 16 levels a part."""
    red, green, blue = (part >> 4 for part in color)
    return red, green, blue


@cache
def flooded_cells(palette: tuple[Color, ...]) -> tuple[dict[Color, int], dict[int, list[int]]]:
    """An inverse table as a queue of cells fills it, and the entries that each entry hides."""
    last = len(palette) - 1
    owners: dict[Color, int] = {}
    hidden: dict[int, list[int]] = {}
    queue: deque[Color] = deque()
    for entry in (0, last, *range(1, last)):
        cell = cell_of(palette[entry])
        if cell in owners:
            hidden.setdefault(owners[cell], []).insert(0, entry)
        else:
            owners[cell] = entry
            queue.append(cell)
    while queue:
        red, green, blue = cell = queue.popleft()
        for step in (1, -1):
            for beside in ((red, green, blue + step), (red, green + step, blue)):
                _flood(beside, owners[cell], owners, queue)
            _flood((red + step, green, blue), owners[cell], owners, queue)
    return owners, hidden


def _flood(cell: Color, owner: int, owners: dict[Color, int], queue: deque[Color]) -> None:
    if cell not in owners and all(0 <= part < 16 for part in cell):
        owners[cell] = owner
        queue.append(cell)


def nearest_entry(color: Color, palette: tuple[Color, ...]) -> int:
    """The entry of a palette for a colour; black and white keep to the ends where they can."""
    owners, hidden = flooded_cells(palette)
    first = owners[cell_of(color)]

    def farness(entry: int) -> int:
        return max(abs(a - b) for a, b in zip(color, palette[entry], strict=True))

    found = min([first, *hidden.get(first, [])], key=farness)
    end = {(0, 0, 0): len(palette) - 1, (255, 255, 255): 0}.get(color, found)
    return end if farness(end) <= farness(found) else found


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
