"""Colours: Color QuickDraw's basic routines.

The screen's colours are the Macintosh's standard ones of its depth, unless a program changes its
table. Other pixels have those of their own table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from emu.quickdraw import EMPTY, ColorSpace, Rectangle, standard_palette
from emu.quickdraw.color_space import IndexedColorSpace, inverse_table
from emu.quickdraw.palette import gray_palette
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.devices import GraphicsDevices
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.deep_pixels import table_palette
from emu.toolbox.managers.quickdraw.ports.inks import CLASSIC_COLORS, Rgb, color_of, pixel_of, rgb
from emu.toolbox.managers.quickdraw.ports.pixel_patterns import BITS
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.records.kinds import NestedRecord
from emu.toolbox.records.quickdraw import (
    CGrafPort,
    ColorSpec,
    ColorTable,
    GDevice,
    GrafPort,
    GrafVars,
    PixMap,
    PixPat,
    RGBColor,
)
from emu.toolbox.records.record import RecordField, between
from emu.toolbox.system_file.color_tables import GRAYS, table_bytes

_PATTERNS = {
    CGrafPort.pnPixPat: at.BLACK_PATTERN,
    CGrafPort.fillPixPat: at.BLACK_PATTERN,
    CGrafPort.bkPixPat: at.WHITE_PATTERN,
}
"""The pixel patterns of a colour port, and what they are at first."""

_SEARCH = "FUNCTION Search (rgb: Ptr; VAR position: LONGINT): BOOLEAN"

_LAST_SYSTEM_SEED = 1023
"""minSeed: seeds up to this one are those of 'clut' resources."""


@dataclass(frozen=True, slots=True)
class Ink:
    """Where ports keep the colour they draw with, or that behind it."""

    classic: RecordField[int]
    rgb: NestedRecord[RGBColor]


FOREGROUND = Ink(GrafPort.fgColor, CGrafPort.rgbFgColor)
BACKGROUND = Ink(GrafPort.bkColor, CGrafPort.rgbBkColor)


class Colors(Manager):
    """Colour ports and colours."""

    _memory: MemoryManager
    _resources: ResourceManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _devices: GraphicsDevices

    def __post_init__(self) -> None:
        self._seed = _LAST_SYSTEM_SEED
        self._searches: list[int] = []

    def new_seed(self) -> int:
        """A number by which a new colour table is told from all others."""
        self._seed += 1
        return self._seed

    # -- the first QuickDraw's colours -------------------------------------------------------------

    @routine("PROCEDURE ForeColor (color: LONGINT)")
    def fore_color(self, color: int) -> None:
        """Set the foreground to one of eight colours."""
        self._set_classic(FOREGROUND, color)

    @routine("PROCEDURE BackColor (color: LONGINT)")
    def back_color(self, color: int) -> None:
        """Set the background to one of eight colours."""
        self._set_classic(BACKGROUND, color)

    def _set_classic(self, ink: Ink, number: int) -> None:
        quickdraw = self._quickdraw
        port = quickdraw.port
        if number not in CLASSIC_COLORS:
            self.host.report("color", f"{number} is no colour of ForeColor and BackColor")
        if quickdraw.is_color_port(port):
            self.set_color(ink, CLASSIC_COLORS.get(number, (0, 0, 0)))
        else:
            GrafPort(self.guest, port)[ink.classic] = number

    @routine("PROCEDURE ColorBit (whichBit: INTEGER)")
    def color_bit(self, which: int) -> None:
        """Choose the plane of colour numbers that is drawn in one bit a pixel."""
        GrafPort(self.guest, self._quickdraw.port).colrBit = which

    # -- colours by red, green and blue ------------------------------------------------------------

    @routine("PROCEDURE RGBForeColor (color: Ptr)")
    def rgb_fore_color(self, color: int) -> None:
        """Set the foreground to the nearest there is."""
        self.set_color(FOREGROUND, rgb(self.guest.read(color, RGBColor.size)))

    @routine("PROCEDURE RGBBackColor (color: Ptr)")
    def rgb_back_color(self, color: int) -> None:
        """Set the background to the nearest there is."""
        self.set_color(BACKGROUND, rgb(self.guest.read(color, RGBColor.size)))

    def set_color(self, ink: Ink, color: Rgb) -> None:
        """Set the foreground or the background of the current port.

        Args:
            ink: ``FOREGROUND`` or ``BACKGROUND``.
            color: red, green, blue.
        """
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = GrafPort(self.guest, port)
        if quickdraw.is_color_port(port):
            _put_parts(record.cast(CGrafPort)[ink.rgb], color)
            record[ink.classic] = self._pixel_of(color, quickdraw.canvas(port).bitmap.space)
            return
        # An old port can only hold the eight; each part counts as full or as nothing.
        nearest = min(
            CLASSIC_COLORS,
            key=lambda number: sum(
                (a - b) ** 2 for a, b in zip(CLASSIC_COLORS[number], color, strict=True)
            ),
        )
        record[ink.classic] = nearest

    def set_index(self, ink: Ink, index: int) -> None:
        """Set the foreground or the background of the current port to a pixel value."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        space = quickdraw.canvas(port).bitmap.space
        index &= (1 << min(space.depth, 8)) - 1
        self.set_color(ink, color_of(index, space))
        if quickdraw.is_color_port(port) and space.depth <= 8:
            GrafPort(self.guest, port)[ink.classic] = index

    @routine("PROCEDURE GetForeColor (VAR color: Ptr)")
    def get_fore_color(self, color: int) -> None:
        """The foreground."""
        self._get_color(FOREGROUND, color)

    @routine("PROCEDURE GetBackColor (VAR color: Ptr)")
    def get_back_color(self, color: int) -> None:
        """The background."""
        self._get_color(BACKGROUND, color)

    def _get_color(self, ink: Ink, result: int) -> None:
        quickdraw = self._quickdraw
        port = quickdraw.port
        if quickdraw.is_color_port(port):
            RGBColor(self.guest, result).write(CGrafPort(self.guest, port)[ink.rgb].read())
        else:
            number = GrafPort(self.guest, port)[ink.classic]
            self._put_color(result, CLASSIC_COLORS.get(number, (0, 0, 0)))

    def _put_color(self, address: int, color: Rgb) -> None:
        _put_parts(RGBColor(self.guest, address), color)

    @routine("FUNCTION Color2Index (color: Ptr): LONGINT")
    def color2_index(self, color: int) -> int:
        """The pixel value nearest to a colour on the current device."""
        wanted = rgb(self.guest.read(color, RGBColor.size))
        return self._pixel_of(wanted, self._devices.space())

    def _pixel_of(self, color: Rgb, space: ColorSpace) -> int:
        """The pixel value of a colour: what a search procedure says, or else the nearest."""
        for procedure in self._searches:
            place = self._memory.new_pointer(RGBColor.size + 4, clear=True)
            self._put_color(place + 4, color)
            has_pixel = self.host.call_guest(procedure, _SEARCH, place + 4, place)
            position = self.guest.u32(place)
            self._memory.dispose_pointer(place)
            if has_pixel:
                return position
        return pixel_of(color, space)

    @routine("PROCEDURE AddSearch (searchProc: ProcPtr)")
    def add_search(self, procedure: int) -> None:
        """Let a procedure of the program be the first to say which pixel value a colour has."""
        self._searches.insert(0, procedure)

    @routine("PROCEDURE DelSearch (searchProc: ProcPtr)")
    def del_search(self, procedure: int) -> None:
        """Ask a procedure of the program no more."""
        if procedure in self._searches:
            self._searches.remove(procedure)

    @routine("PROCEDURE Index2Color (index: LONGINT; VAR color: Ptr)")
    def index2_color(self, index: int, color: int) -> None:
        """The colour of a pixel value on the current device."""
        self._put_color(color, color_of(index, self._devices.space()))

    @routine("PROCEDURE GetCPixel (h,v: INTEGER; VAR cPix: Ptr)")
    def get_c_pixel(self, h: int, v: int, color: int) -> None:
        """The colour of a pixel of the current port."""
        quickdraw = self._quickdraw
        bitmap = quickdraw.canvas(quickdraw.port).bitmap
        value = bitmap.space.white
        if bitmap.bounds.contains(h, v):
            value = int(bitmap.pixels(Rectangle(v, h, v + 1, h + 1))[0, 0])
        self._put_color(color, color_of(value, bitmap.space))

    @routine("PROCEDURE SetCPixel (h,v: INTEGER; cPix: Ptr)")
    def set_c_pixel(self, h: int, v: int, color: int) -> None:
        """Set a pixel of the current port to a colour, inside its clipping."""
        quickdraw = self._quickdraw
        bitmap, clip = quickdraw.canvas(quickdraw.port)
        if bitmap.bounds.contains(h, v) and clip.contains(h, v):
            value = pixel_of(rgb(self.guest.read(color, RGBColor.size)), bitmap.space)
            place = Rectangle(v, h, v + 1, h + 1)
            bitmap.put(place, np.array([[value]]))

    # -- colour ports ------------------------------------------------------------------------------

    @routine("PROCEDURE OpenCPort (port: Ptr)")
    def open_c_port(self, port: int) -> None:
        """Give a record its handles and standard settings, and draw in it."""
        self._open(port, self._devices.current_pixel_map())

    def open_on_screen(self, port: int) -> None:
        """Open a port on the screen, whatever the current device is."""
        self._open(port, self._devices.screen_pixel_map())

    def _open(self, port: int, pixels: bytes) -> None:
        memory = self._memory
        record = CGrafPort(self.guest, port)
        record.clear()
        record.visRgn, record.clipRgn = (
            self._regions.new_region(EMPTY),
            self._regions.new_region(EMPTY),
        )
        record.portPixMap = memory.new_handle(PixMap.size, True)
        record.grafVars = memory.new_handle(GrafVars.size, True)
        for field in _PATTERNS:
            record[field] = memory.new_handle(PixPat.size, True)
        self._initialise(port, pixels)

    @routine("PROCEDURE InitCPort (port: Ptr)")
    def init_c_port(self, port: int) -> None:
        """Standard settings for a colour port that has its handles; its pixels are the device's."""
        self._initialise(port, self._devices.current_pixel_map())

    def _initialise(self, port: int, pixels: bytes) -> None:
        quickdraw, record = self._quickdraw, CGrafPort(self.guest, port)
        record.portVersion = 0xC000
        self._memory.set_contents(record.portPixMap, pixels)
        record.portRect = PixMap.bounds.of(pixels)
        quickdraw.initialise_regions(port, record.portRect)
        for part in (at.PEN, between(GrafPort.pnVis, GrafPort.grafProcs)):
            self.guest.write(port + part.start, at.FRESH[part])
        for field, pattern in _PATTERNS.items():
            address = self._memory.address(record[field])
            PixPat(self.guest, address).write(bytes(PixPat.pat1Data.offset) + pattern)
        if self._memory.handle_size(record.grafVars) >= GrafVars.size:
            extra = GrafVars(self.guest, self._memory.address(record.grafVars))
            extra.rgbHiliteColor = RGBColor(self.guest, LowMemory.HIGHLIGHT_COLOR)
        quickdraw.port = port
        self.set_color(FOREGROUND, (0, 0, 0))
        self.set_color(BACKGROUND, (0xFFFF, 0xFFFF, 0xFFFF))

    def open_window_port(self, port: int, bounds: Rectangle, background: Rgb) -> None:
        """Make a port in colour on the screen, as a window has one.

        Args:
            port: where its 108 bytes are to be.
            bounds: its place on the screen; its own coordinates begin there with (0, 0).
            background: its background colour.
        """
        with self._quickdraw.drawing_in(port):
            self.open_on_screen(port)
            self.set_color(BACKGROUND, background)
        pixels = self._quickdraw.pixels_of(port)
        pixels.bounds = pixels.bounds.offset(-bounds.left, -bounds.top)
        local = bounds.offset(-bounds.left, -bounds.top)
        CGrafPort(self.guest, port).portRect = local

    @routine("PROCEDURE CloseCPort (port: Ptr)")
    def close_c_port(self, port: int) -> None:
        """Dispose of a colour port's handles."""
        record = CGrafPort(self.guest, port)
        self._memory.dispose_handle(record.portPixMap)
        if record.grafVars:
            self._memory.dispose_handle(record.grafVars)
        for field in _PATTERNS:
            pattern = PixPat(self.guest, self._memory.address(record[field]))
            if pattern.patType == BITS:  # another one is the program's
                self._memory.dispose_handle(record[field])
        self._quickdraw.close_port(port)

    @routine("FUNCTION GetCTable (ctID: INTEGER): CTabHandle")
    def get_c_table(self, number: int) -> int:
        """A copy of a 'clut' resource, or the standard colours of a depth.

        The number of those is the depth, or that plus 64; the depth plus 32 stands for greys.
        """
        data = self._resources.data("clut", number)
        if data is None:
            depth = number & ~(GRAYS | 64)
            if depth not in (1, 2, 4, 8):
                return 0
            palette = (gray_palette if number & GRAYS else standard_palette)(depth)
            data = table_bytes(palette, number & ~64)
        return self._memory.handle_from(data)

    @routine("PROCEDURE DisposeCTable (cTable: CTabHandle)")
    def dispose_c_table(self, table: int) -> None:
        """Dispose of a colour table."""
        self._memory.dispose_handle(table)

    # -- tables of a device ------------------------------------------------------------------------

    @routine("PROCEDURE MakeITable (cTabH: CTabHandle; iTabH: Handle; res: INTEGER)")
    def make_i_table(self, table: int, inverse: int, resolution: int) -> None:
        """Make an inverse table: for each colour of so many bits a part the place of an entry."""
        device = GDevice(self.guest, self._memory.address(self._devices.get_g_device()))
        table, inverse = table or self._devices.table(), inverse or device.gdITable
        bits = resolution or device.gdResPref or 4
        if not 3 <= bits <= 5:
            self.host.report("device", f"MakeITable was asked for {bits} bits a part, not 3 to 5")
            return
        data = self._color_table(table)
        values = inverse_table(table_palette(data), bits)
        header = data[:4] + bits.to_bytes(2, "big")  # the table's seed, and the resolution
        if inverse:
            self._memory.set_contents(inverse, header + values.tobytes())

    def _color_table(self, handle: int) -> bytes:
        """The contents of a colour table: one colour or more, and as many as it announces."""
        data = self._memory.contents(handle)
        last = ColorTable.ctSize.of(data) if len(data) >= ColorTable.size else -1
        if last < 0 or len(data) < ColorTable.size + ColorSpec.size * (last + 1):
            problem = f"handle 0x{handle:x} of {len(data)} bytes is no colour table"
            raise self.host.misuse("color", problem)
        return data

    @routine(
        "PROCEDURE GetSubTable (myColors: CTabHandle; iTabRes: INTEGER; targetTbl: CTabHandle)"
    )
    def get_sub_table(self, colors: int, resolution: int, target: int) -> None:
        """Put into each entry's value the pixel value that is nearest to its colour in a table."""
        data = self._color_table(colors)
        count = ColorTable.ctSize.of(data) + 1
        specs = np.frombuffer(data, ">u2", count * 4, ColorTable.size).reshape(count, 4).copy()
        palette = table_palette(self._color_table(target or self._devices.table()))
        specs[:, 0] = IndexedColorSpace(palette).pixels(specs[:, 1:] >> 8)
        self._memory.set_contents(colors, data[: ColorTable.size] + specs.tobytes())

    @routine("FUNCTION RealColor (color: Ptr): BOOLEAN")
    def real_color(self, color: int) -> bool:
        """Whether the current device has a colour, as near as an inverse table tells."""
        wanted = rgb(self.guest.read(color, RGBColor.size))
        space = self._devices.space()
        nearest = color_of(pixel_of(wanted, space), space)
        return all(a >> 12 == b >> 12 for a, b in zip(wanted, nearest, strict=True))

    @routine("PROCEDURE InvertColor (VAR color: Ptr)")
    def invert_color(self, color: int) -> None:
        """Make a colour its complement."""
        red, green, blue = rgb(self.guest.read(color, RGBColor.size))
        self._put_color(color, (0xFFFF - red, 0xFFFF - green, 0xFFFF - blue))

    @routine("FUNCTION QDError : INTEGER")
    def qd_error(self) -> int:
        """No error is left behind: what cannot be done stops the program."""
        return 0


def _put_parts(record: RGBColor, color: Rgb) -> None:
    record.red, record.green, record.blue = color
