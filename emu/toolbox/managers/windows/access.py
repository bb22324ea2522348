"""The windows there are, as other managers use them, and pictures of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from emu.quickdraw import EMPTY, GRAY, PixelRegion, PixelView, bytes_in_row, screenshot
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import MisuseError, NilGivenError, Sureness
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.block import FREE
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.quickdraw.text.text import TextDrawing
from emu.toolbox.managers.windows.definitions import WindowDefinitions
from emu.toolbox.managers.windows.frames import IN_DESK, IN_GO_AWAY, IN_MENU_BAR
from emu.toolbox.managers.windows.open_windows import DESK_PATTERN, WindowList
from emu.toolbox.managers.windows.record import global_rectangle
from emu.toolbox.records.windows import WindowRecord

MENU_BAR_HEIGHT = 20

# Low memory of the Window Manager (Inside Macintosh I, pp. I-280 to I-297).
OLD_STRUCTURE = 0x9E6
OLD_CONTENT = 0x9EA
SAVED_VISIBLE_REGION = 0x9F2
CURRENT_ACTIVATE = 0xA64
CURRENT_DEACTIVATE = 0xA68
DRAG_PATTERN = 0xA34

_SMALLEST_BOX = 4
"""Pixels between the points at which a close box is looked for."""


class WindowAccess(Manager):
    """Windows, as other managers ask for them.

    Attributes:
        ready: whether InitWindows was called.
        list: the windows, and how they cover one another.
        closed: the windows that were closed.
        last_seen: copies of the pixels of windows from before they were hidden, or from before
            their controls were disposed of.
        dismantled: the windows that have lost a control since the user last saw the screen.
        on_close: called with each window before it disappears, for managers that keep something
            for it.
    """

    _memory: MemoryManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _text: TextDrawing
    _own: WindowDefinitions

    def start(self) -> None:
        """Nothing is on the screen yet; only low memory says how high the menu bar is."""
        self.list = WindowList(self.host, self._memory, self._regions, self._quickdraw, self._own)
        self.on_close: list[Callable[[int], object]] = []
        self.closed: set[int] = set()
        self.last_seen: dict[int, PixelView | None] = {}
        self.dismantled: set[int] = set()
        self.ready: bool = False
        self.guest.put16(LowMemory.MENU_BAR_HEIGHT, MENU_BAR_HEIGHT)
        self.guest.write(DESK_PATTERN, GRAY)
        self.guest.write(DRAG_PATTERN, GRAY)

    # -- for other managers and for people ---------------------------------------------------------

    def front(self) -> int:
        """The frontmost visible window; 0 if there is none."""
        visible = self.list.visible()
        return visible[0] if visible else 0

    def all(self) -> list[int]:
        """Every window, front to back."""
        return self.list.all()

    def is_window(self, address: int) -> bool:
        """Whether there is an open window."""
        return address in self.list.opened

    def title_of(self, window: int) -> bytes:
        """A window's title, MacRoman."""
        return self.list.title(window)

    def at(self, point: Point) -> tuple[int, int]:
        """Part code and window at a point of the screen."""
        if point.v < self.guest.u16(LowMemory.MENU_BAR_HEIGHT):
            return IN_MENU_BAR, 0
        for window in self.list.visible():
            if self.list.structure(window).contains(point.h, point.v):
                part = self.list.part_at(window, point)
                return part, window if part != IN_DESK else 0
        return IN_DESK, 0

    def invalidate(self, window: int, part: PixelRegion) -> None:
        """Ask the program to draw a part of a window's content; global coordinates."""
        seen = self.list.exposed().contents.get(window, EMPTY)
        self.list.set_update(window, self.list.update(window).union(part.intersect(seen)))

    def activation(self, *, remove: bool) -> tuple[int, bool] | None:
        """The window that an activate event is still due for, and whether it became active.

        Args:
            remove: whether the event is taken, so that the next call gives another one.
        """
        for place, active in ((CURRENT_DEACTIVATE, False), (CURRENT_ACTIVATE, True)):
            window = self.guest.u32(place)
            if window:
                if remove:
                    self.guest.put32(place, 0)
                return window, active
        return None

    @property
    def window_manager_port(self) -> int:
        """The port in which frames and the desktop are drawn."""
        return self.guest.u32(LowMemory.WINDOW_MANAGER_PORT)

    def close_box(self, window: int) -> Point | None:
        """A point in a window's close box; None if it shows none."""
        if self._own.draws(window):
            return self._close_box_of_own(window)
        frame = self.list.frame(window)
        if not (frame.highlighted and frame.shows_close_box):
            return None
        box = frame.kind.close_box(frame.content)
        return Point.middle_of(box)

    def _close_box_of_own(self, window: int) -> Point | None:
        """The first point of a close box that the program's own definition function has."""
        record = WindowRecord(self.guest, window)
        if not (record.hilited and record.goAwayFlag):
            return None
        around = self.list.structure(window).difference(self.list.content(window))
        for top, left, bottom, right in around.rectangles():
            for v in range(top, bottom, _SMALLEST_BOX):
                for h in range(left, right, _SMALLEST_BOX):
                    if self.list.part_at(window, Point(v, h)) == IN_GO_AWAY:
                        return Point(v, h)
        return None

    def middle(self, window: int) -> Point:
        """The middle of a window's content, global."""
        return Point.middle_of(global_rectangle(self.guest, window))

    def picture(self, window: int) -> bytes:
        """What the screen shows where a window's content is, as PNG; b"" if that is nowhere."""
        return _png(self._copy(window))

    def screen_picture(self) -> bytes:
        """The whole screen as PNG."""
        return screenshot(self._quickdraw.display)

    def note_hidden(self, window: int) -> None:
        """Remember how a window looks that is about to be hidden; many are closed hidden."""
        if window not in self.dismantled:
            self.last_seen[window] = self._copy(window)

    def note_dismantled(self, window: int) -> None:
        """Remember how a window looks that is about to lose a control, if the user sees it.

        Many programs dispose of a dialog's buttons before they close it; what the user last saw
        has them.
        """
        if window not in self.dismantled and WindowRecord(self.guest, window).visible:
            self.note_hidden(window)
            self.dismantled.add(window)

    def _copy(self, window: int) -> PixelView | None:
        """The pixels that the screen has where a window's content is; None if that is nowhere."""
        screen = self._quickdraw.display
        part = global_rectangle(self.guest, window).intersect(screen.bounds)
        if part.empty:
            return None
        row_bytes = bytes_in_row(part.width, screen.depth)
        memory = np.zeros(row_bytes * part.height, np.uint8)
        copy = PixelView(memory, row_bytes, part, screen.depth, screen.space)
        copy.put(part, screen.pixels(part))
        return copy

    def keep_picture(self, window: int) -> None:
        """Put a window's picture, as it was last seen, and its text among what is left."""
        captured = self._text.captured
        text = captured.text(window)
        captured.forget(window)
        is_seen = WindowRecord(self.guest, window).visible and window not in self.dismantled
        png = _png(self._copy(window) if is_seen else self.last_seen.get(window))
        self.host.outputs.keep_window(self.title_of(window).decode("mac_roman"), text, png)

    def finish(self) -> None:
        """Take pictures of the windows still open, and of the screen."""
        if not self.ready:
            return
        for window in reversed(self.list.all()):
            self.keep_picture(window)
        self.host.outputs.keep_picture("screen", self.screen_picture(), numbered=True)

    def must_be_window(self, window: int) -> None:
        """Refuse what is no window.

        Raises:
            MisuseError: it is none; a Macintosh would go on with garbage.
            NilGivenError: it is nil.
        """
        if not window:
            raise NilGivenError("a window pointer is nil")
        if window not in self.list.opened:
            gone = "a window that was closed" if window in self.closed else "no window"
            raise self.host.misuse("not a window", f"0x{window:x} is {gone}")

    def record_of(self, window: int) -> WindowRecord:
        """The record of a window, of which a routine reads or writes one field.

        A Macintosh does that without a look at the rest, so that it works on a record that is no
        window yet, as Demo of RV App Classes does to its own before NewWindow; that is only
        reported.

        Raises:
            NilGivenError: it is nil.
        """
        try:
            self.must_be_window(window)
        except MisuseError as error:
            problem = f"{self.host.routine_name('a routine')}: {error.problem}"
            is_own = window not in self.closed and self._is_in_a_block(window)
            problem += " yet; its record is in a block of the program's" * is_own
            self.host.report(error.check, problem, Sureness.UNUSUAL if is_own else None)
        return WindowRecord(self.guest, window)

    def _is_in_a_block(self, window: int) -> bool:
        """Whether the bytes of a window's record are all in one block of the heap."""
        block = self._memory.zones.at(window).block_around(window)
        if block is None or block.kind == FREE:
            return False
        return window + WindowRecord.size <= block.content + block.logical

    def set_title(self, window: int, title: bytes) -> None:
        """Give a window another title."""
        handle = WindowRecord(self.guest, window).titleHandle
        self._memory.set_contents(handle, pascal_string(title))
        self.note_title_width(window, title)
        self.list.paint_whole_frame(window)

    def note_title_width(self, window: int, title: bytes) -> None:
        """Store how wide a title is in the system font."""
        width = self._quickdraw.book.font(0, 12).text_width(title)
        WindowRecord(self.guest, window).titleWidth = width


def _png(pixels: PixelView | None) -> bytes:
    return b"" if pixels is None else screenshot(pixels)
