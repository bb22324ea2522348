"""The icons of a family: resources of one number, in three sizes and three depths.

Source: Inside Macintosh: More Macintosh Toolbox, chapter 5 "Icon Utilities".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from emu.quickdraw import Rectangle
from emu.toolbox.managers.icons.images import IconImage
from emu.toolbox.managers.quickdraw.ports.deep_pixels import as_bitmap, standard_pixels

_LARGE_SIDE, _MINI_HEIGHT, _MINI_WIDTH = 32, 12, 16


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


def image_for(icons: Mapping[str, bytes], r: Rectangle, depth: int) -> IconImage | None:
    """The icon of a family that fits a rectangle and a depth best.

    A size without a mask, which is in its black and white icon, is not used; then the largest
    of the others is.

    Args:
        icons: the family's data by resource type.
        r: what it is to be drawn in.
        depth: the bits of each pixel there.

    Returns:
        The icon, or None if the family has none with a mask.
    """
    if r.width >= _LARGE_SIDE or r.height >= _LARGE_SIDE:
        best = SIZES[0]
    else:
        best = SIZES[2 if r.height <= _MINI_HEIGHT and r.width <= _MINI_WIDTH else 1]
    for size in (best, *SIZES):
        if size.one_bit in icons:
            return _image(icons, size, depth)
    return None


def _image(icons: Mapping[str, bytes], size: Size, depth: int) -> IconImage:
    image = IconImage.of_bits(icons[size.one_bit], size.width, size.height)
    for kind, bits in ((size.eight_bits, 8), (size.four_bits, 4)):
        if kind in icons and bits <= depth:
            bounds, row_bytes = image.bounds, size.width * bits // 8
            bitmap = as_bitmap(icons[kind], row_bytes, bounds, bits, b"")
            return replace(image, pixels=standard_pixels(bitmap))
    return image
