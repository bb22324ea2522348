"""The screen's graphics device, with its pixel map and its table of standard colours.

There is one device, the screen's: whatever looks for a device finds that one.
Sources: Inside Macintosh V, chapter "Graphics Devices"; Imaging With QuickDraw, chapter 5.
"""

from __future__ import annotations

import numpy as np

from emu.quickdraw import Rectangle
from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.manager import QuickDraw
from emu.toolbox.records.quickdraw import ColorSpec, ColorTable, GDevice, PixMap

_RESOLUTION = 0x00480000
"""72 dots an inch, as a Fixed."""
_DEPTH_ERROR = -157
_DEVICE_GLOBALS = (0x8A4, 0x8A8, 0xCC8)
"""MainDevice, DeviceList and TheGDevice (Inside Macintosh V, appendix D)."""

SCREEN_DEPTHS = {1: 2, 8: 256}
"""The bits a pixel that a screen may have, and how many colours it has with them."""


def pixel_map(base: int, row_bytes: int, bounds: Rectangle, depth: int, table: int) -> bytes:
    """A PixMap record (Inside Macintosh V, p. V-52)."""
    record = PixMap.copied()
    record.baseAddr, record.rowBytes, record.bounds = base, row_bytes | 0x8000, bounds
    record.hRes = record.vRes = _RESOLUTION
    record.pixelSize = record.cmpSize = depth
    record.cmpCount, record.pmTable = 1, table
    return record.read()


class GraphicsDevices(Manager):
    """The screen's device."""

    title = "Color QuickDraw"

    _memory: MemoryManager
    _quickdraw: QuickDraw

    def __post_init__(self) -> None:
        self._device = 0

    def start(self) -> None:
        """Low memory knows the device of a colour screen."""
        if self._quickdraw.screen.depth > 1:
            device = self.get_main_device()
            for place in _DEVICE_GLOBALS:
                self.guest.put32(place, device)

    def screen_pixel_map(self) -> bytes:
        """The screen's PixMap record, with a handle of its colours."""
        screen = self._quickdraw.screen
        base = self.host.layout.screen
        return pixel_map(base, screen.row_bytes, screen.bounds, screen.depth, self.table())

    def table(self) -> int:
        """The handle of the screen's colour table."""
        device = GDevice(self.guest, self.device())
        return PixMap(self.guest, self._memory.address(device.gdPMap)).pmTable

    def new_table(self, depth: int) -> int:
        """A new handle with the standard colours of a depth; 0 if memory is full."""
        return self._memory.handle_from(self.standard_table(depth))

    def standard_table(self, depth: int) -> bytes:
        """The colour table of the standard colours of a depth."""
        count = SCREEN_DEPTHS[depth]
        header, entries = ColorTable.copied(), np.zeros(count, ColorSpec.dtype())
        header.ctSeed, header.ctSize = depth, count - 1
        entries["value"] = range(count)
        entries["rgb"] = [self._quickdraw.inks.color_of(pixel, depth) for pixel in range(count)]
        return header.read() + entries.tobytes()

    def device(self) -> int:
        """The address of the screen's GDevice record."""
        return self._memory.address(self.get_main_device())

    @routine("FUNCTION GetMainDevice : Handle", trap=0xAA2A)
    def get_main_device(self) -> int:
        """The screen's device."""
        if not self._device:
            memory, quickdraw = self._memory, self._quickdraw
            screen = quickdraw.screen
            table = self.new_table(screen.depth)
            record = pixel_map(
                self.host.layout.screen, screen.row_bytes, screen.bounds, screen.depth, table
            )
            pixels = memory.handle_from(record)
            handle = memory.new_handle(GDevice.size, True)
            device = GDevice(self.guest, memory.address(handle))
            device.gdType = 0 if screen.depth == 8 else 1
            # Attributes: screen, active, main, no driver, and colours if there are any.
            device.gdFlags = 0xAC00 | (screen.depth == 8)
            device.gdPMap, device.gdRect = pixels, screen.bounds
            memory.lock(handle)
            self._device = handle
        return self._device

    @routine("FUNCTION NewPixMap : PixMapHandle", trap=0xAA03, moves_memory=True)
    def new_pix_map(self) -> int:
        """A pixel map like the screen's, without pixels, and with an empty colour table."""
        memory, record = self._memory, PixMap.copied(self.screen_pixel_map())
        record.baseAddr, record.pmTable = 0, memory.handle_from(ColorTable.copied().read())
        return memory.handle_from(record.read()) if record.pmTable else 0

    @routine("PROCEDURE DisposePixMap (pm: PixMapHandle)", trap=0xAA04, imports=("DisposPixMap",))
    def dispose_pix_map(self, pixels: int) -> None:
        """Free a pixel map and its colour table."""
        if self._memory.handle_size(pixels) >= PixMap.size:
            table = PixMap(self.guest, self._memory.address(pixels)).pmTable
            if table and table != self.table():
                self._memory.dispose_handle(table)
        self._memory.dispose_handle(pixels)

    @routine("PROCEDURE CopyPixMap (srcPM,dstPM: PixMapHandle)", trap=0xAA05, moves_memory=True)
    def copy_pix_map(self, source: int, target: int) -> None:
        """Copy a pixel map and its colours; the pixels are those of both then."""
        memory = self._memory
        for handle in (source, target):
            size = memory.handle_size(handle)
            if size < PixMap.size:
                raise self.host.stopped(f"handle 0x{handle:x} of {size} bytes is no pixel map")
        record = PixMap.copied(memory.contents(source))
        table = PixMap.pmTable.of(memory.contents(target))
        memory.set_contents(table, memory.contents(record.pmTable))
        record.pmTable = table
        memory.set_contents(target, record.read())

    @routine("FUNCTION GetGDevice : Handle", trap=0xAA32)
    def get_g_device(self) -> int:
        """The current device, which is the screen's."""
        return self.get_main_device()

    @routine("FUNCTION GetDeviceList : Handle", trap=0xAA29)
    def get_device_list(self) -> int:
        """The first device, which is the screen's."""
        return self.get_main_device()

    @routine("FUNCTION GetNextDevice (curDevice: Handle): Handle", trap=0xAA2B)
    def get_next_device(self, device: int) -> int:
        """There is no other."""
        return 0

    @routine("FUNCTION GetMaxDevice (globalRect: Rect): Handle", trap=0xAA27)
    def get_max_device(self, r: int) -> int:
        """The deepest device that a rectangle touches, which is the screen's."""
        return self.get_main_device()

    @routine("PROCEDURE SetGDevice (gd: Handle)", trap=0xAA31)
    def set_g_device(self, device: int) -> None:
        """There is one device only."""
        if device not in (0, self._device):
            self.host.report("device", f"SetGDevice was given 0x{device:x}, which is no device")

    @routine("FUNCTION TestDeviceAttribute (gdh: Handle; attribute: INTEGER): BOOLEAN", trap=0xAA2C)
    def test_device_attribute(self, device: int, attribute: int) -> bool:
        """Whether a flag of a device is set."""
        if not 0 <= attribute < 16:
            return False
        return bool(GDevice(self.guest, self._memory.address(device)).gdFlags >> attribute & 1)

    @routine(
        "FUNCTION HasDepth (gd: Handle; depth,whichFlags,flags: INTEGER): INTEGER",
        trap=0xAAA2,
        selector=("D0 byte", 0xA14),
    )
    def has_depth(self, device: int, depth: int, which: int, flags: int) -> int:
        """Not 0 if the screen has that many bits a pixel."""
        return int(depth == self._quickdraw.screen.depth)

    @routine(
        "FUNCTION SetDepth (gd: Handle; depth,whichFlags,flags: INTEGER): INTEGER",
        trap=0xAAA2,
        selector=("D0 byte", 0xA13),
    )
    def set_depth(self, device: int, depth: int, which: int, flags: int) -> int:
        """Give the screen other bits a pixel; an error unless it has so many."""
        return 0 if self.has_depth(device, depth, which, flags) else _DEPTH_ERROR
