"""The Window Manager: making, showing, ordering and closing windows.

The desktop and its ports, which InitWindows makes, are in `desktop`.
"""

from __future__ import annotations

from dataclasses import replace

from emu.quickdraw import EMPTY, PixelRegion, Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_access import pascal_string
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import Colors
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import WHITE_INK
from emu.toolbox.managers.quickdraw.ports.inks import Rgb
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.resources.manager import ResourceManager
from emu.toolbox.managers.resources.template import Template
from emu.toolbox.managers.windows.access import (
    CURRENT_ACTIVATE,
    CURRENT_DEACTIVATE,
    WindowAccess,
)
from emu.toolbox.managers.windows.auxiliary import AuxiliaryRecords
from emu.toolbox.managers.windows.definitions import WindowDefinitions, WindowMessage
from emu.toolbox.managers.windows.description import FRONT, WindowDescription, content_of
from emu.toolbox.managers.windows.frames import WindowKind
from emu.toolbox.managers.windows.open_windows import OpenWindow
from emu.toolbox.managers.windows.record import USER_KIND
from emu.toolbox.records.windows import WindowRecord, WStateData

_REGIONS = (WindowRecord.strucRgn, WindowRecord.contRgn, WindowRecord.updateRgn)
_NEW_WINDOW = (
    "(wStorage: Ptr; boundsRect: Rect; title: Str255; visible: BOOLEAN; procID: INTEGER; "
    "behind: WindowPtr; goAwayFlag: BOOLEAN; refCon: LONGINT): WindowPtr"
)


class WindowManager(Manager):
    """Making, showing, ordering and closing windows."""

    _windows: WindowAccess
    _memory: MemoryManager
    _resources: ResourceManager
    _regions: RegionHandles
    _quickdraw: QuickDraw
    _own: WindowDefinitions
    _colors: Colors
    _auxiliary: AuxiliaryRecords

    # -- making windows ----------------------------------------------------------------------------

    @routine(f"FUNCTION NewWindow {_NEW_WINDOW}")
    def new_window(self, storage: int, *parameters: int) -> int:
        """Make a window."""
        return self.make(storage, WindowDescription.of_call(self.guest, *parameters))

    @routine(f"FUNCTION NewCWindow {_NEW_WINDOW}")
    def new_c_window(self, storage: int, *parameters: int) -> int:
        """Make a window with a port in colour; without Color QuickDraw it is like any other."""
        wanted = WindowDescription.of_call(self.guest, *parameters)
        return self.make(storage, replace(wanted, content=self.content_color("wctb", None)))

    def content_color(self, kind: str, number: int | None) -> Rgb | None:
        """The content's colour of a window in colour: a resource's, or else white.

        Args:
            kind: the resource's type: 'wctb', 'dctb' or 'actb'.
            number: its ID; None for white.

        Returns:
            The colour, or None if there is no Color QuickDraw.
        """
        if not self.host.has_color:
            return None
        data = self._resources.data(kind, number) if number is not None else None
        return content_of(data or b"") or WHITE_INK

    def make(
        self,
        storage: int,
        wanted: WindowDescription,
        *,
        kind: int = USER_KIND,
        size: int = WindowRecord.size,
    ) -> int:
        """Make a window.

        Args:
            storage: the address of its record; 0 if that has to be allocated.
            wanted: what it is to be.
            kind: its windowKind.
            size: the size of its record in bytes, if that has to be allocated.

        Returns:
            Its address; 0 if memory is full.

        Raises:
            GuestStopped: its definition function cannot be called.
        """
        if not self._windows.ready:
            raise self.host.stopped("a window was made before InitWindows was called")
        own = self._own.find(wanted.definition)
        look = WindowKind(wanted.definition)
        if not own and not look.is_known:
            if look.definition >> 4:
                self._resources.report_missing(
                    "WDEF", look.definition >> 4, "the window is a standard one"
                )
            look = look.standard
        window = storage or self._memory.new_pointer(size, clear=True)
        if not window:
            return 0
        if self._windows.is_window(window):
            self.host.report(
                "window storage", f"a window is made in the record of an open one, 0x{window:x}"
            )
            self.close_window(window)
        self._write_record(window, wanted, kind)
        self._windows.list.opened[window] = OpenWindow(look, owns_record=not storage)
        self._windows.closed.discard(window)
        standard = 0 if own else self._own.standard(wanted.definition)
        WindowRecord(self.guest, window).windowDefProc = own or standard
        if own:
            self._own.call(window, look.definition, WindowMessage.INITIALISE)
        else:
            self._make_states(window, wanted.bounds, can_zoom=look.can_zoom)
        self._windows.list.place(window, wanted.behind)
        self._quickdraw.clip_visible(window, EMPTY)
        if wanted.visible:
            self.show_window(window)
        return window

    def _write_record(self, window: int, wanted: WindowDescription, kind: int) -> None:
        """Fill the record of a new window, which opens its port."""
        record, quickdraw = WindowRecord(self.guest, window), self._quickdraw
        record.clear()
        if wanted.content is None:
            quickdraw.open_port(window, wanted.bounds)
        else:
            self._colors.open_window_port(window, wanted.bounds, wanted.content)
            self._auxiliary.give(window, wanted.content)
        wide_open = PixelRegion.from_rectangle(Rectangle(-32767, -32767, 32767, 32767))
        self._regions.set_region(record.port.clipRgn, wide_open)
        for field in _REGIONS:
            record[field] = self._regions.new_region(EMPTY)
        record.windowKind = kind
        record.goAwayFlag = wanted.go_away
        record.refCon = wanted.reference
        record.titleHandle = self._memory.handle_from(pascal_string(wanted.title))
        self._windows.note_title_width(window, wanted.title)

    def _make_states(self, window: int, bounds: Rectangle, *, can_zoom: bool) -> None:
        """The two sizes between which a zoom box changes; WStateData.

        A window without a zoom box has them too: programs keep its place there (THINK C's console
        does), so the system's definition function must have made the handle for every window.
        """
        handle = self._memory.new_handle(WStateData.size, clear=True)
        record = WindowRecord(self.guest, window)
        record.dataHandle = handle
        record.spareFlag = can_zoom
        screen = self._windows.list.desktop.bounds
        states = WStateData(self.guest, self._memory.address(handle))
        states.userState = bounds
        states.stdState = Rectangle(screen.top + 20, 3, screen.bottom - 3, screen.right - 3)

    @routine(
        "FUNCTION GetNewWindow (windowID: INTEGER; wStorage: Ptr; behind: WindowPtr): WindowPtr"
    )
    def get_new_window(self, number: int, storage: int, behind: int) -> int:
        """Make a window as a resource describes it; 0 if there is no such resource."""
        wanted = self._of_resource(number, behind)
        return self.make(storage, wanted) if wanted else 0

    @routine(
        "FUNCTION GetNewCWindow (windowID: INTEGER; wStorage: Ptr; behind: WindowPtr): WindowPtr"
    )
    def get_new_c_window(self, number: int, storage: int, behind: int) -> int:
        """Make a window with a port in colour, whose colours a 'wctb' of the same number has."""
        wanted = self._of_resource(number, behind)
        content = self.content_color("wctb", number)
        return self.make(storage, replace(wanted, content=content)) if wanted else 0

    def _of_resource(self, number: int, behind: int) -> WindowDescription | None:
        data = self._resources.template("WIND", number)
        if data is None:
            return None
        template = Template(self.host, "WIND", number, data)
        return WindowDescription.of_template(self._windows.list, template, behind)[0]

    @routine("PROCEDURE CloseWindow (theWindow: WindowPtr)")
    def close_window(self, window: int) -> None:
        """Take a window from the screen; its record is left to the program."""
        self._close(window, dispose=False)

    @routine("PROCEDURE DisposeWindow (theWindow: WindowPtr)")
    def dispose_window(self, window: int) -> None:
        """Take a window from the screen and dispose of its record."""
        self._close(window, dispose=True)

    def _close(self, window: int, dispose: bool) -> None:
        if window in self._windows.closed and not self._windows.is_window(window):
            self.host.report("double dispose", f"the window 0x{window:x} was closed a second time")
            return
        self._windows.must_be_window(window)
        self._windows.keep_picture(window)
        for tell in self._windows.on_close:
            tell(window)
        self.hide_window(window)
        self._windows.last_seen.pop(window, None)
        self._windows.dismantled.discard(window)
        opened = self._windows.list.opened[window]
        self._windows.list.relink([other for other in self._windows.list.all() if other != window])
        guest, memory = self.guest, self._memory
        for place in (CURRENT_ACTIVATE, CURRENT_DEACTIVATE):
            if guest.u32(place) == window:
                guest.put32(place, 0)
        record = WindowRecord(guest, window)
        fields = [*_REGIONS, WindowRecord.titleHandle]
        if self._own.draws(window):
            # What it keeps in the dataHandle is for it to dispose of.
            self._own.call(window, opened.kind.definition, WindowMessage.DISPOSE)
        else:
            fields.append(WindowRecord.dataHandle)
        for field in fields:
            if record[field]:
                memory.dispose_handle(record[field])
                record[field] = 0
        if self._quickdraw.is_color_port(window):
            self._colors.close_c_port(window)
        else:
            self._quickdraw.close_port(window)
        if self._quickdraw.port == window:
            # So it is on a Macintosh (Apple's sources of 1994, CloseWindowGuts in WindowMgr.a).
            self._quickdraw.port = guest.u32(LowMemory.WINDOW_MANAGER_PORT)
        self._auxiliary.take(window)
        del self._windows.list.opened[window]
        self._windows.closed.add(window)
        if dispose:
            if opened.owns_record or memory.is_pointer(window):
                memory.dispose_pointer(window)
            else:
                self._keep_storage(window)

    def _keep_storage(self, window: int) -> None:
        """Leave a record that is inside another block, since it cannot be disposed of by itself."""
        self.host.report(
            "window storage",
            f"DisposeWindow was called for the window 0x{window:x}, whose record is the program's "
            "own: CloseWindow is meant for it",
        )

    # -- showing and ordering ----------------------------------------------------------------------

    @routine("FUNCTION FrontWindow : WindowPtr")
    def front_window(self) -> int:
        """The frontmost visible window."""
        return self._windows.front()

    @routine("PROCEDURE ShowWindow (theWindow: WindowPtr)")
    def show_window(self, window: int) -> None:
        """Show a window; it becomes active if it is the frontmost one."""
        self._windows.must_be_window(window)
        record = WindowRecord(self.guest, window)
        if record.visible:
            return
        before = self._windows.front()
        visible = [
            w for w in self._windows.all() if w == window or WindowRecord(self.guest, w).visible
        ]
        if visible[0] == window:
            record.hilited = True
        self.show_hide(window, True)
        if self._windows.front() == window:
            self._activate(before, window)

    @routine("PROCEDURE HideWindow (theWindow: WindowPtr)")
    def hide_window(self, window: int) -> None:
        """Hide a window; if it was active the one behind it becomes so, and comes before it."""
        self._windows.must_be_window(window)
        record = WindowRecord(self.guest, window)
        if not record.visible:
            return
        was_front = self._windows.front() == window
        self.show_hide(window, False)
        if was_front:
            record.hilited = False
            front = self._windows.front()
            if front:
                self._windows.list.place(window, front)
            self._activate(window, front)

    @routine("PROCEDURE ShowHide (theWindow: WindowPtr; showFlag: BOOLEAN)")
    def show_hide(self, window: int, show: bool) -> None:
        """Show or hide a window and leave everything else as it is."""
        self._windows.must_be_window(window)
        record = WindowRecord(self.guest, window)
        if record.visible == show:
            return
        if not show:
            self._windows.note_hidden(window)
        with self._windows.list.rearranging():
            # A Boolean of Pascal is true in its lowest bit; this field is $FF on a Macintosh.
            record.visible = show
            self._windows.list.measure(window)
            if not show:
                self._windows.list.set_update(window, EMPTY)

    @routine("PROCEDURE SelectWindow (theWindow: WindowPtr)")
    def select_window(self, window: int) -> None:
        """Make a window the active one, also one that is hidden.

        Source: SelectWindow in Apple's WindowMgr.a of 1994.
        """
        self._windows.must_be_window(window)
        before = self._windows.front()
        if before != window:
            self.bring_to_front(window)
            self._activate(before, window)

    @routine("PROCEDURE BringToFront (theWindow: WindowPtr)")
    def bring_to_front(self, window: int) -> None:
        """Put a window before all others; which one is active does not change."""
        self._windows.must_be_window(window)
        with self._windows.list.rearranging():
            self._windows.list.place(window, FRONT)

    @routine("PROCEDURE SendBehind (theWindow,behindWindow: WindowPtr)")
    def send_behind(self, window: int, behind: int) -> None:
        """Put a window behind another one, or behind all others."""
        self._windows.must_be_window(window)
        before = self._windows.front()
        with self._windows.list.rearranging():
            self._windows.list.place(window, behind)
        if before == window and self._windows.front() != window:
            self._activate(window, self._windows.front())

    @routine("PROCEDURE HiliteWindow (theWindow: WindowPtr; fHilite: BOOLEAN)")
    def hilite_window(self, window: int, highlight: bool) -> None:
        """Draw a window's frame as that of the active one, or not."""
        if not window:
            return
        self._windows.must_be_window(window)
        record = WindowRecord(self.guest, window)
        if record.hilited != highlight:
            record.hilited = highlight
            self._windows.list.paint_whole_frame(window)

    def _activate(self, before: int, now: int) -> None:
        """Another window is active: show it, and let the Event Manager tell the program."""
        if before == now:
            return
        if before and self._windows.is_window(before):
            self.hilite_window(before, False)
            self.guest.put32(CURRENT_DEACTIVATE, before)
        if self.guest.u32(CURRENT_ACTIVATE) == before:
            self.guest.put32(CURRENT_ACTIVATE, 0)
        if now:
            self.hilite_window(now, True)
            self.guest.put32(CURRENT_ACTIVATE, now)
