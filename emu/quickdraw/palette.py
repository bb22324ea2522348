"""The Macintosh's standard colours for pixels of 1 to 8 bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Palette = NDArray[np.uint8]
"""A colour for each pixel value: an array of 2, 4, 16 or 256 by 3, red, green and blue."""

_FOUR_BITS = (
    "ffffff fcf305 ff6402 dd0806 f20884 4600a5 0000d4 02abea "
    "1fb714 006411 562c05 90713a c0c0c0 808080 404040 000000"
)
_TWO_BITS = "ffffff acacac 555555 000000"
_ONE_BIT = "ffffff 000000"


def standard_palette(depth: int = 8) -> Palette:
    """The system colours of a depth, from white (0) to black (the last), as 'clut' resources.

    Those of 8 bits are six steps of red, green and blue in all combinations but black, then ten
    further steps each of red, green, blue and grey, then black.

    Args:
        depth: the bits of each pixel, 1, 2, 4 or 8; those are also the resources' numbers.
    """
    if depth < 8:
        digits = {1: _ONE_BIT, 2: _TWO_BITS, 4: _FOUR_BITS}[depth]
        return np.array([list(bytes.fromhex(color)) for color in digits.split()], np.uint8)
    steps = (255, 204, 153, 102, 51, 0)
    cube = [(r, g, b) for r in steps for g in steps for b in steps][:-1]
    ramp = (238, 221, 187, 170, 136, 119, 85, 68, 34, 17)
    reds = [(level, 0, 0) for level in ramp]
    greens = [(0, level, 0) for level in ramp]
    blues = [(0, 0, level) for level in ramp]
    greys = [(level, level, level) for level in ramp]
    colors = [*cube, *reds, *greens, *blues, *greys, (0, 0, 0)]
    return np.array(colors, np.uint8)


def gray_palette(depth: int) -> Palette:
    """Equal steps of grey from white to black, for pixels of 1, 2, 4 or 8 bits."""
    last = (1 << depth) - 1
    levels = 255 - np.arange(last + 1) * 255 // last
    return np.repeat(levels.astype(np.uint8)[:, None], 3, axis=1)
