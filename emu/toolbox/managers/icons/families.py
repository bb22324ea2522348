"""The icons of a family: resources of one number, in three sizes and three depths.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 5 "Icon Utilities".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from emu.quickdraw import Rectangle
from emu.toolbox.managers.icons.images import IconImage
from emu.toolbox.managers.quickdraw.deep_pixels import indices
from emu.toolbox.managers.quickdraw.inks import Inks, Rgb

_LARGE_SIDE, _MINI_HEIGHT, _MINI_WIDTH = 32, 12, 16

FOUR_BIT_COLORS: tuple[Rgb, ...] = (
    (0xFFFF, 0xFFFF, 0xFFFF),
    (0xFC00, 0xF37D, 0x052F),
    (0xFFFF, 0x648A, 0x028C),
    (0xDD6B, 0x08C2, 0x06A2),
    (0xF2D7, 0x0856, 0x84EC),
    (0x46E3, 0x0000, 0xA53E),
    (0x0000, 0x0000, 0xD400),
    (0x0241, 0xAB54, 0xEAFF),
    (0x1F21, 0xB793, 0x1431),
    (0x0000, 0x64AF, 0x11B0),
    (0x5600, 0x2C9D, 0x0524),
    (0x90D7, 0x7160, 0x3A34),
    (0xC000, 0xC000, 0xC000),
    (0x8000, 0x8000, 0x8000),
    (0x4000, 0x4000, 0x4000),
    (0x0000, 0x0000, 0x0000),
)
"""The standard colours of four bits ('clut' 4)."""


@dataclass(frozen=True, slots=True)
class Size:
    """One size of a family: its pixels, and the resource types for 1, 4 and 8 bits."""

    width: int
    height: int
    one_bit: str
    four_bits: str
    eight_bits: str


SIZES = (
    Size(32, 32, "ICN#", "icl4", "icl8"),
    Size(16, 16, "ics#", "ics4", "ics8"),
    Size(16, 12, "icm#", "icm4", "icm8"),
)
"""Large, small and mini."""

TYPES = tuple(kind for size in SIZES for kind in (size.one_bit, size.four_bits, size.eight_bits))
"""In the order of the bits with which GetIconSuite selects them: a byte for each size."""


def image_for(icons: Mapping[str, bytes], r: Rectangle, depth: int, inks: Inks) -> IconImage | None:
    """The icon of a family that fits a rectangle and a depth best.

    A size without a mask, which is in its black and white icon, is not used; then the largest
    of the others is.

    Args:
        icons: the family's data by resource type.
        r: what it is to be drawn in.
        depth: the bits of each pixel there.
        inks: knows the colours.

    Returns:
        The icon, or None if the family has none with a mask.
    """
    if r.width >= _LARGE_SIDE or r.height >= _LARGE_SIDE:
        best = SIZES[0]
    else:
        best = SIZES[2 if r.height <= _MINI_HEIGHT and r.width <= _MINI_WIDTH else 1]
    for size in (best, *SIZES):
        if size.one_bit in icons:
            return _image(icons, size, depth, inks)
    return None


def _image(icons: Mapping[str, bytes], size: Size, depth: int, inks: Inks) -> IconImage:
    image = IconImage.of_bits(icons[size.one_bit], size.width, size.height)
    deepest = ((size.eight_bits, 8), (size.four_bits, 4)) if depth > 1 else ()
    for kind, bits in deepest:
        if kind in icons:
            wanted = size.width * size.height * bits // 8
            data = icons[kind][:wanted].ljust(wanted, b"\0")
            values = indices(np.frombuffer(data, np.uint8).reshape(size.height, -1), bits)
            if bits == 4:
                colors = [inks.pixel(color, 8) for color in FOUR_BIT_COLORS]
                values = np.array(colors, np.uint8)[values]
            return replace(image, pixels=values)
    return image
