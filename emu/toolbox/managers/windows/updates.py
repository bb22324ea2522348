"""The Window Manager: what of a window is to be drawn, and its low-level routines."""

from __future__ import annotations

from emu.quickdraw import EMPTY, PixelRegion
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.color.colors import BACKGROUND, Colors
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.pictures.manager import Pictures
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.windows.access import (
    OLD_CONTENT,
    OLD_STRUCTURE,
    SAVED_VISIBLE_REGION,
    WindowAccess,
)
from emu.toolbox.managers.windows.auxiliary import AuxiliaryRecords
from emu.toolbox.managers.windows.description import content_of
from emu.toolbox.managers.windows.open_windows import WindowList
from emu.toolbox.managers.windows.record import local_origin
from emu.toolbox.records.quickdraw import GrafPort, Picture
from emu.toolbox.records.system import EventRecord
from emu.toolbox.records.windows import WindowRecord

_UPDATE_EVENT = 6


class WindowUpdates(Manager):
    """Update regions and visible regions."""

    _regions: RegionHandles
    _quickdraw: QuickDraw
    _windows: WindowAccess
    _memory: MemoryManager
    _pictures: Pictures
    _colors: Colors
    _auxiliary: AuxiliaryRecords

    @property
    def _list(self) -> WindowList:
        return self._windows.list

    def update_needed(self) -> int:
        """The frontmost window that the program is still to draw a part of; 0 if there is none.

        A window with a picture (SetWindowPic) is drawn here, and needs no event.
        """
        for window in self._list.visible():
            if not self._list.update(window).empty:
                if WindowRecord(self.guest, window).windowPic:
                    self._draw_picture(window)
                    continue
                return window
        return 0

    def _draw_picture(self, window: int) -> None:
        self.begin_update(window)
        with self._quickdraw.drawing_in(window):
            handle = WindowRecord(self.guest, window).windowPic
            frame = self._memory.address(handle) + Picture.picFrame.offset
            self._pictures.draw_picture(handle, frame)
        self.end_update(window)

    # -- update regions ----------------------------------------------------------------------------

    @routine("PROCEDURE BeginUpdate (theWindow: WindowPtr)")
    def begin_update(self, window: int) -> None:
        """Let only what is to be drawn be seen, and take it as drawn.

        A second time without EndUpdate, what could be seen before is lost, and nothing remains to
        be drawn (Apple's sources of 1994, WindowMgr.a): QuickLearner never calls EndUpdate.
        """
        self._windows.must_be_window(window)
        opened = self._list.opened[window]
        if opened.hidden_by_update is not None:
            self.host.report("update", "BeginUpdate was called twice without EndUpdate")
        handle = WindowRecord(self.guest, window).port.visRgn
        visible = self._regions.region(handle)
        dh, dv = local_origin(self.guest, window)
        opened.hidden_by_update = visible
        self._regions.set_region(self.guest.u32(SAVED_VISIBLE_REGION), visible)
        due = self._list.update(window).offset(dh, dv)
        self._regions.set_region(handle, visible.intersect(due))
        self._list.set_update(window, EMPTY)

    @routine("PROCEDURE EndUpdate (theWindow: WindowPtr)")
    def end_update(self, window: int) -> None:
        """Let all of a window be seen again."""
        self._windows.must_be_window(window)
        opened = self._list.opened[window]
        if opened.hidden_by_update is None:
            self.host.report("update", "EndUpdate was called without BeginUpdate")
            return
        visible, opened.hidden_by_update = opened.hidden_by_update, None
        self._quickdraw.clip_visible(window, visible)

    @routine("PROCEDURE InvalRect (badRect: Rect)")
    def inval_rect(self, r: int) -> None:
        """A rectangle of the current port is to be drawn."""
        self._change(PixelRegion.from_rectangle(self.guest.rect(r)), drawn=False)

    @routine("PROCEDURE InvalRgn (badRgn: RgnHandle)")
    def inval_rgn(self, region: int) -> None:
        """A region of the current port is to be drawn."""
        self._change(self._regions.region(region), drawn=False)

    @routine("PROCEDURE ValidRect (goodRect: Rect)")
    def valid_rect(self, r: int) -> None:
        """A rectangle of the current port need not be drawn."""
        self._change(PixelRegion.from_rectangle(self.guest.rect(r)), drawn=True)

    @routine("PROCEDURE ValidRgn (goodRgn: RgnHandle)")
    def valid_rgn(self, region: int) -> None:
        """A region of the current port need not be drawn."""
        self._change(self._regions.region(region), drawn=True)

    def _change(self, local: PixelRegion, *, drawn: bool) -> None:
        window = self._quickdraw.port
        if not self._windows.is_window(window):
            name = self.host.routine_name("a routine")
            self.host.report("update", f"{name} was called while the current port was no window")
            return
        dh, dv = local_origin(self.guest, window)
        part = local.offset(-dh, -dv)
        if drawn:
            self._list.set_update(window, self._list.update(window).difference(part))
        else:
            self._windows.invalidate(window, part)

    @routine("FUNCTION CheckUpdate (VAR theEvent: EventRecord): BOOLEAN")
    def check_update(self, event: int) -> bool:
        """Make the update event that is due, if one is."""
        window = self.update_needed()
        if window:
            due = EventRecord(self.guest, event)
            due.what, due.message = _UPDATE_EVENT, window
        return bool(window)

    # -- low-level routines ------------------------------------------------------------------------

    @routine("PROCEDURE ClipAbove (window: WindowPtr)")
    def clip_above(self, window: int) -> None:
        """Clip the Window Manager port to the desktop without the windows before this one."""
        visible = self._list.desktop
        for other in self._list.visible():
            if other == window:
                break
            visible = visible.difference(self._list.structure(other))
        self._regions.set_region(GrafPort(self.guest, self._port()).clipRgn, visible)

    def _port(self) -> int:
        return self._windows.window_manager_port

    @routine("PROCEDURE PaintOne (window: WindowPtr; clobberedRgn: RgnHandle)")
    def paint_one(self, window: int, clobbered: int) -> None:
        """Draw what can be seen of a window in a region; its content becomes due for update."""
        self._paint([window] if window else [], self._regions.region(clobbered))
        if not window:
            exposed = self._list.exposed()
            part = exposed.desktop.intersect(self._regions.region(clobbered))
            self._list.paint_desktop(part)

    @routine("PROCEDURE PaintBehind (startWindow: WindowPtr; clobberedRgn: RgnHandle)")
    def paint_behind(self, window: int, clobbered: int) -> None:
        """PaintOne for a window and all behind it, and the desktop."""
        part = self._regions.region(clobbered)
        self._paint(self._from(window), part)
        self._list.paint_desktop(self._list.exposed().desktop.intersect(part))

    def _from(self, window: int) -> list[int]:
        windows = self._list.visible()
        return windows[windows.index(window) :] if window in windows else []

    def _paint(self, windows: list[int], part: PixelRegion) -> None:
        exposed = self._list.exposed()
        for window in windows:
            self._windows.must_be_window(window)
            if window not in exposed.structures:
                continue
            self._list.paint_frame(window, exposed.structures[window].intersect(part))
            content = exposed.contents[window].intersect(part)
            self._list.blank(window, content)
            self._list.set_update(window, self._list.update(window).union(content))

    @routine("PROCEDURE CalcVis (window: WindowPtr)")
    def calc_vis(self, window: int) -> None:
        """Bring a window's visible region up to date."""
        self._list.set_visible_regions()

    @routine("PROCEDURE CalcVisBehind (startWindow: WindowPtr; clobberedRgn: RgnHandle)")
    def calc_vis_behind(self, window: int, clobbered: int) -> None:
        """Bring the visible regions of windows from one on up to date."""
        self._list.set_visible_regions()

    @routine("PROCEDURE SaveOld (window: WindowPtr)")
    def save_old(self, window: int) -> None:
        """Remember a window's regions, for DrawNew."""
        self._windows.must_be_window(window)
        self._regions.set_region(self._old(OLD_STRUCTURE), self._list.structure(window))
        self._regions.set_region(self._old(OLD_CONTENT), self._list.content(window))

    def _old(self, place: int) -> int:
        return self.guest.u32(place)

    @routine("PROCEDURE DrawNew (window: WindowPtr; update: BOOLEAN)")
    def draw_new(self, window: int, update: bool) -> None:
        """Draw what has changed of a window since SaveOld."""
        self._windows.must_be_window(window)
        exposed = self._list.exposed()
        self._list.set_visible_regions()
        structure = exposed.structures.get(window, EMPTY)
        changed = self._regions.region(self._old(OLD_STRUCTURE)).xor(self._list.structure(window))
        self._list.paint_frame(window, structure)
        if update:
            old_content = self._regions.region(self._old(OLD_CONTENT))
            uncovered = exposed.contents.get(window, EMPTY).difference(old_content)
            self._list.blank(window, uncovered)
            self._list.set_update(window, self._list.update(window).union(uncovered))
        others = [other for other in self._list.visible() if other != window]
        self._paint(others, changed)
        self._list.paint_desktop(exposed.desktop.intersect(changed))

    # -- colours -----------------------------------------------------------------------------------

    @routine("PROCEDURE SetWinColor (theWindow: WindowPtr; newColorTable: CTabHandle)")
    def set_win_color(self, window: int, colors: int) -> None:
        """Give a window in colour the content's colour of a table; frames are black and white."""
        quickdraw = self._quickdraw
        self._windows.must_be_window(window)
        if not colors or not quickdraw.is_color_port(window):
            return
        content = content_of(self._memory.contents(colors))
        if content is not None:
            self._auxiliary.give(window, content)
            with quickdraw.drawing_in(window):
                self._colors.set_color(BACKGROUND, content)
            seen = self._list.exposed().contents.get(window, EMPTY)
            self._list.blank(window, seen)
            self._list.set_update(window, self._list.update(window).union(seen))

    @routine("FUNCTION GetAuxWin (theWindow: WindowPtr; VAR awHndl: Handle): BOOLEAN")
    def get_aux_win(self, window: int, result: int) -> bool:
        """The record of a window's colours, and whether it is the window's own.

        Word 5.1 takes the colour of its buttons from there; they were red.
        """
        own = self._auxiliary.of_window(window)
        self.guest.put32(result, own or self._auxiliary.of_windows())
        return bool(own)
