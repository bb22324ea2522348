"""The Window Manager: following the mouse, and moving and resizing windows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from emu.quickdraw import EMPTY, GRAY, PixelRegion, Rectangle
from emu.toolbox.calls.marshal import signed_16, signed_32
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.events.accessories import Accessories
from emu.toolbox.managers.events.drag_outline import DragOutline
from emu.toolbox.managers.events.manager import EventManager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.windows.access import DRAG_PATTERN, WindowAccess
from emu.toolbox.managers.windows.definitions import WindowDefinitions
from emu.toolbox.managers.windows.frames import (
    IN_GO_AWAY,
    IN_SYSTEM_WINDOW,
    IN_ZOOM_IN,
    IN_ZOOM_OUT,
)
from emu.toolbox.managers.windows.manager import WindowManager
from emu.toolbox.managers.windows.open_windows import WindowList
from emu.toolbox.managers.windows.record import global_rectangle
from emu.toolbox.records.windows import WindowRecord, WStateData
from emu.toolbox.system_file.keyboard import is_held

_NOWHERE = -0x8000
"""What DragGrayRgn gives for both distances when the mouse was let go too far away."""


def distance(dh: int, dv: int) -> int:
    """Two distances as the long word in which they are given back."""
    return signed_32((dv & 0xFFFF) << 16 | dh & 0xFFFF)


def _sized(r: Rectangle, height: int, width: int) -> Rectangle:
    return Rectangle(r.top, r.left, r.top + height, r.left + width)


@dataclass(frozen=True, slots=True)
class DragPath:
    """Where the mouse may drag something.

    Attributes:
        start: where the button was pressed.
        limit: how far the mouse counts.
        slop: how far it may leave that without the drag being given up.
        axis: 1 for only horizontally, 2 for only vertically.
    """

    start: Point
    limit: Rectangle
    slop: Rectangle
    axis: int = 0

    def went(self, mouse: Point) -> tuple[int, int] | None:
        """How far what is dragged has gone, across and down; None if it is given up."""
        if not self.slop.contains(mouse.h, mouse.v):
            return None
        h = min(max(mouse.h, self.limit.left), self.limit.right - 1)
        v = min(max(mouse.v, self.limit.top), self.limit.bottom - 1)
        dh, dv = h - self.start.h, v - self.start.v
        return 0 if self.axis == 2 else dh, 0 if self.axis == 1 else dv


class WindowTracking(Manager):
    """Routines that follow the mouse until its button is let go."""

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _regions: RegionHandles
    _windows: WindowAccess
    _window_manager: WindowManager
    _events: EventManager
    _own: WindowDefinitions
    _accessories: Accessories

    @property
    def _list(self) -> WindowList:
        return self._windows.list

    def while_mouse_is_down(
        self, outline: Callable[[], DragOutline | None] = lambda: None
    ) -> Iterator[Point]:
        """The mouse's places, global, until the button is let go; the last one is where.

        Args:
            outline: gives what is dragged, after each of the places was handled.
        """
        events = self._events
        yield events.mouse
        while events.mouse_is_down():
            events.idle(outline=outline())
            yield events.mouse

    def track(self, inside: Callable[[Point], bool], show: Callable[[bool], None]) -> bool:
        """Follow the mouse in and out of a part; whether it is let go inside.

        Args:
            inside: whether a global point is in the part.
            show: draws the part as pressed or not, whenever that changes.
        """
        pressed = False
        for place in self.while_mouse_is_down():
            if inside(place) != pressed:
                pressed = not pressed
                show(pressed)
        if pressed:
            show(False)
        return pressed

    # -- what is where -----------------------------------------------------------------------------

    @routine("FUNCTION FindWindow (thePoint: Point; VAR theWindow: WindowPtr): INTEGER")
    def find_window(self, place: Point, result: int) -> int:
        """Which part of which window is at a point of the screen."""
        part, window = self._windows.at(place)
        self.guest.put32(result, window)
        return IN_SYSTEM_WINDOW if self._accessories.driver_of(window) else int(part)

    @routine("FUNCTION PinRect (theRect: Rect; thePt: Point): LONGINT")
    def pin_rect(self, r: int, place: Point) -> int:
        """The point of a rectangle that is nearest to a point."""
        top, left, bottom, right = self.guest.rect(r)
        v = min(max(place.v, top), bottom - 1)
        h = min(max(place.h, left), right - 1)
        return distance(h, v)

    # -- boxes -------------------------------------------------------------------------------------

    @routine("FUNCTION TrackGoAway (theWindow: WindowPtr; thePt: Point): BOOLEAN")
    def track_go_away(self, window: int, place: Point) -> bool:
        """Follow the mouse from a press in the close box."""
        self._windows.must_be_window(window)
        if self._own.draws(window):
            return self._track_own_box(window, IN_GO_AWAY)
        frame = self._list.frame(window)
        return self._track_box(window, frame.kind.close_box(frame.content))

    @routine("FUNCTION TrackBox (theWindow: WindowPtr; thePt: Point; partCode: INTEGER): BOOLEAN")
    def track_box(self, window: int, place: Point, part: int) -> bool:
        """Follow the mouse from a press in the zoom box."""
        self._windows.must_be_window(window)
        if self._own.draws(window):
            return self._track_own_box(window, part)
        frame = self._list.frame(window)
        return self._track_box(window, frame.kind.zoom_box(frame.content))

    def _track_box(self, window: int, box: Rectangle) -> bool:
        def show(pressed: bool) -> None:
            seen = self._list.exposed().structures.get(window, EMPTY)
            if pressed:
                Painter.on_screen(self._quickdraw, seen).invert(box.inset(1, 1))
            else:
                self._list.paint_frame(window, seen)

        return self.track(lambda place: box.contains(place.h, place.v), show)

    def _track_own_box(self, window: int, part: int) -> bool:
        """Follow the mouse in a box that a definition function of the program's finds and draws."""
        definition = self._list.opened[window].kind.definition

        def show(pressed: bool) -> None:
            seen = self._list.exposed().structures.get(window, EMPTY)
            self._own.draw(window, definition, seen, part)

        return self.track(lambda place: self._list.part_at(window, place) == part, show)

    # -- dragging ----------------------------------------------------------------------------------

    @routine(
        "FUNCTION DragGrayRgn (theRgn: RgnHandle; startPt: Point; limitRect,slopRect: Rect; "
        "axis: INTEGER; actionProc: ProcPtr): LONGINT"
    )
    def drag_gray_rgn(
        self, region: int, start: Point, limit: int, slop: int, axis: int, action: int
    ) -> int:
        """Follow the mouse with an outline; how far it went, in the current port's coordinates."""
        path = DragPath(start, self.guest.rect(limit), self.guest.rect(slop), axis)
        return self._drag_region(region, path, action, GRAY)

    @routine(
        "FUNCTION DragTheRgn (theRgn: RgnHandle; startPt: Point; limitRect,slopRect: Rect; "
        "axis: INTEGER; actionProc: ProcPtr): LONGINT"
    )
    def drag_the_rgn(
        self, region: int, start: Point, limit: int, slop: int, axis: int, action: int
    ) -> int:
        """The same, with an outline in the pattern that is in low memory."""
        path = DragPath(start, self.guest.rect(limit), self.guest.rect(slop), axis)
        return self._drag_region(region, path, action, self.guest.read(DRAG_PATTERN, 8))

    def _drag_region(self, region: int, path: DragPath, action: int, pattern: bytes) -> int:
        port = self._quickdraw.port
        return self.drag(
            path, DragOutline.around(self._regions.region(region), port, pattern), action
        )

    def drag(self, path: DragPath, dragged: DragOutline, action: int = 0) -> int:
        """Follow the mouse; how far it went, as DragGrayRgn says it.

        Args:
            path: where the mouse was pressed and may go, in the coordinates of the outline's port.
            dragged: the outline of what follows it.
            action: a routine of the program to call all the while; 0 for none.
        """
        port = dragged.port
        went: tuple[int, int] | None = (0, 0)

        def outline() -> DragOutline | None:
            return None if went is None else dragged.moved(*went)

        for seen in self.while_mouse_is_down(outline):
            went = path.went(self._quickdraw.to_local(port, seen) if port else seen)
            if action:
                self.host.call_guest(action, "PROCEDURE Action")
        return distance(*(went or (_NOWHERE, _NOWHERE)))

    @routine("PROCEDURE DragWindow (theWindow: WindowPtr; startPt: Point; boundsRect: Rect)")
    def drag_window(self, window: int, start: Point, bounds: int) -> None:
        """Let the user move a window; with the Command key without its coming to the front."""
        stays_behind = is_held(self.guest.read(LowMemory.KEY_MAP, 16), "command")
        self._windows.must_be_window(window)
        limit = self.guest.rect(bounds)
        limit = limit.intersect(self._list.desktop.bounds.inset(4, 4))
        dragged = DragOutline.around(self._list.structure(window))
        moved = self.drag(DragPath(start, limit, limit), dragged)
        dv, dh = signed_16(moved >> 16), signed_16(moved)
        if dh == _NOWHERE or (dh, dv) == (0, 0):
            return
        where = global_rectangle(self.guest, window)
        self.move_window(window, where.left + dh, where.top + dv, not stays_behind)

    @routine("FUNCTION GrowWindow (theWindow: WindowPtr; startPt: Point; sizeRect: Rect): LONGINT")
    def grow_window(self, window: int, start: Point, sizes: int) -> int:
        """Let the user choose another size: height and width, or 0 if it stays the same."""
        self._windows.must_be_window(window)
        now = WindowRecord(self.guest, window).port.portRect
        least_height, least_width, most_height, most_width = self.guest.rect(sizes)
        where, shown = global_rectangle(self.guest, window), None
        width, height = now.width, now.height

        def gray_outline() -> DragOutline | None:
            if self._own.draws(window):
                return None  # its own function has drawn one
            kind = self._list.frame(window).kind
            return DragOutline(kind.grow_outline(_sized(where, height, width)))

        for place in self.while_mouse_is_down(gray_outline):
            width = min(max(now.width + place.h - start.h, least_width), most_width - 1)
            height = min(max(now.height + place.v - start.v, least_height), most_height - 1)
            outline = _sized(where, height, width)
            self._change_outline(window, shown, outline)
            shown = outline
        self._change_outline(window, shown, None)
        if (width, height) == (now.width, now.height):
            return 0
        return distance(width, height)

    def _change_outline(self, window: int, old: Rectangle | None, new: Rectangle | None) -> None:
        """Let the program's own function move the outline of the size that the user chooses."""
        if old == new or not self._own.draws(window):
            return
        definition = self._list.opened[window].kind.definition
        for outline in (old, new):
            if outline is not None:
                self._own.invert_outline(window, definition, outline)

    # -- moving and resizing -----------------------------------------------------------------------

    @routine(
        "PROCEDURE MoveWindow (theWindow: WindowPtr; hGlobal,vGlobal: INTEGER; front: BOOLEAN)"
    )
    def move_window(self, window: int, h: int, v: int, front: bool) -> None:
        """Move a window so that its content's corner is at a point; its pixels go with it."""
        self._windows.must_be_window(window)
        guest, windows = self.guest, self._list
        where = global_rectangle(guest, window)
        dh, dv = h - where.left, v - where.top
        seen = windows.exposed().contents.get(window, EMPTY)
        pixels = self._kept_pixels(seen.bounds)
        with windows.rearranging():
            bits = self._quickdraw.pixels_of(window)
            bits.bounds = bits.bounds.offset(-dh, -dv)
            due = windows.update(window).offset(dh, dv)
            windows.measure(window)
            # What was seen before comes along; only the rest of the content is uncovered.
            windows.set_update(window, due)
        landed = seen.offset(dh, dv)
        now = windows.exposed().contents.get(window, EMPTY)
        windows.paint_whole_frame(window)
        kept = landed.intersect(now)
        self._put_pixels(pixels, landed.bounds, kept)
        lost = now.difference(kept)
        windows.blank(window, lost)
        windows.set_update(window, due.intersect(now).union(lost))
        if front:
            self._window_manager.select_window(window)

    def _kept_pixels(self, r: Rectangle) -> object:
        screen = self._quickdraw.screen
        return screen.pixels(r) if not r.empty else None

    def _put_pixels(self, pixels: object, r: Rectangle, part: PixelRegion) -> None:
        """Put pixels that were taken from a rectangle of the same size into a part of one."""
        screen = self._quickdraw.screen
        for top, left, bottom, right in part.rectangles():
            piece = Rectangle(top, left, bottom, right)
            rows = slice(top - r.top, bottom - r.top)
            columns = slice(left - r.left, right - r.left)
            screen.put(piece, pixels[rows, columns])  # type: ignore[index]

    @routine("PROCEDURE SizeWindow (theWindow: WindowPtr; w,h: INTEGER; fUpdate: BOOLEAN)")
    def size_window(self, window: int, width: int, height: int, update: bool) -> None:
        """Give a window's content another size."""
        self._windows.must_be_window(window)
        if width == 0 and height == 0:
            return
        port = WindowRecord(self.guest, window).port
        top, left, _, _ = port.portRect
        with self._list.rearranging(update=update):
            port.portRect = Rectangle(top, left, top + height, left + width)
            self._list.measure(window)
        self._list.paint_whole_frame(window)

    @routine("PROCEDURE ZoomWindow (theWindow: WindowPtr; partCode: INTEGER; front: BOOLEAN)")
    def zoom_window(self, window: int, part: int, front: bool) -> None:
        """Change between the size the user gave and the standard size; all is to be drawn."""
        self._windows.must_be_window(window)
        record = WindowRecord(self.guest, window)
        handle = record.dataHandle
        if part not in (IN_ZOOM_IN, IN_ZOOM_OUT) or not handle or not record.spareFlag:
            return
        states = WStateData(self.guest, self._memory.address(handle))
        if part == IN_ZOOM_OUT:
            states.userState = global_rectangle(self.guest, window)
        to = states.stdState if part == IN_ZOOM_OUT else states.userState
        with self._list.rearranging():
            port = record.port
            was = global_rectangle(self.guest, window)
            bits = self._quickdraw.pixels_of(window)
            bits.bounds = bits.bounds.offset(was.left - to.left, was.top - to.top)
            top, left, _, _ = port.portRect
            port.portRect = Rectangle(top, left, top + to.height, left + to.width)
            self._list.measure(window)
        self._list.paint_whole_frame(window)
        content = self._list.exposed().contents.get(window, EMPTY)
        self._list.blank(window, content)
        self._list.set_update(window, content)
        if front:
            self._window_manager.select_window(window)
