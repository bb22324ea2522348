"""Colour icons ('cicn') and colour cursors ('crsr').

Sources: Inside Macintosh: More Macintosh Toolbox, chapter 5 (the record and the resource); V,
chapter 4 "Color QuickDraw" (cursors).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.quickdraw import PixelView
from emu.quickdraw.color_space import ColorSpace, IndexedColorSpace, palette_space
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.icons.images import IconImage
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.cursor import CursorManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.deep_pixels import as_bitmap, standard_pixels, table_size
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.quickdraw import BitMap, CCrsr, CIcon, PixMap

_ROW_BYTES = 0x3FFF
_CURSOR_PARTS = slice(CCrsr.crsr1Data.offset, CCrsr.crsrXTable.offset)
"""Image, mask and hot spot, in the order that a Cursor has them."""


class ColorIcons(Manager):
    """Color QuickDraw's icons and cursors."""

    _memory: MemoryManager
    _resources: ResourceManager
    _quickdraw: QuickDraw
    _cursor: CursorManager

    def __post_init__(self) -> None:
        self._made: set[int] = set()

    def has_made(self, handle: int) -> bool:
        """Whether a handle is a colour icon of GetCIcon."""
        return handle in self._made

    # -- icons -------------------------------------------------------------------------------------

    @routine("FUNCTION GetCIcon (id: INTEGER): CIconHandle")
    def get_c_icon(self, number: int) -> int:
        """A new colour icon as a 'cicn' resource has it; nil if there is none."""
        data = self._resources.data("cicn", number)
        if data is None or len(data) < CIcon.size:
            return 0
        record = CIcon.copied(data[: CIcon.size])
        table = CIcon.size + _size(record.iconMask) + _size(record.iconBMap)
        pixels = table + table_size(data[table:])
        record.iconPMap.pmTable = self._memory.handle_from(data[table:pixels])
        record.iconData = self._memory.handle_from(data[pixels:])
        icon = self._memory.handle_from(record.read() + data[CIcon.size : table])
        self._made.add(icon)
        return icon

    @routine("PROCEDURE DisposeCIcon (theIcon: CIconHandle)")
    def dispose_c_icon(self, icon: int) -> None:
        """Free a colour icon and what belongs to it."""
        self._made.discard(icon)
        record = CIcon(self.guest, self._memory.address(icon))
        for handle in (record.iconPMap.pmTable, record.iconData, icon):
            self._memory.dispose_handle(handle)

    @routine("PROCEDURE PlotCIcon (theRect: Rect; theIcon: CIconHandle)")
    def plot_c_icon(self, r: int, icon: int) -> None:
        """Draw a colour icon, stretched or shrunk to a rectangle; on one bit its bit map.

        The base addresses of its mask and bit map stay where it was drawn from, as on a Mac:
        Hexmines and Bikaka call BitMapToRegion with the mask of an icon that they have drawn.
        """
        if not icon:
            return
        self.image(icon).plot(self._quickdraw, self._quickdraw.rectangle(r))
        record = CIcon(self.guest, self._memory.address(icon))
        mask = record.address + CIcon.size
        record.iconMask.baseAddr = mask
        record.iconBMap.baseAddr = mask + _size(record.iconMask)

    def image(self, icon: int) -> IconImage:
        """The pixels and the mask of a colour icon, for the current port.

        Raises:
            GuestStopped: its pixel map cannot be drawn.
        """
        data = self._memory.contents(icon)
        record, quickdraw = CIcon.copied(data[: CIcon.size]), self._quickdraw
        pixel_map = record.iconPMap
        masks = data[CIcon.size :]
        mask, masks = _bits(record.iconMask, masks)
        if quickdraw.canvas(quickdraw.port).bitmap.depth == 1 and record.iconBMap.rowBytes:
            return IconImage(
                _bits(record.iconBMap, masks)[0] * np.uint8(255), mask.astype(np.bool_)
            )
        table = self._memory.contents(pixel_map.pmTable)
        pixels = self._memory.contents(record.iconData)
        try:
            bitmap = as_bitmap(
                pixels,
                pixel_map.rowBytes & _ROW_BYTES,
                pixel_map.bounds,
                pixel_map.pixelSize,
                table,
            )
        except UsageError as error:
            raise self.host.misuse("damaged resource", f"a colour icon has {error}") from error
        shape, space = _of_eight_bits(bitmap)
        over = np.zeros(shape.shape, np.bool_)
        height, width = (min(a, b) for a, b in zip(shape.shape, mask.shape, strict=True))
        over[:height, :width] = mask[:height, :width]
        return IconImage(shape, over, space)

    # -- cursors -----------------------------------------------------------------------------------

    @routine("FUNCTION GetCCursor (crsrID: INTEGER): Handle")
    def get_c_cursor(self, number: int) -> int:
        """A new colour cursor as a 'crsr' resource has it; nil if there is none."""
        data = self._resources.data("crsr", number)
        if data is None or len(data) < CCrsr.size:
            return 0
        record, memory = CCrsr.copied(data[: CCrsr.size]), self._memory
        pixel_map = PixMap.copied(data[record.crsrMap : record.crsrMap + PixMap.size])
        table = pixel_map.pmTable
        image = data[record.crsrData : table]
        pixel_map.pmTable = memory.handle_from(data[table : table + table_size(data[table:])])
        record.crsrMap, record.crsrData = (
            memory.handle_from(pixel_map.read()),
            memory.handle_from(image),
        )
        record.crsrXData = record.crsrXHandle = 0
        return memory.handle_from(record.read())

    @routine("PROCEDURE SetCCursor (cCrsr: Handle)")
    def set_c_cursor(self, cursor: int) -> None:
        """Another image: that of one bit, since the cursor is kept track of and never drawn."""
        self._cursor.image = self._memory.contents(cursor)[_CURSOR_PARTS]

    @routine("PROCEDURE DisposeCCursor (cCrsr: Handle)")
    def dispose_c_cursor(self, cursor: int) -> None:
        """Free a colour cursor and what belongs to it."""
        record = CCrsr(self.guest, self._memory.address(cursor))
        table = PixMap(self.guest, self._memory.address(record.crsrMap)).pmTable
        for handle in (table, record.crsrMap, record.crsrData, cursor):
            self._memory.dispose_handle(handle)

    @routine("PROCEDURE AllocCursor")
    def alloc_cursor(self) -> None:
        """Prepare the cursor for a new depth of the screen: nothing is kept for it."""


def _size(bits: BitMap) -> int:
    """How many bytes the rows of a bit map take."""
    return (bits.rowBytes & _ROW_BYTES) * bits.bounds.height


def _of_eight_bits(bitmap: PixelView) -> tuple[NDArray[np.uint8], ColorSpace | None]:
    """The pixels of a bit map as numbers of eight bits, and the colours that they mean.

    They keep the colours of their own table: the nearest standard colours may be far from those
    that the screen has.
    """
    space = bitmap.space
    if not isinstance(space, IndexedColorSpace):
        return standard_pixels(bitmap), None
    palette = np.full((256, 3), 255, np.uint8)
    palette[: len(space.palette)] = space.palette
    pixels = bitmap.pixels(bitmap.bounds).astype(np.uint8)
    return pixels, palette_space(palette.tobytes())


def _bits(
    record: BitMap, data: bytes
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.uint8]], bytes]:
    """The pixels of a bit map whose rows some data begin with, and the data after them."""
    size = _size(record)
    rows = np.frombuffer(data[:size].ljust(size, b"\0"), np.uint8)
    rows = rows.reshape(record.bounds.height, record.rowBytes & _ROW_BYTES)
    return np.unpackbits(rows, axis=1)[:, : record.bounds.width], data[size:]
