"""The Window Manager: what programs ask and change about a window's fields."""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.managers.windows.definitions import WindowDefinitions
from emu.toolbox.managers.windows.frames import GROW_BOX, WindowKind
from emu.toolbox.records.windows import WindowRecord

_GROW_ICON = (
    "...............",
    "...............",
    "..#######......",
    "..#.....#......",
    "..#.....#####..",
    "..#.....#...#..",
    "..#.....#...#..",
    "..#.....#...#..",
    "..#######...#..",
    "....#.......#..",
    "....#.......#..",
    "....#.......#..",
    "....#########..",
    "...............",
    "...............",
)


class WindowFields(Manager):
    """Titles, numbers, pictures and the size box of windows."""

    _windows: WindowAccess
    _quickdraw: QuickDraw
    _own: WindowDefinitions

    # -- titles ------------------------------------------------------------------------------------

    @routine("PROCEDURE SetWTitle (theWindow: WindowPtr; title: Str255)")
    def set_w_title(self, window: int, title: int) -> None:
        """Give a window another title."""
        self._windows.must_be_window(window)
        self._windows.set_title(window, self.guest.pascal_string(title))

    @routine("PROCEDURE GetWTitle (theWindow: WindowPtr; VAR title: Str255)")
    def get_w_title(self, window: int, title: int) -> None:
        """A window's title."""
        self._windows.must_be_window(window)
        self.guest.put_pascal_string(title, self._windows.title_of(window))

    # -- small fields ------------------------------------------------------------------------------

    @routine("PROCEDURE SetWRefCon (theWindow: WindowPtr; data: LONGINT)")
    def set_w_ref_con(self, window: int, data: int) -> None:
        """Keep a number of the program's with a window."""
        self._windows.record_of(window).refCon = data

    @routine("FUNCTION GetWRefCon (theWindow: WindowPtr): LONGINT")
    def get_w_ref_con(self, window: int) -> int:
        """The number kept with a window."""
        return self._windows.record_of(window).refCon

    @routine("FUNCTION GetWVariant (theWindow: WindowPtr): INTEGER")
    def get_w_variant(self, window: int) -> int:
        """The last four bits of the definition ID with which a window was made."""
        self._windows.must_be_window(window)
        return self._windows.list.opened[window].kind.definition & 15

    @routine("PROCEDURE SetWindowPic (theWindow: WindowPtr; pic: PicHandle)")
    def set_window_pic(self, window: int, picture: int) -> None:
        """Let a picture stand for the window's content; there are no update events then."""
        self._windows.record_of(window).windowPic = picture

    @routine("FUNCTION GetWindowPic (theWindow: WindowPtr): PicHandle")
    def get_window_pic(self, window: int) -> int:
        """The picture that stands for the window's content."""
        return self._windows.record_of(window).windowPic

    @routine("PROCEDURE DrawGrowIcon (theWindow: WindowPtr)")
    def draw_grow_icon(self, window: int) -> None:
        """Draw the size box and the lines where scroll bars will be."""
        self._windows.must_be_window(window)
        kind = self._windows.list.opened[window].kind
        if self._own.draws(window):
            self._own.draw_grow_icon(window, kind.definition)
        else:
            self.draw_standard_grow_icon(window, kind)

    def draw_standard_grow_icon(self, window: int, kind: WindowKind) -> None:
        """Draw what a standard window has in its lower right corner, if it has a size box."""
        record = WindowRecord(self.guest, window)
        if not record.visible or not kind.can_grow:
            return
        painter = Painter.in_port(self._quickdraw, window)
        r = record.port.portRect
        left, top = r.right - GROW_BOX, r.bottom - GROW_BOX
        painter.erase(Rectangle(top, left, r.bottom, r.right))
        painter.line((left, r.top), (left, r.bottom))
        painter.line((r.left, top), (r.right, top))
        if record.hilited:
            painter.picture((left + 1, top + 1), _GROW_ICON)
