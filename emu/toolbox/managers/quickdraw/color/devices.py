"""Graphics devices: the screen's, and those that programs make to draw offscreen.

Whatever looks for a screen finds the one there is, with its pixel map and its table of standard
colours. The device that a program sets is the current one, whose colours Color2Index and its like
look at.
Sources: Inside Macintosh V, chapter "Graphics Devices"; VI, chapter "Graphics Devices Manager"
(DeviceLoop); Imaging With QuickDraw, chapter 5.
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.quickdraw import DEPTHS, ColorSpace, Rectangle, standard_palette
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.deep_pixels import (
    pixel_map,
    set_depth,
    table_space,
)
from emu.toolbox.managers.quickdraw.ports.inks import background, foreground, pixel_of
from emu.toolbox.records.quickdraw import CGrafPort, ColorTable, GDevice, PixMap
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.windows import WindowRecord
from emu.toolbox.system_file.color_tables import table_bytes

_THE_DEVICE = 0xCC8
_DEVICE_GLOBALS = (0x8A4, 0x8A8, _THE_DEVICE)
"""MainDevice, DeviceList and TheGDevice (Inside Macintosh V, appendix D)."""
_MOST_WINDOWS = 1000
_FIRST_MODE = 128

INDEXED, FIXED, DIRECT = range(3)
"""What gdType says: pixels by a table that programs may change or not, or with their colours."""
_HEADING = (
    "PROCEDURE Draw (depth: INTEGER; deviceFlags: INTEGER; targetDevice: Handle; userData: LONGINT)"
)
_NO_VIDEO_MODE = 0xFFFFFFFF
"""The mode -1: there is no video card, and the program fills in the record."""
_INVERSE_TABLE_BITS = 4
_COLORS_FLAG = 1


def mode_of(depth: int) -> int:
    """The video mode of a depth: 128 for 1 bit, 129 for 2, 130 for 4 and so on."""
    return _FIRST_MODE + depth.bit_length() - 1


def depth_of(mode: int) -> int:
    """The bits a pixel that a video mode has."""
    return 1 << min(max(mode - _FIRST_MODE, 0), 15)


class GraphicsDevices(Manager):
    """The screen's device, and which device is the current one."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _bit_maps: BitMaps

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
        screen, table = self._quickdraw.screen, self.screen_table()
        base = self.host.layout.screen
        return pixel_map(base, screen.row_bytes, screen.bounds, screen.depth, table)

    def current_pixel_map(self) -> bytes:
        """The PixMap record of the current device."""
        device = self.get_g_device()
        handle = GDevice(self.guest, self._memory.address(device)).gdPMap
        if device == self.get_main_device() or self._memory.handle_size(handle) < PixMap.size:
            return self.screen_pixel_map()
        return self._memory.contents(handle)

    def pixels(self, device: int) -> PixMap:
        """The pixel map of a device."""
        record = GDevice(self.guest, self._memory.address(device))
        return PixMap(self.guest, self._memory.address(record.gdPMap))

    def screen_table(self) -> int:
        """The handle of the screen's colour table."""
        return self.pixels(self.get_main_device()).pmTable

    def table(self) -> int:
        """The handle of the current device's colour table."""
        return self.pixels(self.get_g_device()).pmTable

    def space(self) -> ColorSpace:
        """What pixel values mean on the current device."""
        pixels = self.pixels(self.get_g_device())
        if pixels.baseAddr == self.host.layout.screen:
            return self._quickdraw.screen.space
        space = table_space(self._bit_maps.table(pixels.read()), pixels.pixelSize)
        return space or self._quickdraw.screen.space

    def new_table(self, depth: int) -> int:
        """A new handle with the standard colours of a depth; 0 if memory is full."""
        return self._memory.handle_from(self.standard_table(depth))

    def standard_table(self, depth: int) -> bytes:
        """The colour table of the standard colours of a depth; with 16 and 32 bits it is empty."""
        if depth > 8:
            header = ColorTable.copied()
            header.ctSeed, header.ctSize = depth, -1
            return header.read()
        return table_bytes(standard_palette(depth), depth)

    @routine("FUNCTION GetMainDevice : Handle")
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
            device.gdPMap, device.gdRect = pixels, screen.bounds
            self._describe(device)
            memory.lock(handle)
            self._device, self._bit_maps.screen_table = handle, table
        return self._device

    def restore_table(self) -> None:
        """Give the screen the standard colours of its depth."""
        table = self.standard_table(self._quickdraw.screen.depth)
        self._memory.set_contents(self.screen_table(), table)
        self._bit_maps.show_table()

    def _describe(self, device: GDevice) -> None:
        """Let the screen's device say what kind of pixels it has."""
        depth = self._quickdraw.screen.depth
        device.gdType = DIRECT if depth > 8 else FIXED if depth == 1 else INDEXED
        # Attributes: screen, active, main, no driver, and colours if there are any.
        device.gdFlags = 0xAC00 | (depth > 1)
        device.gdMode = mode_of(depth)

    def set_screen_depth(self, depth: int) -> None:
        """Give the screen other bits a pixel; its ports and its colour table know of it."""
        self._bit_maps.set_screen_depth(depth)
        main = self.get_main_device()
        self.restore_table()
        self._describe(GDevice(self.guest, self._memory.address(main)))
        self._set_pixels(self.pixels(main))
        for port in self._window_ports():
            if self._quickdraw.is_color_port(port):
                record = CGrafPort(self.guest, port)
                pixels = PixMap(self.guest, self._memory.address(record.portPixMap))
                if pixels.baseAddr == self.host.layout.screen:
                    self._set_pixels(pixels)
                    space, given = self._quickdraw.screen.space, record.read()
                    record.fgColor = pixel_of(foreground(given), space)
                    record.bkColor = pixel_of(background(given), space)

    def _set_pixels(self, pixels: PixMap) -> None:
        screen = self._quickdraw.screen
        pixels.rowBytes = screen.row_bytes | 0x8000
        set_depth(pixels, screen.depth)

    def _window_ports(self) -> Iterator[int]:
        """The ports of the windows, and that of the Window Manager."""
        manager = self.guest.u32(LowMemory.WINDOW_MANAGER_COLOR_PORT)
        if manager:
            yield manager
        window = self.guest.u32(LowMemory.WINDOW_LIST)
        for _ in range(_MOST_WINDOWS):
            if not window:
                return
            yield window
            window = WindowRecord(self.guest, window).nextWindow

    @routine("FUNCTION NewPixMap : PixMapHandle")
    def new_pix_map(self) -> int:
        """A pixel map like the screen's, without pixels, and with an empty colour table."""
        memory, record = self._memory, PixMap.copied(self.screen_pixel_map())
        record.baseAddr, record.pmTable = 0, memory.handle_from(ColorTable.copied().read())
        return memory.handle_from(record.read()) if record.pmTable else 0

    @routine("PROCEDURE DisposePixMap (pm: PixMapHandle)")
    def dispose_pix_map(self, pixels: int) -> None:
        """Free a pixel map and its colour table."""
        if self._memory.handle_size(pixels) >= PixMap.size:
            table = PixMap(self.guest, self._memory.address(pixels)).pmTable
            if table and table != self.screen_table():
                self._memory.dispose_handle(table)
        self._memory.dispose_handle(pixels)

    @routine("PROCEDURE CopyPixMap (srcPM,dstPM: PixMapHandle)")
    def copy_pix_map(self, source: int, target: int) -> None:
        """Copy a pixel map and its colours; the pixels are those of both then."""
        memory = self._memory
        for handle in (source, target):
            size = memory.handle_size(handle)
            if size < PixMap.size:
                problem = f"handle 0x{handle:x} of {size} bytes is no pixel map"
                raise self.host.misuse("bit map", problem)
        record = PixMap.copied(memory.contents(source))
        table = PixMap.pmTable.of(memory.contents(target))
        memory.set_contents(table, memory.contents(record.pmTable))
        record.pmTable = table
        memory.set_contents(target, record.read())

    @routine("FUNCTION GetGDevice : Handle")
    def get_g_device(self) -> int:
        """The current device: the screen's, unless a program has set another."""
        device = self.guest.u32(_THE_DEVICE)
        return device if self._is_device(device) else self.get_main_device()

    def _is_device(self, handle: int) -> bool:
        memory = self._memory
        return memory.is_handle(handle) and memory.handle_size(handle) >= GDevice.size

    @routine("FUNCTION GetDeviceList : Handle")
    def get_device_list(self) -> int:
        """The first device, which is the screen's."""
        return self.get_main_device()

    @routine("FUNCTION GetNextDevice (curDevice: Handle): Handle")
    def get_next_device(self, device: int) -> int:
        """The device after another one in the list, in which the screen's is alone."""
        if not self._is_device(device):
            return 0
        return GDevice(self.guest, self._memory.address(device)).gdNextGD

    @routine("FUNCTION GetMaxDevice (globalRect: Rect): Handle")
    def get_max_device(self, r: int) -> int:
        """The deepest device that a rectangle touches, which is the screen's."""
        return self.get_main_device()

    @routine("PROCEDURE SetGDevice (gd: Handle)")
    def set_g_device(self, device: int) -> None:
        """Make a device the current one."""
        if self._is_device(device):
            self.guest.put32(_THE_DEVICE, device)
        elif device:
            self.host.report("device", f"SetGDevice was given 0x{device:x}, which is no device")

    @routine("FUNCTION TestDeviceAttribute (gdh: Handle; attribute: INTEGER): BOOLEAN")
    def test_device_attribute(self, device: int, attribute: int) -> bool:
        """Whether a flag of a device is set."""
        if not 0 <= attribute < 16:
            return False
        return bool(GDevice(self.guest, self._memory.address(device)).gdFlags >> attribute & 1)

    @routine("FUNCTION HasDepth (gd: Handle; depth,whichFlags,flags: INTEGER): INTEGER")
    def has_depth(self, device: int, depth: int, which: int, flags: int) -> int:
        """The video mode with that many bits a pixel; 0 if the screen has none."""
        bits = depth_of(depth) if depth >= _FIRST_MODE else depth
        here = device in (0, self.get_main_device()) and self.host.settings.depth > 1
        can_be = bits == self._quickdraw.screen.depth or (
            here and bits in DEPTHS and bits <= self.host.settings.depth
        )
        return mode_of(bits) if can_be else 0

    @routine("FUNCTION SetDepth (gd: Handle; depth,whichFlags,flags: INTEGER): INTEGER")
    def set_depth(self, device: int, depth: int, which: int, flags: int) -> int:
        """Give the screen other bits a pixel; an error if its memory is not enough for them."""
        mode = self.has_depth(device, depth, which, flags)
        if not mode:
            return ResultCode.cDepthErr
        if depth_of(mode) != self._quickdraw.screen.depth:
            self.set_screen_depth(depth_of(mode))
        return 0


class DeviceLoopManager(Manager):
    """Calls a drawing routine of the program for the one screen there is."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _devices: GraphicsDevices

    @routine(
        "PROCEDURE DeviceLoop (drawingRgn: RgnHandle; drawingProc: ProcPtr; userData: LONGINT; "
        "flags: LONGINT)"
    )
    def device_loop(self, region: int, procedure: int, data: int, flags: int) -> None:
        """Let a part of the current port be drawn with the screen's depth.

        Where there is one screen, Apple's ROM sources of 1994 (QuickDraw/DeviceLoop.a) do not look
        at the region: it may be empty, or nil.
        """
        device = self._devices.get_main_device()
        gd_flags = GDevice(self.guest, self._memory.address(device)).gdFlags
        depth = self._quickdraw.screen.depth
        self.host.call_guest(procedure, _HEADING, depth, gd_flags, device, data)


class NewDevices(Manager):
    """Records of graphics devices other than the screen's."""

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

    @routine("PROCEDURE DisposeGDevice (gdh: Handle)")
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
