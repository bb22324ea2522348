"""The Script Manager's measuring, justifying and shortening of text, for Roman.

Source: Inside Macintosh: Text, chapter 3 (justified text, carets, lines) and chapter 5 (shortened
texts);
Inside Macintosh V, the chapter on the Script Manager.
"""

from __future__ import annotations

from itertools import accumulate

from emu.quickdraw.fonts import Font
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.text.text import TextDrawing
from emu.toolbox.managers.text.layout import TextLayout, TextRun
from emu.toolbox.managers.text.scripts import SCRIPT_UTIL
from emu.toolbox.records.quickdraw import GrafPort

_ELLIPSIS = b"\xc9"
_MIDDLE = 0x4000
_NOT_TRUNCATED, _TRUNCATED, _TOO_NARROW = 0, 1, -1
_BREAK_WORD, _BREAK_CHARACTER, _BREAK_OVERFLOW = 0, 1, 2


class ScriptDrawing(Manager):
    """Text as the Script Manager lays it out in the current port's font."""

    _quickdraw: QuickDraw
    _text: TextDrawing

    def _font(self) -> tuple[Font, int]:
        style = self._text.style(self._quickdraw.port)
        return style.font, style.face

    def _places(self, text: bytes, slop: int) -> list[int]:
        """Where each offset of a text lies, in Fixed, if its blanks are wider by ``slop`` in all.

        Text without blanks keeps its width.
        """
        font, face = self._font()
        blanks = text.count(b" ")
        extra = slop // blanks if blanks else 0
        widths = (
            (font.char_width(code, face) << 16) + (extra if code == 0x20 else 0) for code in text
        )
        return list(accumulate(widths, initial=0))

    # -- places and characters ---------------------------------------------------------------------

    def _offset_at(self, text: bytes, slop: int, wide: int, leading_edge: int) -> tuple[int, int]:
        """The offset nearest to a width, and what is left of that behind the text, in Fixed."""
        places = self._places(text, slop)
        for at in range(len(text)):
            if wide < places[at + 1]:
                middle = (places[at] + places[at + 1]) // 2
                is_leading = wide < middle
                self.guest.put8(leading_edge, is_leading)
                return (at if is_leading else at + 1), -1
        self.guest.put8(leading_edge, 0)
        return len(text), wide - places[-1]

    @routine(
        "FUNCTION Pixel2Char (textBuf: Ptr; textLen,slop,pixelWidth: INTEGER; "
        "VAR leadingEdge: BOOLEAN): INTEGER"
    )
    def pixel_to_char_16(self, text: int, length: int, slop: int, wide: int, leading: int) -> int:
        """The offset nearest to a number of pixels from the text's beginning."""
        read = self.guest.read(text, max(length, 0))
        return self._offset_at(read, slop << 16, wide << 16, leading)[0]

    @routine(
        "FUNCTION PixelToChar (textBuf: Ptr; textLength: LONGINT; slop: Fixed; pixelWidth: Fixed; "
        "VAR leadingEdge: BOOLEAN; VAR widthRemaining: Fixed; styleRunPosition: INTEGER; "
        "numer,denom: Point): INTEGER"
    )
    def pixel_to_char(
        self,
        text: int,
        length: int,
        slop: int,
        wide: int,
        leading: int,
        remaining: int,
        position: int,
        numer: Point,
        denom: Point,
    ) -> int:
        """The same in Fixed; behind the text, also how far behind (-1 otherwise)."""
        self._require_scale(numer, denom)
        read = self.guest.read(text, max(length, 0))
        offset, left = self._offset_at(read, slop, wide, leading)
        self.guest.put32(remaining, left)
        return offset

    @routine(
        "FUNCTION Char2Pixel (textBuf: Ptr; textLen,slop,offset: INTEGER; "
        "direction: SignedByte): INTEGER"
    )
    def char_to_pixel_16(
        self, text: int, length: int, slop: int, offset: int, direction: int
    ) -> int:
        """How far an offset is from the text's beginning, in pixels."""
        places = self._places(self.guest.read(text, max(length, 0)), slop << 16)
        return places[min(max(offset, 0), len(places) - 1)] >> 16

    @routine(
        "FUNCTION CharToPixel (textBuf: Ptr; textLength: LONGINT; slop: Fixed; offset: LONGINT; "
        "direction,styleRunPosition: INTEGER; numer,denom: Point): INTEGER"
    )
    def char_to_pixel(
        self,
        text: int,
        length: int,
        slop: int,
        offset: int,
        direction: int,
        position: int,
        numer: Point,
        denom: Point,
    ) -> int:
        """The same, with Fixed room."""
        self._require_scale(numer, denom)
        places = self._places(self.guest.read(text, max(length, 0)), slop)
        return places[min(max(offset, 0), len(places) - 1)] >> 16

    def _require_scale(self, numer: Point, denom: Point) -> None:
        if numer != denom:
            name = self.host.routine_name("the Script Manager")
            raise self.host.stopped(f"{name} is asked to scale text, which macproof does not do")

    # -- justified text ----------------------------------------------------------------------------

    @routine(
        "PROCEDURE DrawJustified (textPtr: Ptr; textLength: LONGINT; slop: Fixed; "
        "styleRunPosition: INTEGER; numer,denom: Point)"
    )
    def draw_justified(
        self, text: int, length: int, slop: int, position: int, numer: Point, denom: Point
    ) -> None:
        """Draw text whose blanks are wider by ``slop`` in all."""
        self._require_scale(numer, denom)
        characters = self.guest.read(text, max(length, 0))
        port = GrafPort(self.guest, self._quickdraw.port)
        before, blanks = port.spExtra, characters.count(b" ")
        port.spExtra = before + (slop // blanks if blanks else 0)
        self._text.draw(characters, text)
        port.spExtra = before

    @routine("PROCEDURE DrawJust (textPtr: Ptr; textLength,slop: INTEGER)")
    def draw_just(self, text: int, length: int, slop: int) -> None:
        """The same, with whole pixels."""
        self.draw_justified(text, length, slop << 16, 0, Point(1, 1), Point(1, 1))

    @routine(
        "FUNCTION PortionLine (textPtr: Ptr; textLen: LONGINT; styleRunPosition: INTEGER; "
        "numer,denom: Point): Fixed"
    )
    def portion_line(
        self, text: int, length: int, position: int, numer: Point, denom: Point
    ) -> int:
        """How much of a line's extra room a run of text takes, in proportion: its blanks."""
        font, face = self._font()
        blanks = self.guest.read(text, max(length, 0)).count(b" ")
        return blanks * font.char_width(0x20, face) << 16

    # -- lines -------------------------------------------------------------------------------------

    @routine(
        "FUNCTION StyledLineBreak (textPtr: Ptr; textLen,textStart,textEnd,flags: LONGINT; "
        "VAR textWidth: Fixed; VAR textOffset: LONGINT): SignedByte"
    )
    def styled_line_break(
        self, text: int, length: int, start: int, end: int, flags: int, width: int, offset: int
    ) -> int:
        """Where a line ends in a run of text; whether at a word, in one, or behind the run.

        The width is what the line still has room for, and what is left of it afterwards. The offset
        is not 0 for the first run of a line, in which a word that is too long is cut.
        """
        font, face = self._font()
        run, room = self.guest.read(text + start, max(end - start, 0)), self.guest.i32(width)
        layout = TextLayout(run, (TextRun(0, font, face),), room >> 16)
        line_end = layout.starts[1] if layout.lines else 0
        is_first = self.guest.i32(offset) != 0
        wide = font.text_width(run[:line_end], face)
        self.guest.put32(width, room - (wide << 16))
        self.guest.put32(offset, start + line_end)
        if run[line_end - 1 : line_end] == b"\r":
            return _BREAK_WORD
        if line_end == len(run):
            return _BREAK_OVERFLOW
        if run[line_end - 1 : line_end] == b" ":
            return _BREAK_WORD
        if is_first:
            return _BREAK_CHARACTER
        self.guest.put32(offset, start)
        self.guest.put32(width, room)
        return _BREAK_WORD

    @routine(
        "FUNCTION TruncString (width: INTEGER; VAR theString: Str255; truncWhere: INTEGER): INTEGER"
    )
    def truncate_string(self, width: int, string: int, where: int) -> int:
        """Shorten a string to a width, with an ellipsis at its end or in its middle."""
        result, text = self._shortened(self.guest.pascal_string(string), width, where)
        self.guest.put_pascal_string(string, text)
        return result

    @routine(
        "FUNCTION TruncText (width: INTEGER; textPtr: Ptr; VAR length: INTEGER; "
        "truncWhere: INTEGER): INTEGER",
        trap=SCRIPT_UTIL,
        selector=("long on stack", 0x820CFFDE),
    )
    def truncate_text(self, width: int, place: int, length: int, where: int) -> int:
        """Shorten a text to a width, likewise."""
        before = self.guest.read(place, self.guest.u16(length))
        result, text = self._shortened(before, width, where)
        self.guest.write(place, text)
        self.guest.put16(length, len(text))
        return result

    def _shortened(self, text: bytes, width: int, where: int) -> tuple[int, bytes]:
        font, face = self._font()
        sums = [0, *accumulate(font.char_width(code, face) for code in text)]
        if sums[-1] <= width:
            return _NOT_TRUNCATED, text
        room = width - font.text_width(_ELLIPSIS, face)
        for kept in range(len(text) - 1, -1, -1):
            first = (kept + 1) // 2 if where == _MIDDLE else kept
            behind = len(text) - (kept - first)
            if sums[first] + sums[-1] - sums[behind] <= room:
                return _TRUNCATED, text[:first] + _ELLIPSIS + text[behind:]
        return _TOO_NARROW, text
