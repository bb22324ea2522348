"""Colours of 8-bit pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Palette = NDArray[np.uint8]
"""256 colours: an array of 256 by 3, red, green and blue."""


def standard_palette() -> Palette:
    """The Macintosh's 8-bit system colours, from white (0) to black (255).

    These are six steps of red, green and blue in all combinations but black, then ten further steps
    each of red, green, blue and grey, then black (the 'clut' resource 8).
    """
    steps = (255, 204, 153, 102, 51, 0)
    cube = [(r, g, b) for r in steps for g in steps for b in steps][:-1]
    ramp = (238, 221, 187, 170, 136, 119, 85, 68, 34, 17)
    reds = [(level, 0, 0) for level in ramp]
    greens = [(0, level, 0) for level in ramp]
    blues = [(0, 0, level) for level in ramp]
    greys = [(level, level, level) for level in ramp]
    colors = [*cube, *reds, *greens, *blues, *greys, (0, 0, 0)]
    return np.array(colors, np.uint8)


def dark_colors(palette: Palette) -> NDArray[np.bool_]:
    """For each colour, whether its brightness is nearer to black than to white."""
    weights = np.array((299, 587, 114), np.int64)
    return np.asarray(palette.astype(np.int64) @ weights < 127_500)
