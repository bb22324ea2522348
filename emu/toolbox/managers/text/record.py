"""The edit record in guest memory, as programs read and write it.

Source: Inside Macintosh I, p. I-374 (TERec).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emu.quickdraw import Rectangle
from emu.toolbox.managers.text.layout import TextLayout

if TYPE_CHECKING:
    from emu.quickdraw.fonts import Font
    from emu.toolbox.macintosh import Macintosh

DESTINATION = 0
VIEW = 8
SELECTION_RECTANGLE = 16
LINE_HEIGHT = 24
FONT_ASCENT = 26
SELECTION_START = 32
SELECTION_END = 34
ACTIVE = 36
WORD_BREAK = 38
CLICK_LOOP = 42
CLICK_TIME = 46
CLICK_PLACE = 50
CARET_TIME = 52
CARET_SHOWN = 56
JUSTIFICATION = 58
LENGTH = 60
TEXT = 62
ONLY_RETURNS = 72
FONT = 74
FACE = 76
MODE = 78
SIZE = 80
PORT = 82
HIGHLIGHT_HOOK = 86
CARET_HOOK = 90
LINES = 94
LINE_STARTS = 96

LONGEST = 32767
"""Characters that a text may have."""


class TextRecord:
    """An edit record; every property reads or writes guest memory at once."""

    def __init__(self, mac: Macintosh, handle: int) -> None:
        self._mac = mac
        self._guest = mac.guest
        self.handle = handle

    @property
    def address(self) -> int:
        """Where the record is until memory moves."""
        return int(self._mac.memory.address(self.handle))

    def word(self, field: int) -> int:
        """A signed word of the record."""
        return self._guest.i16(self.address + field)

    def put_word(self, field: int, value: int) -> None:
        """Store a word."""
        self._guest.put16(self.address + field, value)

    def long(self, field: int) -> int:
        """A long word of the record."""
        return self._guest.u32(self.address + field)

    def put_long(self, field: int, value: int) -> None:
        """Store a long word."""
        self._guest.put32(self.address + field, value)

    def rectangle(self, field: int) -> Rectangle:
        """A rectangle of the record."""
        return Rectangle(*self._guest.rect(self.address + field))

    def put_rectangle(self, field: int, r: Rectangle) -> None:
        """Store a rectangle."""
        self._guest.put_rect(self.address + field, r.top, r.left, r.bottom, r.right)

    @property
    def port(self) -> int:
        """The port in which the text is drawn."""
        return self.long(PORT)

    @property
    def active(self) -> bool:
        """Whether selection and insertion point are shown."""
        return self.word(ACTIVE) != 0

    @property
    def text(self) -> bytes:
        """What is written."""
        length = max(0, self.word(LENGTH))
        return bytes(self._mac.memory.contents(self.long(TEXT))[:length])

    def put_text(self, text: bytes) -> None:
        """Write something else; the lines are broken anew."""
        text = text[:LONGEST]
        self._mac.memory.set_contents(self.long(TEXT), text)
        self.put_word(LENGTH, len(text))
        self.break_lines()

    @property
    def selection(self) -> tuple[int, int]:
        """The offsets between which the text is selected."""
        length = max(0, self.word(LENGTH))
        start = min(self.word(SELECTION_START) & 0xFFFF, length)
        return start, max(start, min(self.word(SELECTION_END) & 0xFFFF, length))

    def select(self, start: int, end: int) -> None:
        """Select other characters; nothing is drawn."""
        length = max(0, self.word(LENGTH))
        start, end = min(max(start, 0), length), min(max(end, 0), length)
        self.put_word(SELECTION_START, min(start, end))
        self.put_word(SELECTION_END, max(start, end))

    @property
    def font(self) -> Font:
        """What it is written in."""
        font: Font = self._mac.fonts.font(self.word(FONT), self.word(SIZE))
        return font

    @property
    def style(self) -> int:
        """A Style's bits."""
        return self._guest.u8(self.address + FACE)

    def layout(self) -> TextLayout:
        """The text as it fills the destination rectangle."""
        return TextLayout(
            text=self.text,
            font=self.font,
            style=self.style,
            width=self.rectangle(DESTINATION).width,
            justification=self.word(JUSTIFICATION),
            wraps=self.word(ONLY_RETURNS) >= 0,
        )

    def break_lines(self) -> None:
        """Bring the table of lines up to date."""
        layout = self.layout()
        size = LINE_STARTS + 2 * (layout.lines + 2)
        if self._mac.memory.handle_size(self.handle) < size:
            self._mac.memory.resize_handle(self.handle, size)
        address = self.address
        self._guest.put16(address + LINES, layout.lines)
        starts = b"".join(start.to_bytes(2, "big") for start in layout.starts)
        self._guest.write(address + LINE_STARTS, starts + (bytes(2) if not layout.lines else b""))
