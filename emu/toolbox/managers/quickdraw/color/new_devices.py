"""Graphics devices that programs make, to draw offscreen with colours of their own.

Sources: Inside Macintosh V, chapter "Graphics Devices"; Imaging With QuickDraw, chapter 5.
"""

from __future__ import annotations

from emu.quickdraw import DEPTHS, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.devices import (
    DIRECT,
    INDEXED,
    GraphicsDevices,
    depth_of,
    mode_of,
)
from emu.toolbox.managers.quickdraw.ports.deep_pixels import pixel_map
from emu.toolbox.records.quickdraw import GDevice, PixMap

_NO_VIDEO_MODE = 0xFFFFFFFF
"""The mode -1: there is no video card, and the program fills in the record."""
_INVERSE_TABLE_BITS = 4
_COLORS_FLAG = 1


class NewDevices(Manager):
    """Records of graphics devices other than the screen's."""

    title = "Color QuickDraw"

    _memory: MemoryManager
    _devices: GraphicsDevices

    @routine("FUNCTION NewGDevice (refNum: INTEGER; mode: LONGINT): Handle")
    def new_g_device(self, reference: int, mode: int) -> int:
        """A new device with empty tables; with the mode -1 a program fills in all else itself."""
        memory = self._memory
        table = self._devices.new_table(16)
        map_ = memory.handle_from(pixel_map(0, 0, Rectangle(0, 0, 0, 0), 1, table)) if table else 0
        inverse = memory.new_handle(2) if map_ else 0
        device = memory.new_handle(GDevice.size, True) if inverse else 0
        if not device:
            for handle in (table, map_, inverse):
                if handle:
                    memory.dispose_handle(handle)
            return 0
        record = GDevice(self.guest, memory.address(device))
        record.gdRefNum, record.gdPMap, record.gdITable = reference, map_, inverse
        record.gdResPref, record.gdMode = _INVERSE_TABLE_BITS, mode
        if mode & 0xFFFFFFFF != _NO_VIDEO_MODE:
            self.init_g_device(reference, mode, device)
        return device

    @routine("PROCEDURE InitGDevice (gdRefNum: INTEGER; mode: LONGINT; gdh: Handle)")
    def init_g_device(self, reference: int, mode: int, device: int) -> None:
        """Set up a device's record for a video mode: 128 is that with the fewest bits a pixel."""
        memory, depth = self._memory, depth_of(mode)
        if memory.handle_size(device) < GDevice.size or depth not in DEPTHS:
            self.host.report(
                "device", f"InitGDevice was given the device 0x{device:x} and the mode {mode}"
            )
            return
        record = GDevice(self.guest, memory.address(device))
        record.gdRefNum, record.gdMode = reference, mode_of(depth)
        record.gdType = DIRECT if depth > 8 else INDEXED
        record.gdFlags = record.gdFlags & ~_COLORS_FLAG | (depth > 1)
        table = self._devices.standard_table(depth)
        if memory.handle_size(record.gdPMap) >= PixMap.size:
            pixels = PixMap(self.guest, memory.address(record.gdPMap))
            handle = pixels.pmTable
            pixels.write(pixel_map(0, 0, Rectangle(0, 0, 0, 0), depth, handle))
            if memory.is_handle(handle):
                memory.set_contents(handle, table)

    @routine("PROCEDURE DisposeGDevice (gdh: Handle)", imports=("DisposGDevice",))
    def dispose_g_device(self, device: int) -> None:
        """Free a device and what belongs to it; the screen's stays."""
        memory, devices = self._memory, self._devices
        if device == devices.get_main_device() or memory.handle_size(device) < GDevice.size:
            self.host.report(
                "device", f"DisposeGDevice was given 0x{device:x}, which no program has made"
            )
            return
        if devices.get_g_device() == device:
            devices.set_g_device(devices.get_main_device())
        record = GDevice(self.guest, memory.address(device))
        pixels = record.gdPMap
        for handle in (record.gdITable, record.gdCCXData, record.gdCCXMask):
            if memory.is_handle(handle):
                memory.dispose_handle(handle)
        if memory.is_handle(pixels):
            devices.dispose_pix_map(pixels)
        memory.dispose_handle(device)
