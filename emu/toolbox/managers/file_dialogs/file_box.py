"""The list of files in a file dialog: what it looks like, and what clicks in it do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.quickdraw import PixelRegion, Rectangle
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.looks import (
    IN_DOWN,
    IN_PAGE_DOWN,
    IN_PAGE_UP,
    IN_THUMB,
    IN_UP,
    SCROLL_BAR,
    Look,
)
from emu.toolbox.managers.events.drag_outline import DragOutline
from emu.toolbox.managers.events.event import Event
from emu.toolbox.managers.events.tracking import WindowTracking
from emu.toolbox.managers.file_dialogs.file_list import FileList
from emu.toolbox.managers.files.nodes import Folder
from emu.toolbox.managers.quickdraw.heart.painter import Painter

ROW = 16
BAR = 16
_BASELINE = 12

_FOLDER = (
    ".####.......", "#....#......", "#.....#####.", "#.........#.", "#.........#.",
    "#.........#.", "#.........#.", "#.........#.", "###########.",
)  # fmt: skip
_DOCUMENT = (
    "######...", "#....##..", "#....###.", "#......#.", "#......#.",
    "#......#.", "#......#.", "#......#.", "#......#.", "########.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FileBox:
    """Where the list is.

    Attributes:
        r: the rows, within the lines around them.
    """

    r: Rectangle

    @property
    def rows(self) -> int:
        """How many rows are whole."""
        return self.r.height // ROW

    def row_at(self, h: int, v: int, first: int) -> int:
        """The place in the folder of what is in the list at a point; -1 beside the list."""
        return first + (v - self.r.top) // ROW if self.r.contains(h, v) else -1

    def bar(self, files: FileList, highlight: int = 0) -> Look:
        """The scroll bar."""
        r = self.r
        place = Rectangle(r.top - 1, r.right, r.bottom + 1, r.right + BAR)
        return Look(SCROLL_BAR, place, b"", files.first, 0, files.overflow, highlight)

    def draw(self, painter: Painter, files: FileList) -> None:
        """Draw the rows and the bar."""
        r = self.r
        painter.erase(r)
        painter.frame(Rectangle(r.top - 1, r.left - 1, r.bottom + 1, r.right + 1))
        inside = painter.within(r)
        for row, node in enumerate(files.nodes[files.first : files.first + self.rows]):
            top, left = r.top + row * ROW, r.left
            place = Rectangle(top, left, top + ROW, r.right)
            picture = _FOLDER if isinstance(node, Folder) else _DOCUMENT
            inside.picture((left + 4, top + 3), picture)
            inside.text((left + 22, top + _BASELINE), node.name)
            if files.wish.is_saving and not isinstance(node, Folder):
                inside.dim(place)
            elif files.first + row == files.selected:
                inside.invert(place)
        self.bar(files).draw(painter)


@dataclass(slots=True)
class FileBoxClicks:
    """Follows the mouse in a list of files.

    Attributes:
        tracking: follows the mouse on the screen.
        box: where the list is.
        files: what is in it.
        painter: gives something to draw with.
        draw: draws the whole dialog.
        local: a point of the screen in the coordinates of the box.
    """

    tracking: WindowTracking
    box: FileBox
    files: FileList
    painter: Callable[[], Painter]
    draw: Callable[[], None]
    local: Callable[[Point], Point] = lambda place: place
    _clicked: tuple[int, int] = (-1, 0)

    def select(self, event: Event, double_time: int) -> bool:
        """Select what the mouse is over until it is let go; whether that is a double click.

        Args:
            event: the click.
            double_time: two clicks within so many ticks are a double click.
        """
        files = self.files
        place = self.local(event.where)
        pressed = self.box.row_at(place.h, place.v, files.first)
        for on_screen in self.tracking.while_mouse_is_down():
            mouse = self.local(on_screen)
            over = self.box.row_at(mouse.h, mouse.v, files.first)
            if over >= 0 and files.can_select(over) and over != files.selected:
                files.select(over)
                self.draw()
        before, when = self._clicked
        if pressed == before == files.selected and event.when - when <= double_time:
            self._clicked = -1, 0
            return True
        self._clicked = pressed, event.when
        return False

    def scroll(self, on_screen: Point) -> None:
        """Scroll by the bar as long as the mouse is held."""
        files, place, bar = self.files, self.local(on_screen), self.box.bar(self.files)
        part = bar.part_at(place.h, place.v)
        if part == IN_THUMB:
            self._drag_thumb(on_screen)
            return
        page = files.rows - 1
        step = {IN_UP: -1, IN_DOWN: 1, IN_PAGE_UP: -page, IN_PAGE_DOWN: page}[part]
        for mouse in map(self.local, self.tracking.while_mouse_is_down()):
            inside = self.box.bar(files).part_at(mouse.h, mouse.v) == part
            if inside:
                files.scroll_to(files.first + step)
            self.draw()
            self.box.bar(files, part if inside else 0).draw(self.painter())

    def _drag_thumb(self, start: Point) -> None:
        bar, place = self.box.bar(self.files), start
        begin = self.local(Point(0, 0))

        def outline() -> DragOutline:
            thumb = bar.thumb_at(bar.thumb_start() + place.v - start.v)
            on_screen = PixelRegion.from_rectangle(thumb.offset(-begin.h, -begin.v))
            return DragOutline.around(on_screen)

        for mouse in self.tracking.while_mouse_is_down(outline):
            place = mouse
        self.files.scroll_to(bar.value_at(bar.thumb_start() + place.v - start.v))
