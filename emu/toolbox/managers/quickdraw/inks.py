"""Pixel values: which of them stands for which colour."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw import standard_palette
from emu.toolbox.managers.quickdraw import grafport as at
from emu.toolbox.records.quickdraw import CGrafPort, GrafPort, RGBColor

Rgb = tuple[int, int, int]
"""Red, green and blue, 0 to 65535."""

CLASSIC_COLORS: dict[int, Rgb] = {
    33: (0, 0, 0),
    30: (0xFFFF, 0xFFFF, 0xFFFF),
    205: (0xDD6B, 0x08C2, 0x06A2),
    341: (0x0000, 0x8000, 0x11B0),
    409: (0x0000, 0x0000, 0xD400),
    273: (0x0241, 0xAB54, 0xEAFF),
    137: (0xF2D7, 0x0856, 0x84EC),
    69: (0xFC00, 0xF37D, 0x052F),
}
"""What the eight colours of the first QuickDraw are on a colour screen, by their numbers."""

_AT_ONCE = 1024
"""How many colours are compared with the standard ones at once."""


class Inks:
    """Finds the pixel value nearest to a colour, for pixels of 1 and of 8 bits."""

    def __init__(self) -> None:
        self._palette = standard_palette().astype(np.int64)
        self._nearest: dict[tuple[Rgb, int], int] = {}

    def of(self, record: bytes, depth: int) -> tuple[int, int] | None:
        """A port's foreground and background as pixel values; None for black on white."""
        if at.is_color_port(record):
            most = (1 << depth) - 1
            pair = CGrafPort.fgColor.of(record) & most, CGrafPort.bkColor.of(record) & most
        else:
            front, back = GrafPort.fgColor.of(record), GrafPort.bkColor.of(record)
            if depth == 1:
                # One plane of the colour's number is drawn; the lowest is black or white.
                plane = GrafPort.colrBit.of(record) & 31
                pair = front >> plane & 1, back >> plane & 1
            else:
                pair = self._classic(front, 0, depth), self._classic(back, 1, depth)
        return None if pair == ((1, 0) if depth == 1 else (255, 0)) else pair

    def foreground(self, record: bytes) -> Rgb:
        """A port's foreground as a colour."""
        if at.is_color_port(record):
            return rgb(record[CGrafPort.rgbFgColor.span])
        return CLASSIC_COLORS.get(GrafPort.fgColor.of(record), CLASSIC_COLORS[33])

    def _classic(self, number: int, which: int, depth: int) -> int:
        color = CLASSIC_COLORS.get(number)
        if color is None:
            color = CLASSIC_COLORS[30 if which else 33]
        return self.pixel(color, depth)

    def pixel(self, color: Rgb, depth: int) -> int:
        """The pixel value nearest to a colour."""
        if depth == 1:
            red, green, blue = color
            return int(299 * red + 587 * green + 114 * blue < 32768 * 1000)
        key = color, depth
        found = self._nearest.get(key)
        if found is None:
            eight_bits = np.array([part >> 8 for part in color], np.int64)
            distances: NDArray[np.int64] = ((self._palette - eight_bits) ** 2).sum(axis=1)
            if len(self._nearest) > 4096:
                self._nearest.clear()
            found = self._nearest[key] = int(distances.argmin())
        return found

    def nearest(self, colors: NDArray[np.integer[Any]]) -> NDArray[np.uint8]:
        """The numbers of the standard colours nearest to many colours.

        Args:
            colors: red, green and blue, 0 to 255, along the last axis.
        """
        parts = colors.astype(np.int64).reshape(-1, 3)
        different, places = np.unique(parts @ (1 << 16, 1 << 8, 1), return_inverse=True)
        found = np.empty(different.size, np.uint8)
        for first in range(0, different.size, _AT_ONCE):
            some = different[first : first + _AT_ONCE, None] >> (16, 8, 0) & 255
            distances = ((some[:, None, :] - self._palette) ** 2).sum(axis=2)
            found[first : first + _AT_ONCE] = distances.argmin(axis=1)
        shown: NDArray[np.uint8] = found[places.reshape(-1)]
        return shown.reshape(colors.shape[:-1])

    def color_of(self, pixel: int, depth: int) -> Rgb:
        """The colour of a pixel value."""
        if depth == 1:
            return (0, 0, 0) if pixel else (0xFFFF, 0xFFFF, 0xFFFF)
        red, green, blue = (int(part) * 257 for part in self._palette[pixel & 255])
        return red, green, blue


def rgb(data: bytes) -> Rgb:
    """The colour that an RGBColor record holds."""
    return RGBColor.red.of(data), RGBColor.green.of(data), RGBColor.blue.of(data)
