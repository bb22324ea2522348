"""Offscreen graphics worlds.

Their pixels are in a block that never moves, so locking them is only noted. Each has a device of
its own, unless the program gives one to be used.
Source: Inside Macintosh: Imaging With QuickDraw, chapter 6.
"""

from __future__ import annotations

from emu.quickdraw import DEPTHS, PixelRegion, Rectangle, bytes_in_row
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, FOREGROUND, Colors
from emu.toolbox.managers.quickdraw.color.devices import DIRECT, INDEXED, GraphicsDevices
from emu.toolbox.managers.quickdraw.color.ports import Ports
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.deep_pixels import pixel_map
from emu.toolbox.records.quickdraw import CGrafPort, GDevice, PixMap
from emu.toolbox.records.results import ResultCode

_MOST_ROW_BYTES = 0x3FFF
_NO_NEW_DEVICE = 1 << 1

_WORLD = 0xC001
"""Bits of portVersion by which a Macintosh knows a world (Apple's sources of 1994, GWorld.a)."""


class WorldError(Exception):
    """A world cannot be made.

    Attributes:
        code: the error that the program gets.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class GraphicsWorlds(Manager):
    """Color QuickDraw's routines for offscreen graphics worlds."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _ports: Ports
    _colors: Colors
    _devices: GraphicsDevices

    def __post_init__(self) -> None:
        self._worlds: dict[int, int] = {}

    @routine(
        "FUNCTION NewGWorld (VAR offscreenGWorld: Ptr; pixelDepth: INTEGER; boundsRect: Rect; "
        "cTable: CTabHandle; aGDevice: Handle; flags: LONGINT): INTEGER"
    )
    def new_g_world(
        self, result: int, depth: int, bounds: int, table: int, device: int, flags: int
    ) -> int:
        """A new world; depth 0 is the screen's, in whose coordinates the rectangle then is."""
        quickdraw, memory, guest = self._quickdraw, self._memory, self.guest
        try:
            if depth == 0:
                table = table or self._devices.screen_table()
            depth, r = self.wanted(depth, bounds)
            if flags & _NO_NEW_DEVICE and device:
                model = self._devices.pixels(device)
                depth, table = self.possible(model.pixelSize), table or model.pmTable
        except WorldError as error:
            return error.code
        row_bytes = bytes_in_row(r.width, depth)
        pixels = memory.new_pointer(row_bytes * r.height, True)
        port = memory.new_pointer(CGrafPort.size) if pixels else 0
        if not port:
            if pixels:
                memory.dispose_pointer(pixels)
            return ResultCode.memFullErr
        current = guest.u32(quickdraw.globals) if quickdraw.globals else 0
        colors = self._colors
        colors.open_on_screen(port)
        record = pixel_map(pixels, row_bytes, r, depth, self.new_table(depth, table))
        world = CGrafPort(guest, port)
        memory.set_contents(world.portPixMap, record)
        world.portRect = r
        quickdraw.clip_visible(port, PixelRegion.from_rectangle(r))
        colors.set_color(FOREGROUND, (0, 0, 0))
        colors.set_color(BACKGROUND, (0xFFFF, 0xFFFF, 0xFFFF))
        quickdraw.port = current
        guest.put32(result, port)
        own = 0 if flags & _NO_NEW_DEVICE else self._new_device(world.portPixMap, r)
        world.portVersion = _WORLD
        self._worlds[port] = own
        return 0

    def new_table(self, depth: int, table: int) -> int:
        """A copy of a colour table, or if that is nil the standard one of a depth."""
        if table and depth <= 8:
            return self._memory.handle_from(self._memory.contents(table))
        return self._devices.new_table(depth)

    def _new_device(self, pixels: int, r: Rectangle) -> int:
        """The handle of a device whose pixel map is that of a world."""
        device = self._memory.new_handle(GDevice.size, True)
        if device:
            record = GDevice(self.guest, self._memory.address(device))
            depth = PixMap(self.guest, self._memory.address(pixels)).pixelSize
            record.gdType = DIRECT if depth > 8 else INDEXED
            record.gdPMap, record.gdRect = pixels, r
            record.gdFlags = depth > 1
        return device

    def wanted(self, depth: int, bounds: int) -> tuple[int, Rectangle]:
        """The depth and the rectangle of a world that a program asks for.

        Raises:
            WorldError: there are no such worlds.
        """
        r = self._quickdraw.rectangle(bounds)
        if depth == 0:
            depth = self._quickdraw.screen.depth
            r = Rectangle(0, 0, r.height, r.width)
        self.possible(depth)
        if r.empty or bytes_in_row(r.width, depth) > _MOST_ROW_BYTES:
            raise WorldError(ResultCode.paramErr)
        return depth, r

    def possible(self, depth: int) -> int:
        """The depth itself.

        Raises:
            WorldError: there are no pixels of so many bits.
        """
        if depth not in DEPTHS:
            raise WorldError(ResultCode.cDepthErr)
        return depth

    @routine("PROCEDURE DisposeGWorld (offscreenGWorld: Ptr)")
    def dispose_g_world(self, port: int) -> None:
        """Free a world; any other port, such as a window's, stays as it is, also on a Macintosh."""
        memory, guest = self._memory, self.guest
        if port not in self._worlds:
            is_other = guest.is_mapped(port, CGrafPort.size)
            is_other = is_other and CGrafPort(guest, port).portVersion & _WORLD != _WORLD
            self.host.report(
                "not a port",
                f"DisposeGWorld was given 0x{port:08x}, which NewGWorld has not made"
                + ", and does nothing" * is_other,
                Sureness.UNUSUAL if is_other else None,
            )
            return
        device = self._worlds.pop(port)
        if device:
            if self._devices.get_g_device() == device:
                self._devices.set_g_device(self._devices.get_main_device())
            memory.dispose_handle(device)
        pixel_map = PixMap(guest, memory.address(CGrafPort(guest, port).portPixMap))
        memory.dispose_handle(pixel_map.pmTable)
        memory.dispose_pointer(pixel_map.baseAddr)
        self._colors.close_c_port(port)
        memory.dispose_pointer(port)

    @routine("FUNCTION LockPixels (pm: PixMapHandle): BOOLEAN")
    def lock_pixels(self, pixel_map: int) -> bool:
        """The pixels stay where they are, and were never purged."""
        return True

    @routine("PROCEDURE UnlockPixels (pm: PixMapHandle)")
    def unlock_pixels(self, pixel_map: int) -> None:
        """Nothing moves even so."""

    @routine("PROCEDURE GetGWorld (VAR port: Ptr; VAR gdh: Handle)")
    def get_g_world(self, port: int, device: int) -> None:
        """The current port and device."""
        self.guest.put32(port, self.guest.u32(self._quickdraw.globals))
        self.guest.put32(device, self._devices.get_g_device())

    @routine("PROCEDURE SetGWorld (port: Ptr; gdh: Handle)")
    def set_g_world(self, port: int, device: int) -> None:
        """Draw in another world with its device, or in a port with a device or the screen's."""
        self._ports.set_port(port)
        own = self._worlds.get(port) or device or self._devices.get_main_device()
        self._devices.set_g_device(own)

    @routine("FUNCTION GetPixBaseAddr (pm: PixMapHandle): Ptr")
    def get_pix_base_addr(self, pixel_map: int) -> int:
        """Where the pixels are."""
        return PixMap(self.guest, self._memory.address(pixel_map)).baseAddr

    @routine("FUNCTION GetGWorldDevice (offscreenGWorld: Ptr): Handle")
    def get_g_world_device(self, port: int) -> int:
        """The device of a world; that of the screen if it has none of its own."""
        return self._worlds.get(port) or self._devices.get_main_device()

    @routine("FUNCTION PixMap32Bit (pm: PixMapHandle): BOOLEAN")
    def pix_map_32_bit(self, pixel_map: int) -> bool:
        """Addresses have 32 bits."""
        return True

    @routine("FUNCTION GetGWorldPixMap (offscreenGWorld: Ptr): PixMapHandle")
    def get_g_world_pix_map(self, port: int) -> int:
        """A world's pixel map."""
        return CGrafPort(self.guest, port).portPixMap
