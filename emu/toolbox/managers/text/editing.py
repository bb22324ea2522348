"""Editing text: what TextEdit's routines and other managers do to edit records."""

from __future__ import annotations

from emu.quickdraw import Rectangle
from emu.toolbox.guest_types import Point
from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.fonts import FontManager
from emu.toolbox.managers.quickdraw.manager import QuickDraw
from emu.toolbox.managers.quickdraw.painter import Painter
from emu.toolbox.managers.text.layout import TextLayout
from emu.toolbox.managers.text.record import LONGEST, TextRecord
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.windows import TERec, WindowRecord

_BACKSPACE = 8
_LEFT, _RIGHT, _UP, _DOWN = 28, 29, 30, 31


class TextEditing(Manager):
    """Edit records, their selection and their drawing.

    Attributes:
        records: the handles of all edit records.
        scrolls: those that scroll by themselves (TEAutoView).
    """

    title = "TextEdit"

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _fonts: FontManager
    _windows: WindowAccess

    def start(self) -> None:
        """No record is there yet."""
        self.records: set[int] = set()
        self.scrolls: set[int] = set()

    # -- for other managers ------------------------------------------------------------------------

    def make(self, destination: Rectangle, view: Rectangle, text: bytes = b"") -> int:
        """An edit record for the current port, in its font; 0 if memory is full."""
        memory = self._memory
        handle = memory.new_handle(TERec.size + 4, clear=True)
        characters = memory.new_handle(0)
        if not handle or not characters:
            return 0
        self.records.add(handle)
        record = TextRecord(self._memory, self._fonts, handle)
        port, fields = GrafPort(self.guest, self._quickdraw.port), record.fields
        fields.destRect, fields.viewRect = destination, view
        fields.hText, fields.inPort = characters, port.address
        fields.txFont, fields.txFace = port.txFont, port.txFace
        fields.txMode, fields.txSize = port.txMode, port.txSize
        font = record.font
        fields.lineHeight, fields.fontAscent = font.line_height, font.ascent
        record.put_text(text)
        return handle

    def record(self, handle: int) -> TextRecord:
        """An edit record by its handle.

        Raises:
            GuestStopped: it is none.
        """
        if handle not in self.records:
            raise self.host.stopped(f"0x{handle:x} is no edit record")
        return TextRecord(self._memory, self._fonts, handle)

    def at_most(self, count: int) -> int:
        """How many of so many characters TextEdit takes; that some are left out is reported.

        Its offsets are words with a sign, and a program that
        gives it more has to see to that itself.
        """
        if count > LONGEST:
            name = self.host.routine_name("TextEdit")
            self.host.report(
                "long text",
                f"{name} leads to a text of {count:,} characters; TextEdit takes {LONGEST:,}",
            )
        return min(max(count, 0), LONGEST)

    def draw(self, record: TextRecord) -> None:
        """Draw all of a record's text, with its selection."""
        port = record.port
        if self._windows.is_window(port) and not WindowRecord(self.guest, port).visible:
            return
        view = record.fields.viewRect
        painter = Painter.in_port(self._quickdraw, port).within(view).with_font(record.font)
        painter.blank(view, GrafPort(self.guest, port).bkPat)
        layout, destination = record.layout(), record.fields.destRect
        height, ascent = record.fields.lineHeight, record.fields.fontAscent
        draw_lines(painter, layout, destination, height, ascent)
        record.fields.caretState = 0
        if record.active:
            self.show_selection(record, painter)

    def show_selection(self, record: TextRecord, painter: Painter) -> None:
        """Invert what is selected, or the insertion point."""
        start, end = record.selection
        if start == end:
            painter.invert(self.caret(record, start))
            record.fields.caretState = 1
            return
        layout = record.layout()
        for line in range(layout.line_of(start), layout.line_of(end) + 1):
            painter.invert(self._selected_part(record, layout, line, start, end))

    def _selected_part(
        self, record: TextRecord, layout: TextLayout, line: int, start: int, end: int
    ) -> Rectangle:
        destination = record.fields.destRect
        height = record.fields.lineHeight
        top = destination.top + line * height
        first = start > layout.starts[min(line, layout.lines)]
        left = destination.left + (layout.left_of(start) if first else 0)
        right = destination.right
        if line == layout.line_of(end):
            right = destination.left + layout.left_of(end)
        if not first and line == layout.line_of(start):
            left = destination.left + layout.left_of(start)
        return Rectangle(top, left, top + height, right)

    def caret(self, record: TextRecord, offset: int) -> Rectangle:
        """The pixels of the insertion point at an offset."""
        layout, destination = record.layout(), record.fields.destRect
        height = record.fields.lineHeight
        top = destination.top + layout.line_of(offset) * height
        left = destination.left + layout.left_of(offset) - 1
        left = max(left, destination.left)
        return Rectangle(top, left, top + height, left + 1)

    def set_active(self, handle: int, active: bool) -> None:
        """Show or hide a record's selection and insertion point."""
        record = self.record(handle)
        if record.active != active:
            record.fields.active = int(active)
            self.draw(record)

    def select(self, handle: int, start: int, end: int) -> None:
        """Select characters and show it."""
        record = self.record(handle)
        record.select(start, end)
        self.show(record)

    def show(self, record: TextRecord) -> None:
        """Draw a record, scrolled to its selection if it scrolls by itself."""
        if record.handle in self.scrolls:
            self.scroll_to_selection(record)
        self.draw(record)

    def scroll_to_selection(self, record: TextRecord) -> None:
        """Move the text so that the end of the selection can be seen."""
        view, caret = record.fields.viewRect, self.caret(record, record.selection[1])
        dv = min(0, view.bottom - caret.bottom) or max(0, view.top - caret.top)
        dh = min(0, view.right - caret.right) or max(0, view.left - caret.left)
        record.fields.destRect = record.fields.destRect.offset(dh, dv)

    def replace(self, record: TextRecord, new: bytes) -> None:
        """Put characters in place of the selected ones; the insertion point is behind them."""
        start, end = record.selection
        text = record.text
        kept = len(text) - (end - start)
        new = new[: self.at_most(kept + len(new)) - kept]
        record.put_text(text[:start] + new + text[end:])
        record.select(start + len(new), start + len(new))
        self.show(record)

    def type(self, handle: int, character: int) -> None:
        """What a key does to a record."""
        record = self.record(handle)
        start, end = record.selection
        if character == _BACKSPACE:
            if start == end:
                if start == 0:
                    return
                record.select(start - 1, start)
            self.replace(record, b"")
        elif character in (_LEFT, _RIGHT, _UP, _DOWN):
            place = self._moved(record, character, start, end)
            record.select(place, place)
            self.show(record)
        else:
            self.replace(record, bytes([character]))

    def _moved(self, record: TextRecord, key: int, start: int, end: int) -> int:
        if start != end:
            return start if key in (_LEFT, _UP) else end
        if key in (_LEFT, _RIGHT):
            return start - 1 if key == _LEFT else start + 1
        layout = record.layout()
        line = layout.line_of(start) + (1 if key == _DOWN else -1)
        if line > layout.line_of(len(layout.text)):
            return len(layout.text)
        return layout.offset_in_line(line, layout.left_of(start))

    def offset_at(self, record: TextRecord, place: Point) -> int:
        """The offset nearest to a point of the record's port."""
        destination = record.fields.destRect
        line = (place.v - destination.top) // max(1, record.fields.lineHeight)
        return record.layout().offset_in_line(line, place.h - destination.left)


def draw_lines(
    painter: Painter, layout: TextLayout, r: Rectangle, line_height: int, ascent: int
) -> None:
    """Draw a text's lines from the top of a rectangle down."""
    for line in range(layout.lines):
        text = layout.line_text(line)
        pen = r.left + layout.line_left(line), r.top + line * line_height + ascent
        painter.text(pen, text, layout.style)
