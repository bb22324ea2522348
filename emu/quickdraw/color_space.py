"""What pixel values mean: which colour each is, and which value comes nearest to a colour.

Pixels of 1, 2, 4 and 8 bits are *indexed*: a palette says the colour of each value. Pixels of 16
and 32 bits are *direct*: they hold red, green and blue themselves.
Which value of a palette is nearest says an *inverse table*, which has an answer for each cell of
colours that agree in the highest bits of red, green and blue. Entries of a palette that fall into
the cell of an earlier one are *hidden* behind it, and are compared one by one.
Sources: Inside Macintosh: Imaging With QuickDraw, chapter 4 (indexed and direct pixels); Inside
Macintosh V, chapter 6 "The Color Manager" (inverse tables); Apple's ROM sources of 1994,
`MakeITable` and `ITabMatch` in QuickDraw/ColorMgr.a (the order of entries, and ties).
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

_INVERSE_BITS = 4
"""The bits of each part by which cells are told apart: gdResPref of the standard devices."""

_MOST_KNOWN = 4096
_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)


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
        self.black, self.white = self.pixel(_BLACK), self.pixel(_WHITE)

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
        entries: the pixel values that colours may become, ascending; by default all.
    """

    __slots__ = ("_chains", "_ends", "_table", "palette")

    def __init__(self, palette: Palette, entries: NDArray[np.uint8] | None = None) -> None:
        self.palette = palette
        order = _seeds(np.arange(len(palette), dtype=np.uint8) if entries is None else entries)
        self._table = _nearest_entries(palette, order, _INVERSE_BITS)
        self._chains = _hidden_entries(palette, order, self._table)
        first, last = int(order[0]), int(order[:2][-1])
        self._ends = self._as_near(_BLACK, last), self._as_near(_WHITE, first)
        standard = len(palette) == 2 and palette[:, 0].tolist() == [255, 0]
        is_black_and_white = standard and bool(np.ptp(palette, axis=1).max() == 0)
        super().__init__(len(palette).bit_length() - 1, is_black_and_white=is_black_and_white)

    def colors(self, pixels: Pixels) -> Colors8:
        """The palette's colours."""
        return np.asarray(self.palette[pixels])

    def pixels(self, colors: NDArray[Any]) -> Pixels:
        """What the inverse table and hidden entries say; black or white go by brightness.

        Black is the last entry and white the first where those are as near as any other: also in
        a palette that is all black, as after a fade, black and white stay what they are.
        """
        if self.is_black_and_white:
            return is_dark(colors).view(np.uint8)
        black, white = self._ends
        nearest = self._nearest(colors)
        nearest[(colors == 0).all(axis=-1)] = black
        nearest[(colors == 255).all(axis=-1)] = white
        return nearest

    def _nearest(self, colors: NDArray[Any]) -> Pixels:
        nearest: Pixels = self._table[_cells(colors, _INVERSE_BITS)]
        for entry, chain in self._chains.items():
            places = np.nonzero(nearest == entry)
            if len(places[0]):
                some = colors[places].astype(np.int64)
                different, which = np.unique(some @ (1 << 16, 1 << 8, 1), return_inverse=True)
                parts = different[:, None] >> (16, 8, 0) & 255
                nearest[places] = chain[self._farness(parts, chain).argmin(axis=1)][which]
        return nearest

    def _farness(self, colors: NDArray[Any], entries: NDArray[Any]) -> NDArray[Any]:
        """How far each colour is from each entry: by the part that differs most."""
        differences = np.abs(colors[:, None, :] - self.palette[entries].astype(np.int64))
        return np.asarray(differences.max(axis=2))

    def _as_near(self, color: tuple[int, int, int], end: int) -> int:
        """An entry, if none is nearer to a colour; otherwise the nearest."""
        colors = np.array([color])
        found = int(self._nearest(colors)[0])
        there, here = self._farness(colors, np.array([end, found]))[0]
        return end if there <= here else found


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


def inverse_table(palette: Palette, bits: int) -> NDArray[np.uint8]:
    """For each cell of colours the entry of a palette that stands for them.

    It is the entry whose cell is fewest steps away, each to a neighbour in red, green or blue. Of
    entries as near as each other the first counts, the last, and then those between in their order:
    no entry between takes the place of white or black.

    Args:
        palette: the colours.
        bits: the bits of each part by which cells are told apart, 3 to 5.
    """
    return _nearest_entries(palette, _seeds(np.arange(len(palette), dtype=np.uint8)), bits)


def _nearest_entries(palette: Palette, order: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """For each cell the first of the entries in this order that is fewest steps away."""
    seeds = palette[order].astype(np.int16) >> (8 - bits)
    levels = np.arange(1 << bits, dtype=np.int16)[:, None]
    red, green, blue = (np.abs(levels - seeds[:, part]).astype(np.uint8) for part in range(3))
    steps = red[:, None, None] + green[None, :, None] + blue[None, None, :]
    table: NDArray[np.uint8] = order[steps.argmin(axis=-1)].reshape(-1)
    return table


def _seeds(entries: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Entries in the order in which they take their cells: the first, the last, the others."""
    return np.concatenate((entries[:1], entries[1:][-1:], entries[1:-1]))


def _cells(colors: NDArray[Any], bits: int) -> NDArray[np.int64]:
    """The number of each colour's cell."""
    high = colors.astype(np.int64) >> (8 - bits)
    return np.asarray(high @ (1 << 2 * bits, 1 << bits, 1))


def _hidden_entries(
    palette: Palette, order: NDArray[np.uint8], table: NDArray[np.uint8]
) -> dict[int, NDArray[np.uint8]]:
    """Entries that share a cell, by the one that stands for it: that one, then the latest first."""
    heads = table[_cells(palette[order], _INVERSE_BITS)]
    chains = {}
    for head in np.flatnonzero(np.bincount(heads[heads != order])).tolist():
        _, *hidden = order[heads == head].tolist()
        chains[head] = np.array([head, *reversed(hidden)], np.uint8)
    return chains


def is_dark(colors: NDArray[Any]) -> NDArray[np.bool_]:
    """For each colour, whether its brightness is nearer to black than to white."""
    return np.asarray(colors.astype(np.int64) @ _WEIGHTS < 127_500)


@cache
def standard_space(depth: int) -> ColorSpace:
    """The space of the standard colours of 1, 2, 4 or 8 bits, or that of 16 or 32 bits."""
    return DirectColorSpace(depth) if depth > 8 else IndexedColorSpace(standard_palette(depth))


@lru_cache(maxsize=64)
def palette_space(palette: bytes, entries: bytes = b"") -> ColorSpace:
    """The space of a palette, given by its bytes; one object for each.

    Args:
        palette: red, green and blue of each pixel value.
        entries: the pixel values that colours may become, ascending; none stands for all.
    """
    colors = np.frombuffer(palette, np.uint8).reshape(-1, 3)
    standard = standard_space(len(colors).bit_length() - 1)
    if isinstance(standard, IndexedColorSpace) and np.array_equal(colors, standard.palette):
        return standard
    return IndexedColorSpace(colors, np.frombuffer(entries, np.uint8) if entries else None)


@lru_cache(maxsize=128)
def _conversion(source: IndexedColorSpace, target: ColorSpace) -> Pixels:
    """For each value of an indexed space the value of another one."""
    return target.pixels(source.palette)
