"""An icon's pixels and its mask, however a resource holds them, and how they are drawn.

The icons of a family are resources of one number, in three sizes and three depths.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 5 "Icon Utilities".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntFlag

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import PixelRegion, PixelView, Rectangle, copy_bits, standard_space
from emu.quickdraw.bands import Band, add_band
from emu.quickdraw.color_space import ColorSpace, Pixels
from emu.quickdraw.paint import GRAY, pattern_mask
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.deep_pixels import as_bitmap, standard_pixels
from emu.toolbox.managers.quickdraw.ports.inks import CLASSIC_COLORS

Mask = NDArray[np.bool_]

_BLACK, _WHITE = 255, 0
_KINDS = 0xFF
_LABEL_SHIFT = 8
_LARGE_SIDE, _MINI_HEIGHT, _MINI_WIDTH = 32, 12, 16


class Transform(IntFlag):
    """How an icon is changed when it is drawn; the numbers 1 to 3 exclude each other."""

    NONE = 0
    DISABLED = 1
    OFFLINE = 2
    OPEN = 3
    SELECTED = 0x4000


LABEL_COLORS = tuple(CLASSIC_COLORS[number] for number in (205, 205, 137, 273, 409, 341, 69))
"""The colours of the labels 1 to 7. They are ours: a user of the Macintosh chooses them."""


@dataclass(frozen=True, slots=True)
class IconImage:
    """An icon.

    Attributes:
        pixels: rows of numbers of colours, uint8.
        mask: which of them are drawn, in the same shape.
        space: the colours; None for the standard ones.
    """

    pixels: Pixels
    mask: Mask
    space: ColorSpace | None = None

    @property
    def bounds(self) -> Rectangle:
        """Its own rectangle, which begins at (0, 0)."""
        height, width = self.pixels.shape
        return Rectangle(0, 0, height, width)

    @classmethod
    def of_bits(cls, data: bytes, width: int, height: int) -> IconImage:
        """Black and white pixels; the mask follows them, and if it is missing all are drawn."""
        size = width * height // 8
        bits = [
            np.unpackbits(np.frombuffer(part.ljust(size, b"\0"), np.uint8)).reshape(height, width)
            for part in (data[:size], data[size : 2 * size])
        ]
        mask = bits[1].astype(np.bool_) if len(data) >= 2 * size else np.ones((height, width), bool)
        return cls(bits[0] * np.uint8(_BLACK), mask)

    def transformed(self, transform: int, depth: int) -> IconImage:
        """The icon as a transform shows it.

        What is selected is darker (on one bit inverted), what is disabled or offline has every
        other pixel white, what is open is grey with its outline, a label tints what is not black.

        Args:
            transform: a kind of `Transform`, and a label's number in its second byte.
            depth: the bits of each pixel of what is drawn on.
        """
        shown, kind = self, transform & _KINDS
        if transform and self.space is not None:
            standard = standard_space(8).converted(self.pixels, self.space)
            shown = IconImage(standard.astype(np.uint8), self.mask)
        label = transform >> _LABEL_SHIFT & 7
        if label and depth > 1:
            shown = shown._mixed(LABEL_COLORS[label - 1])
        gray = pattern_mask(GRAY, self.bounds)
        if kind in (Transform.DISABLED, Transform.OFFLINE):
            shown = replace(shown, pixels=np.where(gray, shown.pixels, np.uint8(_WHITE)))
        elif kind == Transform.OPEN:
            dots = np.where(gray | self._outline(), np.uint8(_BLACK), np.uint8(_WHITE))
            shown = replace(shown, pixels=dots)
        if transform & Transform.SELECTED:
            shown = (
                shown._mixed((0, 0, 0))
                if depth > 1
                else replace(shown, pixels=np.where(shown.pixels == 0, 255, 0).astype(np.uint8))
            )
        return shown

    def _outline(self) -> Mask:
        """The pixels of the mask that touch one outside it."""
        wide = np.pad(self.mask, 1)
        inner = wide[:-2, 1:-1] & wide[2:, 1:-1] & wide[1:-1, :-2] & wide[1:-1, 2:]
        return np.asarray(self.mask & ~inner)

    def _mixed(self, color: tuple[int, int, int]) -> IconImage:
        """Every pixel halfway to a colour; black stays black."""
        space = standard_space(8)
        parts = space.colors(np.arange(256)).astype(np.int64) * 257
        halfway = space.pixels((parts + np.array(color)) >> 9)
        halfway[_BLACK] = _BLACK
        return replace(self, pixels=halfway[self.pixels])

    def plot(self, quickdraw: QuickDraw, r: Rectangle) -> None:
        """Draw it in the current port, stretched or shrunk to a rectangle.

        As PlotCIcon does, this goes past the port's own procedures and is not recorded in pictures.
        """
        destination, clip = quickdraw.canvas(quickdraw.port)
        source = PixelView(
            np.ascontiguousarray(self.pixels).reshape(-1),
            self.bounds.width,
            self.bounds,
            8,
            self.space,
        )
        copy_bits(source, self.bounds, destination, r, 0, clip, mask=self._mask_bitmap())

    def region(self, r: Rectangle) -> PixelRegion:
        """The pixels that it covers when it is drawn in a rectangle."""
        # A rectangle may be thousands of times larger: only edges are stretched, and no pixels.
        height, width = self.mask.shape
        rows, columns = _places(r.top, r.height, height), _places(r.left, r.width, width)
        bands: list[Band] = []
        changes = np.diff(np.pad(self.mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
        for top, bottom, row in zip(rows, rows[1:], changes, strict=False):
            edges: list[int] = []
            for column in np.flatnonzero(row):
                edge = columns[column]
                if edges and edges[-1] == edge:  # what is between them has been shrunk to nothing
                    edges.pop()
                else:
                    edges.append(edge)
            if top < bottom:
                add_band(bands, top, bottom, tuple(edges))
        return PixelRegion.from_bands(bands)

    def _mask_bitmap(self) -> PixelView:
        packed = np.packbits(self.mask, axis=1)
        return PixelView(packed.reshape(-1), packed.shape[1], self.bounds)


def _places(start: int, size: int, count: int) -> list[int]:
    """Where each of so many parts begins that fill a length, and where the last one ends."""
    return [start - (-number * max(size, 0) // count) for number in range(count + 1)]


def aligned(image: IconImage, r: Rectangle, alignment: int) -> Rectangle:
    """Where an icon is drawn in a rectangle.

    Args:
        image: the icon.
        r: the rectangle; without an alignment the icon fills it.
        alignment: 0 for none, or how the mask lies in the rectangle: 1 the middle, 2 the top or 3
            the bottom, plus 4 the middle, 8 the left or 12 the right.
    """
    if not alignment or not image.mask.any():
        return r
    mask = image.region(r).bounds
    dv = (
        0,
        r.top + r.bottom - mask.top - mask.bottom,
        2 * (r.top - mask.top),
        2 * (r.bottom - mask.bottom),
    )
    dh = (
        0,
        r.left + r.right - mask.left - mask.right,
        2 * (r.left - mask.left),
        2 * (r.right - mask.right),
    )
    return r.offset(dh[alignment >> 2 & 3] // 2, dv[alignment & 3] // 2)


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
