"""Opening, choosing and changing ports."""

from __future__ import annotations

from emu.quickdraw import Rectangle, Region
from emu.toolbox.declaration import routine
from emu.toolbox.layout import LowMemory
from emu.toolbox.manager import Manager
from emu.toolbox.managers.quickdraw import grafport as at
from emu.toolbox.managers.quickdraw.manager import QuickDraw
from emu.toolbox.managers.quickdraw.recordings import Recordings


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
    at.WHITE: bytes(8),
    at.BLACK: b"\xff" * 8,
    at.GRAY: b"\xaa\x55" * 4,
    at.LIGHT_GRAY: b"\x88\x22" * 4,
    at.DARK_GRAY: b"\x77\xdd" * 4,
}


class Ports(Manager):
    """QuickDraw's routines for ports."""

    title = "QuickDraw"

    _quickdraw: QuickDraw
    _recordings: Recordings

    @routine("PROCEDURE InitGraf (globalPtr: Ptr)", trap=0xA86E)
    def init_graf(self, the_port: int) -> None:
        """Fill the program's QuickDraw globals, which lie below the variable it names."""
        quickdraw, guest = self._quickdraw, self.guest
        guest.write(the_port + at.RANDOM_SEED, bytes(-at.RANDOM_SEED + 4))
        for place, pattern in _PATTERNS.items():
            guest.write(the_port + place, pattern)
        guest.write(the_port + at.ARROW, ARROW_CURSOR)
        guest.put32(the_port + at.SCREEN_BITS, self.host.layout.screen)
        guest.put16(the_port + at.SCREEN_BITS + 4, quickdraw.screen.row_bytes)
        quickdraw.put_rectangle(the_port + at.SCREEN_BITS + 6, quickdraw.screen.bounds)
        guest.put32(the_port + at.RANDOM_SEED, 1)
        if self.host.cpu.architecture == "m68k":
            guest.put32(self.host.current_a5(), the_port)
        guest.put8(LowMemory.QUICKDRAW_STATE, 0)
        quickdraw.globals = the_port

    @routine("PROCEDURE OpenPort (port: GrafPtr)", trap=0xA86F, moves_memory=True)
    def open_port(self, port: int) -> None:
        """Give a record its regions and standard settings, and draw in it."""
        quickdraw = self._quickdraw
        self.guest.write(port, bytes(at.PORT_SIZE))
        empty = Region.from_rectangle(Rectangle(0, 0, 0, 0))
        self.guest.put32(port + at.VISIBLE_REGION, quickdraw.new_region(empty))
        self.guest.put32(port + at.CLIP_REGION, quickdraw.new_region(empty))
        self.init_port(port)

    @routine("PROCEDURE InitPort (port: GrafPtr)", trap=0xA86D, moves_memory=True)
    def init_port(self, port: int) -> None:
        """Standard settings for a port that has its regions."""
        self._quickdraw.initialise_port(port)
        self._quickdraw.port = port

    @routine("PROCEDURE ClosePort (port: GrafPtr)", trap=0xA87D, moves_memory=True)
    def close_port(self, port: int) -> None:
        """Dispose of a port's regions."""
        self._quickdraw.close_port(port)

    @routine("PROCEDURE SetPort (port: GrafPtr)", trap=0xA873)
    def set_port(self, port: int) -> None:
        """Draw in another port."""
        quickdraw = self._quickdraw
        if port == 0:
            self.host.report("nil port", "SetPort was called with nil")
        else:
            quickdraw.check_port(port)
        quickdraw.port = port

    @routine("PROCEDURE GetPort (VAR port: GrafPtr)", trap=0xA874)
    def get_port(self, result: int) -> None:
        """The current port."""
        place = self._quickdraw.globals
        self.guest.put32(result, self.guest.u32(place) if place else self._quickdraw.port)

    @routine("PROCEDURE GrafDevice (device: INTEGER)", trap=0xA872)
    def graf_device(self, device: int) -> None:
        """For which device fonts are chosen."""
        self.guest.put16(self._quickdraw.port + at.DEVICE, device)

    @routine("PROCEDURE SetPortBits (bm: BitMap)", trap=0xA875)
    def set_port_bits(self, bit_map: int) -> None:
        """Where the current port's pixels are."""
        port = self._quickdraw.port
        if not self._quickdraw.is_color_port(port):
            self.guest.write(port + at.PORT_BITS, self.guest.read(bit_map, 14))

    @routine("PROCEDURE PortSize (width,height: INTEGER)", trap=0xA876)
    def port_size(self, width: int, height: int) -> None:
        """The size of the current port's rectangle."""
        place = self._quickdraw.port + at.PORT_RECT
        top, left, _, _ = self.guest.rect(place)
        self.guest.put_rect(place, top, left, top + height, left + width)

    @routine("PROCEDURE MovePortTo (leftGlobal,topGlobal: INTEGER)", trap=0xA877)
    def move_port_to(self, left: int, top: int) -> None:
        """Where in its bit map the current port's rectangle begins."""
        quickdraw, guest = self._quickdraw, self.guest
        port = quickdraw.port
        old = guest.rect(quickdraw.bounds_address(port))
        rect = guest.rect(port + at.PORT_RECT)
        dv, dh = rect[0] - top - old[0], rect[1] - left - old[1]
        self._offset(quickdraw.bounds_address(port), dh, dv)

    @routine("PROCEDURE SetOrigin (h,v: INTEGER)", trap=0xA878)
    def set_origin(self, h: int, v: int) -> None:
        """The coordinates of the current port's upper left corner; nothing moves on the screen."""
        quickdraw = self._quickdraw
        port = quickdraw.port
        top, left, _, _ = self.guest.rect(port + at.PORT_RECT)
        dh, dv = h - left, v - top
        if dh == 0 and dv == 0:
            return
        self._offset(port + at.PORT_RECT, dh, dv)
        self._offset(quickdraw.bounds_address(port), dh, dv)
        visible = self.guest.u32(port + at.VISIBLE_REGION)
        quickdraw.set_region(visible, quickdraw.region(visible).offset(dh, dv))
        if self.guest.u32(port + at.PICTURE_SAVE):
            self._recordings.picture(port).origin(dh, dv)

    def _offset(self, place: int, dh: int, dv: int) -> None:
        top, left, bottom, right = self.guest.rect(place)
        self.guest.put_rect(place, top + dv, left + dh, bottom + dv, right + dh)

    @routine("PROCEDURE SetClip (rgn: RgnHandle)", trap=0xA879, moves_memory=True)
    def set_clip(self, rgn: int) -> None:
        """Copy a region to the current port's clipping region."""
        quickdraw = self._quickdraw
        self._clip(quickdraw.region(rgn))

    @routine("PROCEDURE GetClip (rgn: RgnHandle)", trap=0xA87A, moves_memory=True)
    def get_clip(self, rgn: int) -> None:
        """Copy the current port's clipping region."""
        quickdraw = self._quickdraw
        clip = self.guest.u32(quickdraw.port + at.CLIP_REGION)
        quickdraw.set_region(rgn, quickdraw.region(clip))

    @routine("PROCEDURE ClipRect (r: Rect)", trap=0xA87B, moves_memory=True)
    def clip_rect(self, r: int) -> None:
        """Clip to a rectangle."""
        self._clip(Region.from_rectangle(self._quickdraw.rectangle(r)))

    def _clip(self, region: Region) -> None:
        quickdraw = self._quickdraw
        quickdraw.set_region(self.guest.u32(quickdraw.port + at.CLIP_REGION), region)

    @routine("PROCEDURE BackPat (pat: Pattern)", trap=0xA87C)
    def back_pat(self, pattern: int) -> None:
        """The pattern that erasing leaves."""
        self._quickdraw.set_pattern(at.ERASE, self.guest.read(pattern, 8))

    @routine("FUNCTION GetPixel (h,v: INTEGER): BOOLEAN", trap=0xA865)
    def get_pixel(self, h: int, v: int) -> bool:
        """Whether a pixel of the current port is black."""
        quickdraw = self._quickdraw
        bitmap = quickdraw.canvas(quickdraw.port).bitmap
        if not bitmap.bounds.contains(h, v):
            return False
        pixel = bitmap.pixels(Rectangle(v, h, v + 1, h + 1))
        return bool(pixel[0, 0])
