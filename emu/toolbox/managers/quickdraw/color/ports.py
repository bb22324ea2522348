"""Opening, choosing and changing ports, and what a colour port keeps beside its record.

That are the colours of highlighting and of arithmetic modes.
Sources: Inside Macintosh V, chapter "Color QuickDraw" (GrafVars, HiliteColor, OpColor).
"""

from __future__ import annotations

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.kinds import NestedRecord
from emu.toolbox.records.quickdraw import BitMap, CGrafPort, GrafPort, GrafVars, QDGlobals, RGBColor


def _arrow() -> bytes:
    """A plain arrowhead that points to the upper left, with a white rim as its mask has it."""
    data = [0, *(((1 << length) - 1) << (15 - length) for length in range(1, 12)), 0, 0, 0, 0]
    rim = [data[row] | data[row] << 1 | data[row] >> 1 for row in range(16)]
    mask = [rim[row] | rim[max(row - 1, 0)] | rim[min(row + 1, 15)] for row in range(16)]
    words = [word & 0xFFFF for word in (*data, *mask, 1, 1)]
    return b"".join(word.to_bytes(2, "big") for word in words)


ARROW_CURSOR = _arrow()
"""16 rows of data, 16 of mask, and the hot spot."""

_PATTERNS = {
    QDGlobals.white: bytes(8),
    QDGlobals.black: b"\xff" * 8,
    QDGlobals.gray: b"\xaa\x55" * 4,
    QDGlobals.ltGray: b"\x88\x22" * 4,
    QDGlobals.dkGray: b"\x77\xdd" * 4,
}


class Ports(Manager):
    """QuickDraw's routines for ports."""

    _regions: RegionHandles
    _quickdraw: QuickDraw
    _recordings: Recordings
    _dispatcher: Dispatcher

    @routine("PROCEDURE InitGraf (globalPtr: Ptr)")
    def init_graf(self, the_port: int) -> None:
        """Fill the program's QuickDraw globals, which lie below the variable it names."""
        quickdraw, guest = self._quickdraw, self.guest
        program = at.program_globals(guest, the_port)
        program.thePort = 0
        for field, pattern in _PATTERNS.items():
            program[field] = pattern
        program.arrow.write(ARROW_CURSOR)
        quickdraw.show_screen(program.screenBits)
        program.randSeed = 1
        self._dispatcher.set_quickdraw_globals(the_port)
        guest.put8(LowMemory.QUICKDRAW_STATE, 0)

    @routine("PROCEDURE OpenPort (port: GrafPtr)")
    def open_port(self, port: int) -> None:
        """Give a record its regions and standard settings, and draw in it."""
        record = GrafPort(self.guest, port)
        record.clear()
        empty = PixelRegion.from_rectangle(Rectangle(0, 0, 0, 0))
        record.visRgn = self._regions.new_region(empty)
        record.clipRgn = self._regions.new_region(empty)
        self.init_port(port)

    @routine("PROCEDURE InitPort (port: GrafPtr)")
    def init_port(self, port: int) -> None:
        """Standard settings for a port that has its regions."""
        self._quickdraw.initialise_port(port)
        self._quickdraw.port = port

    @routine("PROCEDURE ClosePort (port: GrafPtr)")
    def close_port(self, port: int) -> None:
        """Dispose of a port's regions."""
        self._quickdraw.close_port(port)

    @routine("PROCEDURE SetPort (port: GrafPtr)")
    def set_port(self, port: int) -> None:
        """Draw in another port.

        A Macintosh only keeps the pointer: THINK C's console disposes of its window, goes back to
        the port that was in use before, which is the same, and ends.
        """
        quickdraw = self._quickdraw
        if port == 0:
            self.host.report("nil port", "SetPort was called with nil")
        elif not self.guest.is_mapped(port, GrafPort.size):
            problem = f"SetPort was called with 0x{port:08x}, where there is no memory"
            self.host.report("not a port", problem)
        elif fault := quickdraw.port_fault(port, self.guest.read(port, GrafPort.size)):
            check, problem = fault
            self.host.report(check, f"SetPort was called, and {problem}", Sureness.UNUSUAL)
        quickdraw.port = port

    @routine("PROCEDURE GetPort (VAR port: GrafPtr)")
    def get_port(self, result: int) -> None:
        """The current port."""
        place = self._quickdraw.globals
        self.guest.put32(result, self.guest.u32(place) if place else self._quickdraw.port)

    @routine("PROCEDURE GrafDevice (device: INTEGER)")
    def graf_device(self, device: int) -> None:
        """For which device fonts are chosen."""
        GrafPort(self.guest, self._quickdraw.port).device = device

    @routine("PROCEDURE SetPortBits (bm: BitMap)")
    def set_port_bits(self, bit_map: int) -> None:
        """Where the current port's pixels are."""
        port = self._quickdraw.port
        if not self._quickdraw.is_color_port(port):
            GrafPort(self.guest, port).portBits = BitMap(self.guest, bit_map)

    @routine("PROCEDURE SetPortPix (pm: PixMapHandle)")
    def set_port_pix(self, pixels: int) -> None:
        """Which pixel map the current port has; a port without colours keeps its own."""
        port = self._quickdraw.port
        if self._quickdraw.is_color_port(port):
            CGrafPort(self.guest, port).portPixMap = pixels

    @routine("PROCEDURE PortSize (width,height: INTEGER)")
    def port_size(self, width: int, height: int) -> None:
        """The size of the current port's rectangle."""
        port = GrafPort(self.guest, self._quickdraw.port)
        top, left, _, _ = port.portRect
        port.portRect = Rectangle(top, left, top + height, left + width)

    @routine("PROCEDURE MovePortTo (leftGlobal,topGlobal: INTEGER)")
    def move_port_to(self, left: int, top: int) -> None:
        """Where in its bit map the current port's rectangle begins."""
        port = self._quickdraw.port
        pixels, rect = self._quickdraw.pixels_of(port), GrafPort(self.guest, port).portRect
        old = pixels.bounds
        pixels.bounds = old.offset(rect.left - left - old.left, rect.top - top - old.top)

    @routine("PROCEDURE SetOrigin (h,v: INTEGER)")
    def set_origin(self, h: int, v: int) -> None:
        """The coordinates of the current port's upper left corner; nothing moves on the screen."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        record = GrafPort(self.guest, port)
        rect, pixels = record.portRect, quickdraw.pixels_of(port)
        dh, dv = h - rect.left, v - rect.top
        if dh == 0 and dv == 0:
            return
        record.portRect = rect.offset(dh, dv)
        pixels.bounds = pixels.bounds.offset(dh, dv)
        visible = record.visRgn
        self._regions.set_region(visible, self._regions.region(visible).offset(dh, dv))
        if record.picSave:
            self._recordings.picture(port).origin(dh, dv)

    @routine("PROCEDURE SetClip (rgn: RgnHandle)")
    def set_clip(self, rgn: int) -> None:
        """Copy a region to the current port's clipping region."""
        self._clip(self._regions.region(rgn))

    @routine("PROCEDURE GetClip (rgn: RgnHandle)")
    def get_clip(self, rgn: int) -> None:
        """Copy the current port's clipping region."""
        quickdraw = self._quickdraw
        clip = GrafPort(self.guest, quickdraw.port).clipRgn
        self._regions.set_region(rgn, self._regions.region(clip))

    @routine("PROCEDURE ClipRect (r: Rect)")
    def clip_rect(self, r: int) -> None:
        """Clip to a rectangle."""
        self._clip(PixelRegion.from_rectangle(self._quickdraw.rectangle(r)))

    def _clip(self, region: PixelRegion) -> None:
        quickdraw = self._quickdraw
        self._regions.set_region(GrafPort(self.guest, quickdraw.port).clipRgn, region)

    @routine("PROCEDURE BackPat (pat: Pattern)")
    def back_pat(self, pattern: int) -> None:
        """The pattern that erasing leaves."""
        self._quickdraw.patterns.set_bits(
            self._quickdraw.port, at.ERASE, self.guest.read(pattern, 8)
        )

    @routine("FUNCTION GetPixel (h,v: INTEGER): BOOLEAN")
    def get_pixel(self, h: int, v: int) -> bool:
        """Whether a pixel of the current port is not white."""
        quickdraw = self._quickdraw
        bitmap = quickdraw.canvas(quickdraw.port).bitmap
        if not bitmap.bounds.contains(h, v):
            return False
        pixel = bitmap.pixels(Rectangle(v, h, v + 1, h + 1))
        return int(pixel[0, 0]) != bitmap.space.white


class PortVariables(Manager):
    """The colours in the GrafVars record of the current port."""

    _memory: MemoryManager
    _quickdraw: QuickDraw

    def store(self, field: NestedRecord[RGBColor], color: bytes) -> None:
        """Keep a colour for the current port; a port without colours has no place for it."""
        port = self._quickdraw.port
        if not self._quickdraw.is_color_port(port):
            return
        record = CGrafPort(self.guest, port)
        if not record.grafVars:
            record.grafVars = self._memory.new_handle(GrafVars.size, clear=True)
        if self._memory.handle_size(record.grafVars) >= GrafVars.size:
            place = self._memory.address(record.grafVars) + field.offset
            self.guest.write(place, color)

    @routine("PROCEDURE HiliteColor (color: Ptr)")
    def hilite_color(self, color: int) -> None:
        """Set the colour that highlighting puts in place of the background."""
        self.store(GrafVars.rgbHiliteColor, self.guest.read(color, RGBColor.size))

    @routine("PROCEDURE OpColor (color: Ptr)")
    def op_color(self, color: int) -> None:
        """Set the weights of the mode blend, and where the modes addPin and subPin stop."""
        self.store(GrafVars.rgbOpColor, self.guest.read(color, RGBColor.size))
