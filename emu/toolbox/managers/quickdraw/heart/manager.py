"""QuickDraw's heart: the current port, where it draws, and painting in it.

Everything a port says is in guest memory, where programs read and write it, so it is looked up
anew for each drawing call; what is kept here is only what was computed from those bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from emu.base.errors import UsageError
from emu.quickdraw import (
    NOTHING,
    ColorSpace,
    PixelRegion,
    PixelView,
    Rectangle,
    Shape,
    frame_rectangle,
    paint,
    paint_tile,
)
from emu.quickdraw.fonts import FontBook
from emu.quickdraw.transfer import HILITE
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.canvas import Background, Canvas
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.bit_maps import BitMaps
from emu.toolbox.managers.quickdraw.ports.font_resources import FontResources
from emu.toolbox.managers.quickdraw.ports.grafport import (
    ERASE,
    FILL,
    FRAME,
    INVERT,
    PAINT,
    PAT_COPY,
    PAT_XOR,
)
from emu.toolbox.managers.quickdraw.ports.inks import colors_of
from emu.toolbox.managers.quickdraw.ports.port_patterns import PortPatterns, TransferTerms
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.records.quickdraw import BitMap, CGrafPort, GrafPort, PixMap

_KEPT = 64


class QuickDraw(Manager):
    """Ports and painting, for QuickDraw's other parts and for other managers.

    Attributes:
        globals: the address of the program's variable thePort; 0 before InitGraf.
        on_text: called with port, characters, pen before and pen after, whenever text is drawn.
        on_scroll: called with port, rectangle, dh and dv, before ScrollRect moves anything.
        on_erase: called with port and the rectangle that EraseRect or ScrollRect has blanked.
        book: the fonts.
        patterns: those of the ports.
        transfer_terms: what ports add to transfer modes.
    """

    _memory: MemoryManager
    _regions: RegionHandles
    _bit_maps: BitMaps
    patterns: PortPatterns
    transfer_terms: TransferTerms
    _font_resources: FontResources

    def __post_init__(self) -> None:
        self.on_text: list[Callable[[int, bytes, Point, Point], None]] = []
        self.on_scroll: list[Callable[[int, Rectangle, int, int], None]] = []
        self.on_erase: list[Callable[[int, Rectangle], None]] = []
        self._canvases: dict[tuple[PixelView, bytes, bytes, bytes], Canvas] = {}
        self._open: set[int] = set()
        self.book = FontBook(self._font_resources)

    @property
    def globals(self) -> int:
        """The address of the variable thePort; 0 before InitGraf."""
        return self.host.quickdraw_globals

    @property
    def screen(self) -> PixelView:
        """The screen's pixels, in global coordinates."""
        return self._bit_maps.screen

    @property
    def display(self) -> PixelView:
        """The screen's pixels in the colours that the user sees."""
        return self._bit_maps.display

    # -- the current port --------------------------------------------------------------------------

    @property
    def port(self) -> int:
        """The address of the current port, as the program's globals say.

        Raises:
            MisuseError: InitGraf was not called, or there is no port.
        """
        if not self.globals:
            raise self.host.misuse("no port", "QuickDraw was called before InitGraf")
        port = self.guest.u32(self.globals)
        if not port:
            raise self.host.misuse(
                "no port", "there is no current port: SetPort was never called, or with nil"
            )
        return port

    @port.setter
    def port(self, port: int) -> None:
        if not self.globals:
            raise self.host.misuse("no port", "QuickDraw was called before InitGraf")
        self.guest.put32(self.globals, port)

    @contextmanager
    def drawing_in(self, port: int) -> Iterator[None]:
        """Draw in another port for a while."""
        if not self.globals:
            raise self.host.misuse("no port", "QuickDraw was called before InitGraf")
        place = self.globals
        before = self.guest.u32(place)
        self.guest.put32(place, port)
        try:
            yield
        finally:
            self.guest.put32(place, before)

    def to_global(self, port: int, point: Point) -> Point:
        """A point of a port in the screen's coordinates."""
        top, left, _, _ = self.bounds(port)
        return Point(point[0] - top, point[1] - left)

    def to_local(self, port: int, point: Point) -> Point:
        """A point of the screen in a port's coordinates."""
        top, left, _, _ = self.bounds(port)
        return Point(point[0] + top, point[1] + left)

    def is_color_port(self, port: int) -> bool:
        """Whether a port is one of Color QuickDraw's."""
        return CGrafPort(self.guest, port).portVersion & 0xC000 == 0xC000

    def pixels_of(self, port: int) -> BitMap:
        """The bit map of a port, or the beginning of its pixel map."""
        if self.is_color_port(port):
            handle = CGrafPort(self.guest, port).portPixMap
            return BitMap(self.guest, self._memory.address(handle))
        return GrafPort(self.guest, port).portBits

    def bounds(self, port: int) -> Rectangle:
        """The edges of a port's bit map, in its own coordinates."""
        return self.pixels_of(port).bounds

    def port_rect(self, port: int) -> Rectangle:
        """A port's portRect."""
        return GrafPort(self.guest, port).portRect

    def open_port(self, address: int, bounds: Rectangle) -> None:
        """Make a port on the screen, as a window has one; the current port stays what it is.

        Args:
            address: where its 108 bytes are to be.
            bounds: its place on the screen; its own coordinates begin there with (0, 0).
        """
        port = GrafPort(self.guest, address)
        port.clear()
        port.visRgn = self._regions.new_region(PixelRegion.from_rectangle(bounds))
        port.clipRgn = self._regions.new_region(PixelRegion.from_rectangle(bounds))
        self.initialise_port(address)
        screen = self.screen.bounds.offset(-bounds.left, -bounds.top)
        local = bounds.offset(-bounds.left, -bounds.top)
        port.portBits.bounds, port.portRect = screen, local
        self._regions.set_region(port.visRgn, PixelRegion.from_rectangle(local.intersect(screen)))

    def initialise_port(self, address: int) -> None:
        """What InitPort does to a record whose regions are there: the screen, standard settings."""
        port, screen = GrafPort(self.guest, address), self.screen
        port.device = 0
        self.show_screen(port.portBits)
        port.portRect = screen.bounds
        self.initialise_regions(address, self.screen.bounds)
        start = GrafPort.bkPat.offset
        self.guest.write(address + start, at.FRESH[start:])
        self._open.add(address)

    def show_screen(self, bits: BitMap) -> None:
        """Make a bit map that of the screen."""
        bits.baseAddr, bits.rowBytes = self.host.layout.screen, self.screen.row_bytes
        bits.bounds = self.screen.bounds

    def initialise_regions(self, address: int, seen: Rectangle) -> None:
        """Let a rectangle be visible in a port, and all of the plane be drawn on."""
        everything = PixelRegion.from_rectangle(seen)
        port = GrafPort(self.guest, address)
        self._regions.set_region(port.visRgn, everything)
        wide_open = PixelRegion.from_rectangle(at.WIDE_OPEN)
        self._regions.set_region(port.clipRgn, wide_open)

    def close_port(self, address: int) -> None:
        """What ClosePort does: its regions are disposed of; the record stays."""
        port = GrafPort(self.guest, address)
        self._memory.dispose_handle(port.visRgn)
        self._memory.dispose_handle(port.clipRgn)
        self._open.discard(address)

    def clip_visible(self, port: int, region: PixelRegion) -> None:
        """Say which pixels of a port can be seen, in the port's coordinates."""
        self._regions.set_region(GrafPort(self.guest, port).visRgn, region)

    # -- rectangles --------------------------------------------------------------------------------

    def rectangle(self, address: int) -> Rectangle:
        """The rectangle at an address."""
        return self.guest.rect(address)

    def put_rectangle(self, address: int, r: Rectangle) -> None:
        """Store a rectangle."""
        self.guest.put_rect(address, *r)

    # -- where a port draws ------------------------------------------------------------------------

    def canvas(self, port: int, record: bytes | None = None) -> Canvas:
        """Where a port draws now.

        Args:
            port: its address.
            record: its bytes, if the caller has read them.
        """
        if record is None:
            record = self.guest.read(port, GrafPort.size)
        if not self.is_usable(port, record):
            return Canvas(self.screen, NOTHING)
        handles = GrafPort.visRgn.of(record), GrafPort.clipRgn.of(record)
        visible, clip = self._regions.region_data(handles[0]), self._regions.region_data(handles[1])
        self._bit_maps.follow_table()
        if at.is_color_port(record):
            address = self._memory.address(CGrafPort.portPixMap.of(record))
            pixel_map = self.guest.read(address, PixMap.size)
            bits = pixel_map[: PixMap.pixelSize.span.stop] + record[GrafPort.portRect.span]
            if PixMap.baseAddr.of(pixel_map) != self.host.layout.screen:
                bits += self._bit_maps.table(pixel_map)
        else:
            bits = record[: GrafPort.portRect.span.stop]
        key = (self._bit_maps.screen, bits, visible, clip)
        canvas = self._canvases.get(key)
        if canvas is None:
            if len(self._canvases) >= _KEPT:
                self._canvases.clear()
            canvas = self._canvases[key] = self._make_canvas(port, record)
        return canvas

    def _make_canvas(self, port: int, record: bytes) -> Canvas:
        bitmap = self._bit_maps.at(port + GrafPort.portBits.offset)
        limit = PixelRegion.from_rectangle(bitmap.bounds.intersect(self.port_rect(port)))
        for region in (GrafPort.visRgn.of(record), GrafPort.clipRgn.of(record)):
            limit = limit.intersect(self._regions.region(region))
        return Canvas(bitmap, limit.bounds if limit.is_rectangular else limit)

    def is_usable(self, port: int, record: bytes) -> bool:
        """Whether a port still exists; if not, that is reported, and nothing can be drawn in it."""
        fault = self.port_fault(port, record)
        if fault:
            self.host.report(*fault)
        return not fault

    def port_fault(self, port: int, record: bytes) -> tuple[str, str] | None:
        """Why nothing can be drawn in a port: the check that finds it, and the problem."""
        regions = GrafPort.visRgn.of(record), GrafPort.clipRgn.of(record)
        if all(map(self._memory.is_handle, regions)):
            return None
        heap = self._memory.zones.at(port)
        block = heap.block_around(port)
        gone = any(heap.was_disposed(region) for region in regions)
        if gone or (block is not None and block.content not in heap.blocks):
            return "disposed port", f"the port 0x{port:08x} is in use, but it is disposed of"
        for name, region in zip(("visRgn", "clipRgn"), regions, strict=True):
            # What is no handle of the Memory Manager's may still lead to a region.
            if region and self.guest.is_mapped(region, 4) and self.guest.u32(region):
                continue
            any_more = " any more" if port in self._open else ""
            what = f"0x{region:08x}, which leads to no region" if region else "nil"
            return "not a port", f"0x{port:08x} is no port{any_more}: its {name} is {what}"
        return None

    # -- painting ----------------------------------------------------------------------------------

    def draw(self, verb: int, shape: Shape, port: int = 0, record: bytes = b"") -> None:
        """Do to a shape what a verb says; for FRAME the shape is the outline's pixels.

        Args:
            verb: FRAME to FILL.
            shape: the pixels.
            port: where; 0 is the current port.
            record: the port's bytes, if the caller has read them.
        """
        port = port or self.port
        record = record or self.guest.read(port, GrafPort.size)
        if at.is_pen_hidden(record):
            self.is_usable(port, record)
            return
        mode = PAT_COPY
        if verb <= PAINT:
            pen = self._pen_mode(GrafPort.pnMode.of(record))
            if pen is None:
                return
            mode = pen
        elif verb == INVERT:
            mode = HILITE if self.transfer_terms.takes_highlighting() else PAT_XOR
        self._paint(port, record, shape, verb, mode)

    def check_verb(self, verb: int) -> None:
        """Refuse a verb that the standard procedures do not know.

        Raises:
            GuestStopped: it is one; a Macintosh would go on with garbage.
        """
        if not FRAME <= verb <= FILL:
            raise self.host.stopped(f"there is no drawing verb {verb}: they are {FRAME} to {FILL}")

    def _pen_mode(self, mode: int) -> int | None:
        """The mode in which the pen draws; None if it draws nothing.

        With a source mode it draws nothing (Inside Macintosh I, chapter "QuickDraw", PenMode). But
        Color QuickDraw makes a pattern mode of it (Apple's ROM sources of 1994, `PushVerb` in
        QuickDraw/Rects.a), and the frames of all buttons of an editor of 1994 depend on that.
        """
        if PAT_COPY <= mode & ~64 < 64:
            return mode
        if 0 <= mode < PAT_COPY and self.host.has_color:
            problem = f"the pen mode {mode} draws as {mode + PAT_COPY}, and nothing on a Mac"
            self.host.report("pen mode", f"{problem} without Color QuickDraw")
            return mode + PAT_COPY
        self.host.report("pen mode", f"nothing is drawn with the pen mode {mode}")
        return None

    def _paint(self, port: int, record: bytes, shape: Shape, verb: int, mode: int) -> None:
        bitmap, clip = self.canvas(port, record)
        tile = self.patterns.tile(record, verb, bitmap.space)
        colors, terms = self.colors(record, bitmap.space), self.transfer_terms.of(record, mode)
        try:
            if tile is not None:
                background = bitmap.space.white if colors is None else colors[1]
                paint_tile(bitmap, shape, clip, tile, mode, background=background, terms=terms)
                return
            pattern = self.patterns.pattern(record, verb)
            paint(bitmap, shape, clip, pattern, mode, colors=colors, terms=terms)
        except UsageError as error:
            raise self.host.stopped(str(error)) from error

    def background(self, port: int) -> Background:
        """What erasing leaves in a port now."""
        record = self.guest.read(port, GrafPort.size)
        space = self.canvas(port, record).bitmap.space
        pattern = self.patterns.pattern(record, ERASE)
        return Background(
            pattern, self.colors(record, space), self.patterns.tile(record, ERASE, space)
        )

    def colors(
        self, record: bytes, space: ColorSpace, *, own: bool = True
    ) -> tuple[int, int] | None:
        """A port's colours as pixel values; None for black on white.

        Args:
            record: its bytes.
            space: what the pixel values mean.
            own: whether the pixels are the port's own.
        """
        if record[at.COLORS] == at.FRESH[at.COLORS] and not at.is_color_port(record):
            return None
        return colors_of(record, space, own=own)

    def frame_rectangle(self, r: Rectangle) -> None:
        """Draw the outline of a rectangle with the current port's pen."""
        height, width = GrafPort(self.guest, self.port).pnSize
        self.draw(FRAME, frame_rectangle(r, (width, height)))
