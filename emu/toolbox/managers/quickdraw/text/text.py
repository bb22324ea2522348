"""Text: choosing a font, drawing and measuring."""

from __future__ import annotations

from typing import NamedTuple

from emu.base.errors import UsageError
from emu.quickdraw.fonts import CENTER, OUTLINE, SHADOW, UNDERLINE, Font
from emu.quickdraw.fonts.text import draw_text
from emu.quickdraw.transfer import SRC_BIC, SRC_OR
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.procedures import MEASURE, TEXT, Procedures
from emu.toolbox.managers.quickdraw.ports import grafport as at
from emu.toolbox.managers.quickdraw.ports.recorder import Recordings
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.quickdraw.text.window_text import TextCapture
from emu.toolbox.records.quickdraw import CGrafPort, FontInfo, GrafPort

_ONE_TO_ONE = Point(1, 1)
_OPPOSITE = {SRC_OR: SRC_BIC, SRC_BIC: SRC_OR}
_MOST_IN_PICTURE = 255
_POINT_SIZE = 4
_MEASURE = (
    "FUNCTION TxMeas (byteCount: INTEGER; textAddr: Ptr; numer: Ptr; denom: Ptr; info: Ptr): "
    "INTEGER"
)


class Style(NamedTuple):
    """How a port's text looks; what blanks and other characters have more is Fixed."""

    font: Font
    face: int
    space_extra: int
    character_extra: int = 0

    def extra(self, characters: bytes) -> int:
        """By how much characters are wider than in the font: pixels times 65536."""
        blanks = characters.count(b" ")
        return self.space_extra * blanks + self.character_extra * (len(characters) - blanks)

    def pieces(self, characters: bytes) -> list[bytes]:
        """The characters in pieces, each of which is widened at its end only."""
        if self.character_extra:
            return [bytes([code]) for code in characters]
        if self.space_extra:
            pieces = [piece + b" " for piece in characters.split(b" ")]
            return [*pieces[:-1], pieces[-1][:-1]]
        return [characters]


class TextDrawing(Manager):
    """QuickDraw's routines for text.

    Attributes:
        captured: the text drawn in each port.
    """

    _memory: MemoryManager
    _quickdraw: QuickDraw
    _procedures: Procedures
    _recordings: Recordings
    _fonts: FontManager

    def __post_init__(self) -> None:
        self.captured = TextCapture(self._quickdraw, lambda port: self.style(port)[:2])

    def text_so_far(self) -> str:
        """All text that was drawn: that of windows now closed, then of those still open."""
        closed = [window.text for window in self.host.outputs.windows]
        return "\n".join(text for text in (*closed, self.captured.all_text()) if text)

    # -- choosing ----------------------------------------------------------------------------------

    @routine("PROCEDURE TextFont (font: INTEGER)")
    def text_font(self, font: int) -> None:
        """Set the font's number."""
        GrafPort(self.guest, self._quickdraw.port).txFont = font

    @routine("PROCEDURE TextFace (face: Style)")
    def text_face(self, face: int) -> None:
        """Set the style."""
        GrafPort(self.guest, self._quickdraw.port).txFace = face

    @routine("PROCEDURE TextMode (mode: INTEGER)")
    def text_mode(self, mode: int) -> None:
        """Set the transfer mode."""
        GrafPort(self.guest, self._quickdraw.port).txMode = mode

    @routine("PROCEDURE TextSize (size: INTEGER)")
    def text_size(self, size: int) -> None:
        """Set the size; 0 is the standard size."""
        GrafPort(self.guest, self._quickdraw.port).txSize = size

    @routine("PROCEDURE SpaceExtra (extra: Fixed)")
    def space_extra(self, extra: int) -> None:
        """Set by how much blanks are wider."""
        GrafPort(self.guest, self._quickdraw.port).spExtra = extra

    @routine("PROCEDURE CharExtra (extra: Fixed)")
    def char_extra(self, extra: int) -> None:
        """Set by how much other characters are wider; only colour ports have that."""
        port = self._quickdraw.port
        if self._quickdraw.is_color_port(port):
            CGrafPort(self.guest, port).chExtra = extra >> 4

    # -- drawing -----------------------------------------------------------------------------------

    @routine("PROCEDURE DrawChar (ch: CHAR)")
    def draw_char(self, character: int) -> None:
        """Draw a character and move the pen behind it."""
        self.draw(bytes((character,)))

    @routine("PROCEDURE DrawString (s: Str255)")
    def draw_string(self, s: int) -> None:
        """Draw a string and move the pen behind it."""
        self.draw(self.guest.pascal_string(s), s + 1)

    @routine("PROCEDURE DrawText (textBuf: Ptr; firstByte,byteCount: INTEGER)")
    def draw_text(self, buffer: int, first: int, count: int) -> None:
        """Draw some characters of a buffer and move the pen behind them."""
        if count > 0:
            self.draw(self.guest.read(buffer + first, count), buffer + first)

    def draw(
        self,
        characters: bytes,
        address: int = 0,
        numer: Point = _ONE_TO_ONE,
        denom: Point = _ONE_TO_ONE,
    ) -> None:
        """Draw characters in the current port.

        Args:
            characters: in MacRoman.
            address: where they are in guest memory; 0 if nowhere.
            numer: by what they are larger than the port's size says, vertically and horizontally;
            denom: and by what they are smaller.
        """
        if not characters:
            return
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        procedure = 0
        if record[at.HOOKS] != at.NO_HOOKS:
            if not self._quickdraw.is_usable(port, record):
                return
            procedure = self._procedures.replacement(record, TEXT)
        if not procedure:
            self._draw(port, record, characters, numer, denom)
            return
        buffer = address or self._memory.new_pointer(len(characters))
        if not buffer:
            raise self.host.stopped("there is no memory for the text that a port's textProc draws")
        if not address:
            self.guest.write(buffer, characters)
        self.host.call_guest(
            procedure,
            "PROCEDURE TextProc (byteCount: INTEGER; textBuf: Ptr; numer,denom: Point)",
            len(characters),
            buffer,
            numer,
            denom,
        )
        if not address:
            self._memory.dispose_pointer(buffer)

    @routine("PROCEDURE StdText (byteCount: INTEGER; textBuf: Ptr; numer,denom: Point)")
    def std_text(self, count: int, buffer: int, numer: Point, denom: Point) -> None:
        """Draw text, larger by a fraction in each direction, or note it in the picture."""
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        self._draw(port, record, self.guest.read(buffer, max(count, 0)), numer, denom)

    def _draw(
        self, port: int, record: bytes, characters: bytes, numer: Point, denom: Point
    ) -> None:
        quickdraw = self._quickdraw
        drawn = GrafPort(self.guest, port)
        before = drawn.pnLoc
        if GrafPort.picSave.of(record):
            if len(characters) > _MOST_IN_PICTURE:
                for start in range(0, len(characters), _MOST_IN_PICTURE):
                    piece = characters[start : start + _MOST_IN_PICTURE]
                    self._draw(port, record, piece, numer, denom)
                return
            self._recordings.picture(port).text(record, before, characters)
        style = self._style(record, numer, denom)
        if at.is_pen_hidden(record):
            after = Point(before.v, before.h + self._width(style, characters))
        else:
            after = self._put(port, record, characters, style, before)
        drawn.pnLoc = after
        if not at.is_pen_hidden(record):
            for tell in quickdraw.on_text:
                tell(port, characters, before, after)

    def _put(self, port: int, record: bytes, characters: bytes, style: Style, pen: Point) -> Point:
        quickdraw = self._quickdraw
        bitmap, clip = quickdraw.canvas(port, record)
        colors = quickdraw.colors(record, bitmap.space)
        mode = GrafPort.txMode.of(record)
        terms = quickdraw.transfer_terms.of(record, mode)
        h, wider = pen.h, 0
        inside, center = style.face & ~UNDERLINE | CENTER, None
        if style.face & (OUTLINE | SHADOW) and not quickdraw.is_color_port(port):
            # MacDraw's white years on a black bar: in a port without colours the inside of the ring
            # is drawn, too (Apple's ROM sources of 1994, QuickDraw/DrawText.a).
            center = _OPPOSITE.get(mode)
        # Widened characters are drawn by leaving room after each.
        try:
            for piece in style.pieces(characters):
                where = h + (wider >> 16)
                place, face = (where, pen.v), style.face
                end = draw_text(
                    bitmap, style.font, piece, place, face, mode, clip, colors=colors, terms=terms
                )
                if center is not None:
                    draw_text(bitmap, style.font, piece, place, inside, center, clip, colors=colors)
                h += end - where
                wider += style.extra(piece)
        except UsageError as error:
            raise self.host.stopped(str(error)) from error
        return Point(pen.v, h + (wider >> 16))

    # -- measuring ---------------------------------------------------------------------------------

    def style(self, port: int) -> Style:
        """How a port's text looks."""
        return self._style(self.guest.read(port, GrafPort.size), _ONE_TO_ONE, _ONE_TO_ONE)

    def _style(self, record: bytes, numer: Point, denom: Point) -> Style:
        family, size = GrafPort.txFont.of(record), GrafPort.txSize.of(record)
        if numer != denom and denom.v > 0:
            size = max(1, (size or 12) * numer.v // denom.v)
        font = self._fonts.font(family, size)
        # It has 16 bits, 12 of them behind the point (Inside Macintosh V, chapter 4, CharExtra).
        extra = CGrafPort.chExtra.of(record) << 4 if at.is_color_port(record) else 0
        return Style(font, GrafPort.txFace.of(record), GrafPort.spExtra.of(record), extra)

    def _width(self, style: Style, characters: bytes) -> int:
        wide = style.font.text_width(characters, style.face)
        return int(wide) + (style.extra(characters) >> 16)

    def width(self, characters: bytes, address: int = 0) -> int:
        """How far characters would move the pen of the current port, in pixels."""
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        if GrafPort.grafProcs.of(record) and address:
            procedure = self._procedures.replacement(record, MEASURE)
            if procedure:
                return self._measured(procedure, characters, address)
        self._keep_memory(record)
        return self._width(self._style(record, _ONE_TO_ONE, _ONE_TO_ONE), characters)

    def _measured(self, procedure: int, characters: bytes, address: int) -> int:
        """What the program's procedure in the place of StdTxMeas says."""
        place = self._memory.new_pointer(2 * _POINT_SIZE + FontInfo.size, clear=True)
        for number in range(2):
            self.guest.put_point(place + _POINT_SIZE * number, _ONE_TO_ONE)
        variables = (place, place + _POINT_SIZE, place + 2 * _POINT_SIZE)
        width = self.host.call_guest(procedure, _MEASURE, len(characters), address, *variables)
        self._memory.dispose_pointer(place)
        return int(width)

    def _keep_memory(self, record: bytes) -> None:
        """Let no block move, for a routine that only measures: unless it must load the font."""
        self.host.memory_stays = self._fonts.is_in_memory(
            GrafPort.txFont.of(record), GrafPort.txSize.of(record)
        )

    @routine("FUNCTION CharWidth (ch: CHAR): INTEGER")
    def char_width(self, character: int) -> int:
        """How far a character would move the pen."""
        return self.width(bytes((character,)))

    @routine("FUNCTION StringWidth (s: Str255): INTEGER")
    def string_width(self, s: int) -> int:
        """How far a string would move the pen."""
        return self.width(self.guest.pascal_string(s), s + 1)

    @routine("FUNCTION TextWidth (textBuf: Ptr; firstByte,byteCount: INTEGER): INTEGER")
    def text_width(self, buffer: int, first: int, count: int) -> int:
        """How far some characters of a buffer would move the pen."""
        return self.width(self.guest.read(buffer + first, max(count, 0)), buffer + first)

    @routine("PROCEDURE MeasureText (count: INTEGER; textAddr,charLocs: Ptr)")
    def measure_text(self, count: int, text: int, places: int) -> None:
        """Where each of count+1 places between characters lies, from the text's beginning."""
        style = self.style(self._quickdraw.port)
        characters = self.guest.read(text, max(count, 0))
        self.guest.put16(places, 0)
        wide = 0
        for number, code in enumerate(characters, 1):
            wide += style.font.char_width(code, style.face)
            extra = style.extra(characters[:number])
            self.guest.put16(places + 2 * number, wide + (extra >> 16))

    @routine(
        "FUNCTION StdTxMeas (byteCount: INTEGER; textAddr: Ptr; VAR numer,denom: Point; "
        "VAR info: FontInfo): INTEGER"
    )
    def std_tx_meas(self, count: int, text: int, numer: int, denom: int, info: int) -> int:
        """Width of a text and its font's measures, at the scale given; nothing is left to scale."""
        port = self._quickdraw.port
        record = self.guest.read(port, GrafPort.size)
        style = self._style(record, self.guest.point(numer), self.guest.point(denom))
        self.guest.put_point(numer, _ONE_TO_ONE)
        self.guest.put_point(denom, _ONE_TO_ONE)
        self._put_info(info, style.font)
        return self._width(style, self.guest.read(text, max(count, 0)))

    @routine("PROCEDURE GetFontInfo (VAR info: FontInfo)")
    def get_font_info(self, info: int) -> None:
        """Ascent, descent, greatest width and leading of the port's font."""
        record = self.guest.read(self._quickdraw.port, GrafPort.size)
        self._keep_memory(record)
        self._put_info(info, self._style(record, _ONE_TO_ONE, _ONE_TO_ONE).font)

    def _put_info(self, info: int, font: Font) -> None:
        record = FontInfo(self.guest, info)
        record.ascent, record.descent = font.ascent, font.descent
        record.widMax, record.leading = font.wid_max, font.leading
