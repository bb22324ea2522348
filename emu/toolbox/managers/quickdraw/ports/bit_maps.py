"""Which pixels of guest memory BitMap and PixMap records lead to, and what CopyBits is to copy."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw import (
    ColorSpace,
    Palette,
    PixelRegion,
    PixelView,
    Rectangle,
    bytes_in_row,
    copy_bits,
    standard_space,
)
from emu.quickdraw.color_space import palette_space
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.ports.deep_pixels import table_space
from emu.toolbox.records.quickdraw import BitMap, ColorTable, PixMap


class BitMaps(Manager):
    """Pixels by the addresses of the records that describe them.

    Attributes:
        screen: the screen's pixels, in global coordinates, in the colours of its table.
        screen_table: the handle of that table; 0 until there is one.
    """

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self.screen = self._screen_of(self.host.settings.depth)
        self.screen_table = self._seed = 0
        self._hardware: Palette | None = None

    def start(self) -> None:
        """Tell low memory of the screen."""
        self.guest.put16(LowMemory.SCREEN_ROW_BYTES, self.screen.row_bytes)

    def _screen_of(self, depth: int, space: ColorSpace | None = None) -> PixelView:
        width, height = self.host.settings.screen
        row_bytes = bytes_in_row(width, depth)
        bounds = Rectangle(0, 0, height, width)
        return self.guest.pixels(self.host.layout.screen, row_bytes, bounds, depth, space)

    def set_screen_depth(self, depth: int) -> None:
        """Give the screen other bits a pixel, at most as many as at first; it shows the same."""
        old = self.screen
        pixels = old.grid.copy().view("u1").reshape(-1)
        copy = PixelView(pixels, old.row_bytes, old.bounds, old.depth, old.space)
        self.screen, self._hardware = self._screen_of(depth), None
        copy_bits(copy, old.bounds, self.screen, old.bounds)
        self.start()

    def show_table(self) -> None:
        """Show the screen's pixels in the colours of its table, which may have changed."""
        self._draw_by_table()
        self._hardware = None

    def follow_table(self) -> None:
        """Draw by the screen's table if it has another seed, and show what is shown.

        A Macintosh makes its inverse table anew then. Games that have faded to black write the
        colours back into the table by themselves before they draw what they fade in.
        """
        if self.screen_table:
            seed = self.guest.u32(self.guest.u32(self.screen_table))
            if seed != self._seed:
                palette = getattr(self.display.space, "palette", None)
                self._draw_by_table()
                self._hardware = palette

    def _draw_by_table(self) -> None:
        table = self._memory.contents(self.screen_table)
        self._seed = ColorTable.ctSeed.of(table)
        space = table_space(table, self.screen.depth)
        if space is not None and space is not self.screen.space:
            self.screen = self._screen_of(self.screen.depth, space)

    def show(self, palette: Palette) -> None:
        """Let the user see other colours, of which the table does not know, until it changes."""
        self._hardware = palette

    @property
    def display(self) -> PixelView:
        """The screen as the user sees it."""
        if self._hardware is None:
            return self.screen
        return self._screen_of(self.screen.depth, palette_space(self._hardware.tobytes()))

    def at(self, address: int) -> PixelView:
        """The pixels that a BitMap or PixMap record leads to; they are those of the guest.

        Raises:
            MisuseError: it is not one that can be drawn.
        """
        guest = self.guest
        if self._is_port_bits(address):
            address = self._memory.address(guest.u32(address))
        data = guest.read(address, BitMap.size)
        base, row_bytes = PixMap.baseAddr.of(data), PixMap.rowBytes.of(data)
        bounds, depth, space = PixMap.bounds.of(data), 1, None
        if base == self.host.layout.screen:  # however it was when the record was made
            screen = self.screen
            depth, space, row_bytes = screen.depth, screen.space, screen.row_bytes
        elif row_bytes & 0x8000:
            data = guest.read(address, PixMap.size)
            depth = PixMap.pixelSize.of(data)
            space = table_space(self.table(data), depth)
        row_bytes &= 0x3FFF
        room = row_bytes * 8 // max(depth, 1)
        if 0 < room < bounds.width:
            self.host.report(
                "bit map",
                f"a bit map {bounds.width} pixels wide has rows of {row_bytes} bytes: what lies "
                "beyond them belongs to the next row on a Mac, and is not drawn here",
            )
            bounds = Rectangle(bounds.top, bounds.left, bounds.bottom, bounds.left + room)
        try:
            return guest.pixels(base, row_bytes, bounds, depth, space)
        except UsageError as error:
            raise self.host.misuse("bit map", f"there is {error}, at 0x{address:x}") from error

    def table(self, record: bytes) -> bytes:
        """The colour table of a PixMap record's bytes; b"" if it needs none or has none."""
        handle = PixMap.pmTable.of(record)
        if PixMap.pixelSize.of(record) > 8 or not self._memory.is_handle(handle):
            return b""
        return self._memory.contents(handle)

    def base_address(self, address: int) -> int:
        """Where the pixels of a BitMap or PixMap record begin; 0 if its handle is none."""
        if self._is_port_bits(address):
            handle = self.guest.u32(address)
            address = self._memory.address(handle) if self._memory.is_handle(handle) else 0
        return self.guest.u32(address) if address else 0

    def _is_port_bits(self, address: int) -> bool:
        """Whether a record is the portBits of a colour port, where the handle of its PixMap is."""
        return BitMap(self.guest, address).rowBytes & 0xC000 == 0xC000


@dataclass(frozen=True, slots=True)
class CopiedPixels:
    """Pixels to be copied.

    Attributes:
        bitmap: where they are.
        source: the rectangle that is copied, in the bit map's coordinates.
        destination: the rectangle that it fills, stretched or shrunk, in the port's coordinates.
        mode: the transfer mode.
        mask: the pixels of the destination that may change; None for all.
    """

    bitmap: PixelView
    source: Rectangle
    destination: Rectangle
    mode: int
    mask: PixelRegion | None = None


def in_black_and_white(copied: CopiedPixels) -> CopiedPixels:
    """The same with pixels of one bit, in which colours are the nearer of black and white."""
    given = copied.bitmap
    if given.depth == 1:
        return copied
    row_bytes = bytes_in_row(given.bounds.width, 1)
    bits = PixelView(np.zeros(row_bytes * given.bounds.height, np.uint8), row_bytes, given.bounds)
    pixels = given.pixels(given.bounds)
    bits.put(given.bounds, standard_space(1).converted(pixels, given.space))
    return replace(copied, bitmap=bits)
