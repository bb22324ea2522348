"""Lists and what is seen of them: their cells and their scroll bars.

The standard definition function (LDEF 0) writes a cell's data as text. A 68K program's own
definition functions are executed.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 4 (list definition procedures).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import IntEnum

from emu.quickdraw import PixelRegion, Rectangle
from emu.quickdraw.fonts import CONDENSE, Font
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.controls.definitions import ControlDescription
from emu.toolbox.managers.controls.existing_controls import ControlList
from emu.toolbox.managers.controls.looks import SCROLL_BAR
from emu.toolbox.managers.controls.manager import ControlManager
from emu.toolbox.managers.lists.record import ListRecord
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.region_handles import RegionHandles
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.resources.code import DefinitionFunctions
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.windows import WindowRecord

_HEADING = (
    "PROCEDURE LDEF (lMessage: INTEGER; lSelect: BOOLEAN; lRect: Rect; lCell: Point; "
    "lDataOffset,lDataLen: INTEGER; lHandle: Handle)"
)
_ARGUMENTS_SIZE = 20
_DRAWING_OFF = 8
_ELLIPSIS = b"\xc9"
_BAR = 15
"""The width of a scroll bar less the line that it shares with the list's frame."""


class ListMessage(IntEnum):
    """What a list definition function is asked to do."""

    INITIALISE = 0
    DRAW = 1
    HIGHLIGHT = 2
    CLOSE = 3


class Lists(Manager):
    """The lists there are.

    Attributes:
        lists: their handles.
    """

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _regions: RegionHandles
    _fonts: FontManager
    _code: DefinitionFunctions
    _windows: WindowAccess
    _controls: ControlList
    _control_manager: ControlManager

    def start(self) -> None:
        """There is no list yet."""
        self.lists: set[int] = set()

    def record(self, handle: int) -> ListRecord:
        """A list by its handle.

        Raises:
            MisuseError: it is none.
        """
        if handle not in self.lists:
            raise self.host.misuse("not a list", f"0x{handle:x} is no list")
        return ListRecord(self._memory, handle)

    def font(self, record: ListRecord) -> tuple[Font, int]:
        """The font and the face in which a list's port writes."""
        port = GrafPort(self.guest, record.fields.port)
        return self._fonts.font(port.txFont, port.txSize), port.txFace

    def is_drawn(self, record: ListRecord) -> bool:
        """Whether anything is drawn: drawing is on, and the window is visible."""
        fields = record.fields
        if fields.listFlags & _DRAWING_OFF:
            return False
        port = fields.port
        return not self._windows.is_window(port) or WindowRecord(self.guest, port).visible

    def set_drawing(self, record: ListRecord, on: bool) -> None:
        """Switch drawing on or off."""
        fields = record.fields
        flags = fields.listFlags & ~_DRAWING_OFF
        fields.listFlags = flags if on else flags | _DRAWING_OFF

    # -- cells -------------------------------------------------------------------------------------

    def draw(self, record: ListRecord, cells: Iterable[Point] | None = None) -> None:
        """Draw some of a list's cells; all that are seen, on a blank background, if left out."""
        if not self.is_drawn(record):
            return
        if cells is None:
            self._blank(record)
        seen = record.visible_cells()
        for cell in seen if cells is None else [cell for cell in cells if cell in set(seen)]:
            self._draw_cell(record, cell, ListMessage.DRAW)

    def highlight(self, record: ListRecord, cell: Point) -> None:
        """Show that a cell has been selected, or is not any more."""
        if self.is_drawn(record) and record.fields.lActive and cell in record.visible_cells():
            self._draw_cell(record, cell, ListMessage.HIGHLIGHT)

    def _blank(self, record: ListRecord) -> None:
        fields = record.fields
        view, port = fields.rView, fields.port
        painter = Painter.in_port(self._quickdraw, port).within(view)
        painter.blank(view, self._quickdraw.background(port))

    def _draw_cell(self, record: ListRecord, cell: Point, message: ListMessage) -> None:
        fields = record.fields
        selected = record.is_selected(cell) and fields.lActive != 0
        if fields.listDefProc:
            with self._clipped(record):
                self.call(
                    record, message, selected, record.rectangle(cell), cell, record.place(cell)
                )
            return
        r, view = record.rectangle(cell), fields.rView
        painter = Painter.in_port(self._quickdraw, fields.port).within(view).within(r)
        if message is ListMessage.DRAW:
            self._write(record, painter, r, record.data(cell))
        if selected or message is ListMessage.HIGHLIGHT:
            painter.invert(r)

    def _write(self, record: ListRecord, painter: Painter, r: Rectangle, text: bytes) -> None:
        """Write a cell's text, condensed and shortened if it is too wide."""
        painter.blank(r, self._quickdraw.background(record.fields.port))
        indent, (font, face) = record.fields.indent, self.font(record)
        room = r.width - indent.h
        if font.text_width(text, face) > room:
            face |= CONDENSE
        shown, kept = text, len(text)
        while kept and font.text_width(shown, face) > room:
            kept -= 1
            shown = text[:kept] + _ELLIPSIS
        painter.with_font(font).text((r.left + indent.h, r.top + indent.v), shown, face)

    @contextmanager
    def _clipped(self, record: ListRecord) -> Iterator[None]:
        """Let a list's definition function draw inside its rectangle only."""
        clip = GrafPort(self.guest, record.fields.port).clipRgn
        before = self._regions.region(clip)
        view = PixelRegion.from_rectangle(record.fields.rView)
        self._regions.set_region(clip, before.intersect(view))
        yield
        self._regions.set_region(clip, before)

    def find_definition(self, number: int) -> int:
        """The program's own definition function; 0 for the standard one.

        Without the one that it asks for nothing is drawn. Source: ListMgrPACK.a of Apple's
        Toolbox of 1994.
        """
        definition = self._code.find("LDEF", number)
        if number and not definition:
            return self._code.absent("LDEF", number, "the list is not drawn", _ARGUMENTS_SIZE)
        return definition

    def call(
        self,
        record: ListRecord,
        message: ListMessage,
        selected: bool = False,
        r: Rectangle | None = None,
        cell: Point | None = None,
        place: tuple[int, int] = (0, 0),
    ) -> None:
        """Call a list's own definition function in its port, if it has one."""
        definition = record.fields.listDefProc
        if not definition:
            return
        rectangle = self._memory.new_pointer(8)
        self.guest.put_rect(rectangle, *(r or Rectangle(0, 0, 0, 0)))
        arguments = (int(message), selected, rectangle, cell or Point(0, 0), *place, record.handle)
        with self._quickdraw.drawing_in(record.fields.port):
            self._code.call(definition, _HEADING, *arguments)
        self._memory.dispose_pointer(rectangle)

    # -- scroll bars -------------------------------------------------------------------------------

    def bars(self, record: ListRecord) -> list[int]:
        """The list's scroll bars that still exist: the vertical one, then the horizontal one."""
        fields = record.fields
        return [bar for bar in (fields.vScroll, fields.hScroll) if self._controls.is_control(bar)]

    def bar_rectangle(self, record: ListRecord, *, vertical: bool) -> Rectangle:
        """Where a scroll bar is: outside the list's rectangle.

        It is as long as the list. A Macintosh leaves no room for a size box, whatever LNew is asked
        for: a program that has one makes the list's rectangle shorter.
        """
        top, left, bottom, right = record.fields.rView
        if vertical:
            return Rectangle(top - 1, right, bottom + 1, right + _BAR + 1)
        return Rectangle(bottom, left - 1, bottom + _BAR + 1, right + 1)

    def make_bar(self, record: ListRecord, *, vertical: bool, visible: bool) -> int:
        """A new scroll bar."""
        r = self.bar_rectangle(record, vertical=vertical)
        wanted = ControlDescription(r, b"", visible, 0, 0, 0, SCROLL_BAR)
        return self._controls.make(record.fields.port, wanted)

    def update_bars(self, list_record: ListRecord) -> None:
        """Let the scroll bars show how many cells there are, and which are seen."""
        fields, bounds, room = list_record.fields, list_record.bounds, list_record.room()
        vertical, horizontal, seen = fields.vScroll, fields.hScroll, fields.visible
        for bar, lowest, highest, value in (
            (vertical, bounds.top, bounds.bottom - room.v, seen.top),
            (horizontal, bounds.left, bounds.right - room.h, seen.left),
        ):
            if not self._controls.is_control(bar):
                continue
            record = self._controls.record(bar)
            wanted = (lowest, max(lowest, highest), value)
            if wanted != (record.contrlMin, record.contrlMax, record.contrlValue):
                record.contrlMin, record.contrlMax, record.contrlValue = wanted
                if self.is_drawn(list_record):
                    self._controls.draw(bar)

    def draw_bars(self, record: ListRecord) -> None:
        """Draw the scroll bars."""
        for bar in self.bars(record):
            self._controls.draw(bar)

    def show_bars(self, record: ListRecord, visible: bool) -> None:
        """Show or hide the scroll bars."""
        for bar in self.bars(record):
            if visible:
                self._control_manager.show_control(bar)
            else:
                self._control_manager.hide_control(bar)

    def remove_bars(self, record: ListRecord) -> None:
        """Dispose of the scroll bars."""
        for bar in self.bars(record):
            self._control_manager.dispose_control(bar)

    def place_bars(self, record: ListRecord) -> None:
        """Move the scroll bars to the edges of a list whose rectangle has changed."""
        fields = record.fields
        for vertical, bar in ((True, fields.vScroll), (False, fields.hScroll)):
            if self._controls.is_control(bar):
                r = self.bar_rectangle(record, vertical=vertical)
                self._control_manager.move_control(bar, r.left, r.top)
                self._control_manager.size_control(bar, r.width, r.height)

    def scroll_to(self, record: ListRecord, first: Point) -> None:
        """Let a list be seen from another cell on, and draw it if that is anything new."""
        before = record.fields.visible
        record.show_from(first)
        if record.fields.visible != before:
            self.draw(record)
        self.update_bars(record)

    def changed(self, record: ListRecord) -> None:
        """Draw a list whose rows, columns or sizes are others now."""
        visible = record.fields.visible
        record.show_from(Point(visible.top, visible.left))
        self.draw(record)
        self.update_bars(record)

    def select(self, record: ListRecord, cell: Point, selected: bool) -> None:
        """Select a cell, or not, and show it."""
        if record.is_selected(cell) != selected:
            record.select(cell, selected)
            self.highlight(record, cell)
