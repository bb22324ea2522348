"""Patterns in colour: their records, 'ppat' resources, and what is drawn with them.

A pattern of type 0 is one of eight by eight bits, drawn in the port's colours; one of type 1 has
pixels of its own; one of type 2 is a colour, drawn as four pixels whose mean is nearest to it. On
pixels of other colours a pattern of type 1 has the nearest of them in each pixel.
Source: Inside Macintosh: Imaging With QuickDraw, chapter 4 (PixPat records and 'ppat' resources).
"""

from __future__ import annotations

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw import GRAY, ColorSpace
from emu.quickdraw.color_space import Pixels
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports.deep_pixels import as_bitmap
from emu.toolbox.managers.quickdraw.ports.inks import Rgb, pixel_of, rgb
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable, PixMap, PixPat

BITS, PIXELS, COLOR = range(3)
"""What patType says a pattern is."""

_ROW_BYTES = 0x3FFF
_COMPUTED_COLORS = 4
"""The entries of the colour table of a pattern of type 2 before that of the colour itself."""


class PixelPatterns(Manager):
    """Records of patterns, and the pixels that they stand for."""

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._kept: dict[tuple[bytes, bytes, bytes, ColorSpace], Pixels] = {}

    def new(self, map_: bytes, pixels: bytes, table: bytes, kind: int, bits: bytes = GRAY) -> int:
        """The handle of a new pattern with handles of its own.

        Args:
            map_: a PixMap record.
            pixels: its rows.
            table: its colour table.
            kind: the pattern's type.
            bits: the pattern of a port without colours.
        """
        memory, pixel_map = self._memory, PixMap.copied(map_)
        pixel_map.pmTable = memory.handle_from(table)
        record = PixPat.copied()
        record.patType, record.patXValid, record.pat1Data = kind, -1, bits
        record.patMap, record.patData = memory.handle_from(map_), memory.handle_from(pixels)
        PixMap(self.guest, memory.address(record.patMap)).pmTable = pixel_map.pmTable
        return memory.handle_from(record.read())

    def dispose(self, pattern: int) -> None:
        """Free a pattern and what belongs to it."""
        memory = self._memory
        record = PixPat(self.guest, memory.address(pattern))
        handles = [record.patData, record.patXData, record.patXMap, record.patMap, pattern]
        if record.patMap:
            handles.insert(0, PixMap(self.guest, memory.address(record.patMap)).pmTable)
        for handle in handles:
            if handle:
                memory.dispose_handle(handle)

    def set_color(self, pattern: int, color: Rgb) -> None:
        """Make a pattern one of type 2."""
        table = ColorTable.copied()
        table.ctSize = _COMPUTED_COLORS
        entry = ColorSpec.copied()
        entry.value = _COMPUTED_COLORS
        entry.rgb.red, entry.rgb.green, entry.rgb.blue = color
        data = table.read() + bytes(ColorSpec.size * _COMPUTED_COLORS) + entry.read()
        record = PixPat(self.guest, self._memory.address(pattern))
        pixel_map = PixMap(self.guest, self._memory.address(record.patMap))
        record.patType = COLOR
        self._memory.set_contents(pixel_map.pmTable, data)

    def tile(self, pattern: int, space: ColorSpace) -> Pixels | None:
        """The pixels that a pattern repeats; None for one of bits.

        Args:
            pattern: its handle.
            space: what the pixel values mean that are drawn on.

        Raises:
            GuestStopped: its pixel map cannot be drawn.
        """
        record = PixPat.copied(self._memory.contents(pattern)[: PixPat.size])
        if record.patType not in (PIXELS, COLOR):
            return None
        data = self._memory.contents(record.patMap)
        pixel_map = PixMap.copied(data[: PixMap.size])
        table = self._memory.contents(pixel_map.pmTable)
        pixels = b"" if record.patType == COLOR else self._memory.contents(record.patData)
        key = data, table, pixels, space
        if key not in self._kept:
            if len(self._kept) > 64:
                self._kept.clear()
            if record.patType == COLOR:
                self._kept[key] = mixed(rgb(table[-6:]), space)
            else:
                self._kept[key] = self._pixels(pixel_map, pixels, table, space)
        return self._kept[key]

    def _pixels(self, pixel_map: PixMap, pixels: bytes, table: bytes, space: ColorSpace) -> Pixels:
        bounds, row_bytes = pixel_map.bounds, pixel_map.rowBytes & _ROW_BYTES
        try:
            bitmap = as_bitmap(pixels, row_bytes, bounds, pixel_map.pixelSize, table)
        except UsageError as error:
            raise self.host.misuse("damaged resource", f"a pixel pattern has {error}") from error
        if bounds.empty:
            raise self.host.misuse("damaged resource", "a pixel pattern has no pixels")
        return space.converted(bitmap.pixels(bounds), bitmap.space)


def mixed(color: Rgb, space: ColorSpace) -> Pixels:
    """Two by two pixels whose mean is near to a colour: the thresholds of ordered dithering.

    Those of 8 bits are of the six levels of red, green and blue among the standard colours; of
    less bits they are black, white and the full colours as far as there are any.
    """
    if space.depth > 8:
        return np.full((1, 1), pixel_of(color, space))
    steps = 5 if space.depth == 8 else 1
    thresholds = np.array([[1, 5], [7, 3]])[:, :, None] / 8
    if space.depth == 1:
        weights = np.array((299, 587, 114))
        lightness = float(np.array(color) @ weights) / (1000 * 0xFFFF)
        return (lightness + thresholds[:, :, 0] < 1).astype(np.uint8)
    levels = np.floor(np.array(color) / 0xFFFF * steps + thresholds)
    return space.pixels((levels * 255 // steps).astype(np.int64))
