"""Editing text: what TextEdit's routines and other managers do to edit records."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Flag

from emu.quickdraw import NOTHING, PixelRegion, Rectangle
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter
from emu.toolbox.managers.quickdraw.ports.inks import Rgb, foreground
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.text.layout import TextLayout
from emu.toolbox.managers.text.record import LONGEST, SEVERAL_STYLES, TextRecord
from emu.toolbox.managers.text.styles import CharacterStyle, StyleRecords
from emu.toolbox.managers.windows.access import WindowAccess
from emu.toolbox.records.quickdraw import GrafPort
from emu.toolbox.records.windows import TERec, WindowRecord

_BACKSPACE = 8
_USUAL_SIZE = 12
_LEFT, _RIGHT, _UP, _DOWN = 28, 29, 30, 31


class Feature(Flag):
    """What TEFeatureFlag switches on: bit n is its feature n."""

    AUTO_SCROLL = 1
    """The text follows the selection (TEAutoView)."""
    TEXT_BUFFERING = 2
    OUTLINE_HIGHLIGHT = 4
    """What is selected has an outline while the record is not active."""
    INLINE_INPUT = 8
    TEXT_SERVICES = 16


class TextEditing(Manager):
    """Edit records, their selection and their drawing.

    Attributes:
        records: the handles of all edit records.
        features: those of `Feature` that each record has.
    """

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _fonts: FontManager
    _windows: WindowAccess

    def start(self) -> None:
        """No record is there yet."""
        self.records: set[int] = set()
        self.features: dict[int, Feature] = {}

    # -- for other managers ------------------------------------------------------------------------

    def make(self, destination: Rectangle, view: Rectangle, *, styled: bool = False) -> int:
        """An edit record for the current port, in its font; 0 if memory is full.

        Args:
            destination: the rectangle that the text fills.
            view: the rectangle in which it is seen.
            styled: whether its characters may differ in their looks.
        """
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
        font = self._fonts.font(port.txFont, port.txSize)
        fields.lineHeight, fields.fontAscent = font.line_height, font.ascent
        if styled:
            color = foreground(port.read())
            first = CharacterStyle(port.txFont, port.txFace, port.txSize or _USUAL_SIZE, color)
            record.style_handle = record.style_records.make(first)
            record.fields.lineHeight = record.fields.fontAscent = SEVERAL_STYLES
        record.break_lines()
        return handle

    def discard(self, handle: int) -> None:
        """Free a record, but not its text."""
        styles = self.record(handle).style_handle
        if styles:
            StyleRecords(self._memory, self._fonts).dispose(styles)
        self._memory.dispose_handle(handle)
        self.records.discard(handle)
        self.features.pop(handle, None)

    def record(self, handle: int) -> TextRecord:
        """An edit record by its handle; its text is as long as the block of `hText`.

        Raises:
            MisuseError: it is none.
        """
        if handle not in self.records:
            raise self.host.misuse("not an edit record", f"0x{handle:x} is no edit record")
        record = TextRecord(self._memory, self._fonts, handle)
        record.take_length()
        return record

    def has(self, handle: int, feature: Feature) -> bool:
        """Whether a record has a feature."""
        return feature in self.features.get(handle, Feature(0))

    def set_feature(self, handle: int, feature: Feature, on: bool) -> None:
        """Give a record a feature, or take it away."""
        before = self.features.get(handle, Feature(0))
        self.features[handle] = before | feature if on else before & ~feature

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
        """Draw all of a record's text, with its selection, on an empty view rectangle."""
        self._draw(record, record.fields.viewRect)

    def update(self, record: TextRecord) -> None:
        """Draw all of a record's text, with its selection, and erase its lines alone before.

        What lies beside the lines stays, as in Apple's ROM sources of 1994 (`DoDraw` in
        TextEdit.a); a program of 1996 has an empty text over all of its window.
        """
        view, top = record.fields.viewRect, record.fields.destRect.top
        lines = view._replace(top=top, bottom=top + record.layout().height)
        self._draw(record, view.intersect(lines))

    def _draw(self, record: TextRecord, erased: Rectangle) -> None:
        port = record.port
        if self._windows.is_window(port) and not WindowRecord(self.guest, port).visible:
            return
        painter = Painter.in_port(self._quickdraw, port).within(record.fields.viewRect)
        painter.blank(erased, self._quickdraw.background(port))
        color = None
        if not record.style_handle:
            color = foreground(self.guest.read(port, GrafPort.size))
        draw_lines(painter, record.layout(), record.fields.destRect, color)
        record.fields.caretState = 0
        if record.active:
            self.show_selection(record, painter)
        elif self.has(record.handle, Feature.OUTLINE_HIGHLIGHT):
            self._outline_selection(record, painter)

    def show_selection(self, record: TextRecord, painter: Painter) -> None:
        """Invert what is selected, or the insertion point."""
        start, end = record.selection
        if start == end:
            painter.invert(self.caret(record, start))
            record.fields.caretState = 1
            return
        for part in self._selected_parts(record):
            painter.invert(part)

    def _outline_selection(self, record: TextRecord, painter: Painter) -> None:
        selected = self._selected_region(record)
        painter.fill(selected.difference(selected.inset(1, 1)))

    def selection(self, record: TextRecord) -> PixelRegion:
        """What is selected, as far as it can be seen."""
        view = PixelRegion.from_rectangle(record.fields.viewRect)
        return self._selected_region(record).intersect(view)

    def _selected_region(self, record: TextRecord) -> PixelRegion:
        selected = PixelRegion.from_rectangle(NOTHING)
        for part in self._selected_parts(record):
            selected = selected.union(PixelRegion.from_rectangle(part))
        return selected

    def _selected_parts(self, record: TextRecord) -> list[Rectangle]:
        """What is selected, line by line."""
        start, end = record.selection
        if start == end:
            return []
        layout = record.layout()
        lines = range(layout.line_of(start), layout.line_of(end) + 1)
        return [self._selected_part(record, layout, line, start, end) for line in lines]

    def _selected_part(
        self, record: TextRecord, layout: TextLayout, line: int, start: int, end: int
    ) -> Rectangle:
        destination = record.fields.destRect
        first = start > layout.starts[min(line, layout.lines)]
        left = destination.left + (layout.left_of(start) if first else 0)
        right = destination.right
        if line == layout.line_of(end):
            right = destination.left + layout.left_of(end)
        if not first and line == layout.line_of(start):
            left = destination.left + layout.left_of(start)
        top, bottom = (destination.top + at for at in layout.tops[line : line + 2])
        return Rectangle(top, left, bottom, right)

    def caret(self, record: TextRecord, offset: int) -> Rectangle:
        """The pixels of the insertion point at an offset."""
        layout, destination = record.layout(), record.fields.destRect
        line = layout.line_of(offset)
        top, bottom = (destination.top + at for at in layout.tops[line : line + 2])
        left = destination.left + layout.left_of(offset) - 1
        left = max(left, destination.left)
        return Rectangle(top, left, bottom, left + 1)

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
        if self.has(record.handle, Feature.AUTO_SCROLL):
            self.scroll_to_selection(record)
        self.draw(record)

    def scroll_to_selection(self, record: TextRecord) -> None:
        """Move the text so that the end of the selection can be seen."""
        view, caret = record.fields.viewRect, self.caret(record, record.selection[1])
        dv = min(0, view.bottom - caret.bottom) or max(0, view.top - caret.top)
        dh = min(0, view.right - caret.right) or max(0, view.left - caret.left)
        record.fields.destRect = record.fields.destRect.offset(dh, dv)

    def replace(
        self, record: TextRecord, new: bytes, styles: Sequence[CharacterStyle] | None = None
    ) -> None:
        """Put characters in place of the selected ones; the insertion point is behind them.

        Args:
            record: the text.
            new: the characters.
            styles: how each looks, in a text of several styles; as if typed if left out.
        """
        start, end = record.selection
        kept = len(record.text) - (end - start)
        new = new[: self.at_most(kept + len(new)) - kept]
        record.replace(start, end, new, styles)
        self.show(record)

    def insert(
        self, record: TextRecord, new: bytes, styles: Sequence[CharacterStyle] | None = None
    ) -> None:
        """Put characters before the selected ones, which stay selected; see `replace`."""
        start, end = record.selection
        length = len(record.text)
        new = new[: self.at_most(length + len(new)) - length]
        record.replace(start, start, new, styles)
        record.select(start + len(new), end + len(new))
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
        layout = record.layout()
        line = layout.line_at(place.v - destination.top)
        return layout.offset_in_line(line, place.h - destination.left)


def draw_lines(
    painter: Painter, layout: TextLayout, r: Rectangle, color: Rgb | None = None
) -> None:
    """Draw a text's lines from the top of a rectangle down, in one colour or in its runs'."""
    for line in range(layout.lines):
        baseline = r.top + layout.tops[line] + layout.measures_of_lines[line][1]
        for left, text, run in layout.pieces(line):
            painter.with_font(run.font, color or run.color).text(
                (r.left + left, baseline), text, run.face
            )
