"""What pixel values mean: which colour each is, and which value comes nearest to a colour.

Pixels of 1, 2, 4 and 8 bits are *indexed*: a palette says the colour of each value. Pixels of 16
and 32 bits are *direct*: they hold red, green and blue themselves.
Source: Inside Macintosh: Imaging With QuickDraw, chapter 4 (indexed and direct pixels).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw.palette import Palette, standard_palette

Pixels = NDArray[Any]
"""Pixel values: uint8 for indexed pixels, uint16 or uint32 for direct ones."""

Colors8 = NDArray[np.uint8]
"""Red, green and blue, 0 to 255, along the last axis."""

_WEIGHTS = (299, 587, 114)
"""How much red, green and blue count for brightness, in thousandths."""

_AT_ONCE = 8192
"""How many colours are compared with a palette at once."""

_MOST_KNOWN = 4096


class ColorSpace(ABC):
    """What the pixel values of a bit map mean.

    Attributes:
        depth: the bits of each pixel.
        is_black_and_white: whether ones are black and zeros white, which take a port's colours.
        black: the pixel value nearest to black.
        white: the pixel value nearest to white.
    """

    __slots__ = ("_known", "black", "depth", "is_black_and_white", "white")

    def __init__(self, depth: int, *, is_black_and_white: bool = False) -> None:
        self.depth = depth
        self.is_black_and_white = is_black_and_white
        self._known: dict[tuple[int, int, int], int] = {}
        self.black, self.white = self.pixel((0, 0, 0)), self.pixel((255, 255, 255))

    @abstractmethod
    def colors(self, pixels: Pixels) -> Colors8:
        """The colours of pixels, with an axis more than ``pixels``."""

    @abstractmethod
    def pixels(self, colors: NDArray[Any]) -> Pixels:
        """The pixel values nearest to colours of 0 to 255, with an axis less than ``colors``."""

    def pixel(self, color: tuple[int, int, int]) -> int:
        """The pixel value nearest to a colour: red, green and blue, 0 to 255."""
        pixel_value = self._known.get(color)
        if pixel_value is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            pixel_value = self._known[color] = int(self.pixels(np.array([color]))[0])
        return pixel_value

    def color(self, pixel: int) -> tuple[int, int, int]:
        """The colour of a pixel value; bits that pixels do not use do not count."""
        masked = pixel & ((1 << self.depth) - 1)
        red, green, blue = self.colors(np.array([masked], np.uint32))[0].tolist()
        return red, green, blue

    def converted(self, pixels: Pixels, source: ColorSpace) -> Pixels:
        """Pixels of another space as the nearest of this one."""
        if source is self:
            return pixels
        if isinstance(source, IndexedColorSpace):
            return _conversion(source, self)[pixels]
        return self.pixels(source.colors(pixels))


class IndexedColorSpace(ColorSpace):
    """Pixels of 1, 2, 4 or 8 bits that stand for the colours of a palette.

    Args:
        palette: a colour for each pixel value.
    """

    __slots__ = ("_half_lengths", "_points", "palette")

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._points = palette.astype(np.float32)
        self._half_lengths = (self._points**2).sum(axis=1) / 2
        standard = len(palette) == 2 and palette[:, 0].tolist() == [255, 0]
        is_black_and_white = standard and bool(np.ptp(palette, axis=1).max() == 0)
        super().__init__(len(palette).bit_length() - 1, is_black_and_white=is_black_and_white)

    def colors(self, pixels: Pixels) -> Colors8:
        """The palette's colours."""
        return np.asarray(self.palette[pixels])

    def pixels(self, colors: NDArray[Any]) -> Pixels:
        """The nearest colours of the palette; black or white go by brightness."""
        if self.is_black_and_white:
            return is_dark(colors).view(np.uint8)
        parts = colors.astype(np.int64).reshape(-1, 3)
        different, places = np.unique(parts @ (1 << 16, 1 << 8, 1), return_inverse=True)
        nearest = np.empty(different.size, np.uint8)
        for first in range(0, different.size, _AT_ONCE):
            some = different[first : first + _AT_ONCE, None] >> (16, 8, 0) & 255
            # The square of a distance, without what is the same for all; exact in float32.
            farness = self._half_lengths - some.astype(np.float32) @ self._points.T
            nearest[first : first + _AT_ONCE] = farness.argmin(axis=1)
        return np.asarray(nearest[places.reshape(-1)].reshape(colors.shape[:-1]))


class DirectColorSpace(ColorSpace):
    """Pixels of 16 bits with five for each of red, green and blue, or of 32 with eight for each."""

    __slots__ = ()

    def colors(self, pixels: Pixels) -> Colors8:
        """The colours, of which those of 16 bits have 32 levels from 0 to 255."""
        if self.depth == 32:
            return np.stack([pixels >> shift & 255 for shift in (16, 8, 0)], -1).astype(np.uint8)
        parts = np.stack([pixels >> shift & 31 for shift in (10, 5, 0)], -1)
        return (parts << 3 | parts >> 2).astype(np.uint8)

    def pixels(self, colors: NDArray[Any]) -> Pixels:
        """The pixels that hold the colours, those of 16 bits their highest five bits."""
        parts = colors.astype(np.uint32)
        red, green, blue = parts[..., 0], parts[..., 1], parts[..., 2]
        if self.depth == 32:
            return np.asarray(red << 16 | green << 8 | blue)
        return (red >> 3 << 10 | green >> 3 << 5 | blue >> 3).astype(np.uint16)


def is_dark(colors: NDArray[Any]) -> NDArray[np.bool_]:
    """For each colour, whether its brightness is nearer to black than to white."""
    return np.asarray(colors.astype(np.int64) @ _WEIGHTS < 127_500)


@cache
def standard_space(depth: int) -> ColorSpace:
    """The space of the standard colours of 1, 2, 4 or 8 bits, or that of 16 or 32 bits."""
    return DirectColorSpace(depth) if depth > 8 else IndexedColorSpace(standard_palette(depth))


@lru_cache(maxsize=64)
def palette_space(palette: bytes) -> ColorSpace:
    """The space of a palette, given by its bytes; one object for each."""
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    standard = standard_space(len(colors).bit_length() - 1)
    if isinstance(standard, IndexedColorSpace) and np.array_equal(colors, standard.palette):
        return standard
    return IndexedColorSpace(colors)


@lru_cache(maxsize=128)
def _conversion(source: IndexedColorSpace, target: ColorSpace) -> Pixels:
    """For each value of an indexed space the value of another one."""
    return target.pixels(source.palette)
