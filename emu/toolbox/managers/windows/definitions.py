"""Window definition functions of the program's own: 'WDEF' resources, executed as guest code.

Source: Inside Macintosh I, chapter "The Window Manager", "Defining your own windows" (messages,
parameters and results); IV for the zoom box.
"""

from __future__ import annotations

from enum import IntEnum

from emu.quickdraw import GRAY, PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.grafport import BLACK_PATTERN, PAT_COPY
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.code import DefinitionFunctions
from emu.toolbox.records.quickdraw import BitMap, CGrafPort, GrafPort, PixMap
from emu.toolbox.records.windows import WindowRecord

_HEADING = (
    "FUNCTION WDEF (varCode: INTEGER; theWindow: WindowPtr; message: INTEGER; "
    "param: LONGINT): LONGINT"
)
_VARIANT = 15
_RECT_SIZE = 8
_NOT_PATTERN_XOR = 14


class WindowMessage(IntEnum):
    """What a window definition function is asked to do."""

    DRAW = 0
    HIT = 1
    CALCULATE_REGIONS = 2
    INITIALISE = 3
    DISPOSE = 4
    GROW = 5
    DRAW_GROW_ICON = 6


class WindowDefinitions(Manager):
    """Calls window definition functions.

    A window belongs to one if the field windowDefProc of its record is neither nil nor the system's
    function for standard windows, which programs call, too. Its variation code is the last four
    bits of its definition ID.
    """

    _memory: MemoryManager
    _code: DefinitionFunctions
    _quickdraw: QuickDraw
    _regions: RegionHandles

    def __post_init__(self) -> None:
        self._standard = 0

    def standard(self, definition: int) -> int:
        """The handle of the system's function, if a definition ID is one of its; else 0."""
        if definition & ~_VARIANT:
            return 0
        self._standard = self._code.of_system("WDEF", 0)
        return self._standard

    def find(self, definition: int) -> int:
        """The handle of the program's own function for a definition ID; 0 if it has none."""
        return self._code.find("WDEF", definition >> 4)

    def draws(self, window: int) -> bool:
        """Whether a window is drawn by a function of the program's own."""
        return WindowRecord(self.guest, window).windowDefProc not in (0, self._standard)

    def call(self, window: int, definition: int, message: WindowMessage, parameter: int = 0) -> int:
        """Ask a window's own function to do something, in the Window Manager port; its result.

        Raises:
            GuestStopped: it cannot be called, for instance because it was disposed of.
        """
        with self._quickdraw.drawing_in(self.guest.u32(LowMemory.WINDOW_MANAGER_PORT)):
            return self._call(window, definition, message, parameter)

    def _call(self, window: int, definition: int, message: WindowMessage, parameter: int) -> int:
        code, variant = WindowRecord(self.guest, window).windowDefProc, definition & _VARIANT
        return int(self._code.call(code, _HEADING, variant, window, int(message), parameter))

    def calculate_regions(self, window: int, definition: int) -> None:
        """Let the structure and content regions be computed.

        Functions of 1984 find out where a window is by the bounds of a port without colours. So a
        port with colours has those of its pixel map there meanwhile, as on a Macintosh (Apple's
        ROM sources of 1994, `CallWCalc` in WindowMgr/WindowMgr.a).
        """
        if not self._quickdraw.is_color_port(window):
            self.call(window, definition, WindowMessage.CALCULATE_REGIONS)
            return
        place = GrafPort(self.guest, window).portBits.address_of(BitMap.bounds)
        kept = self.guest.read(place, _RECT_SIZE)
        pixels = PixMap(self.guest, self._memory.address(CGrafPort(self.guest, window).portPixMap))
        self.guest.put_rect(place, *pixels.bounds)
        self.call(window, definition, WindowMessage.CALCULATE_REGIONS)
        self.guest.write(place, kept)

    def hit(self, window: int, definition: int, place: Point) -> int:
        """The part code, as FindWindow gives it, of a global point; 0 for none of its parts."""
        point = (place.v & 0xFFFF) << 16 | place.h & 0xFFFF
        part = self.call(window, definition, WindowMessage.HIT, point) & 0xFFFF
        # The function counts from 1 for the content, and FindWindow from 3.
        return part + 2 if part else 0

    def draw(self, window: int, definition: int, part: PixelRegion, box: int = 0) -> None:
        """Let a frame be drawn.

        Args:
            window: the window.
            definition: its definition ID.
            part: what may be drawn in, global.
            box: a part code of FindWindow's, to change only whether that box is highlighted.
        """
        port = self._window_manager_port()
        before = self._regions.region(port.clipRgn)
        self._regions.set_region(port.clipRgn, part)
        self._put_pen(PAT_COPY, BLACK_PATTERN)
        self.call(window, definition, WindowMessage.DRAW, box - 2 if box else 0)
        self._regions.set_region(port.clipRgn, before)

    def draw_grow_icon(self, window: int, definition: int) -> None:
        """Let the size box be drawn, or what is there instead of it; in the window's own port."""
        with self._quickdraw.drawing_in(window):
            self._call(window, definition, WindowMessage.DRAW_GROW_ICON, 0)

    def invert_outline(self, window: int, definition: int, content: Rectangle) -> None:
        """Let the outline be drawn that a window of another size would have.

        The pen inverts pixels, so that a second call takes the outline away.

        Args:
            window: the window.
            definition: its definition ID.
            content: the rectangle of its content at that size, global.
        """
        place = self._memory.new_pointer(_RECT_SIZE)
        if not place:
            return
        self.guest.put_rect(place, *content)
        self._put_pen(_NOT_PATTERN_XOR, GRAY)
        self.call(window, definition, WindowMessage.GROW, place)
        self._put_pen(PAT_COPY, BLACK_PATTERN)
        self._memory.dispose_pointer(place)

    def _window_manager_port(self) -> GrafPort:
        return GrafPort(self.guest, self.guest.u32(LowMemory.WINDOW_MANAGER_PORT))

    def _put_pen(self, mode: int, pattern: bytes) -> None:
        port = self._window_manager_port()
        port.pnSize, port.pnMode, port.pnPat = Point(1, 1), mode, pattern
