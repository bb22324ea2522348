"""The edit record in guest memory, as programs read and write it.

Source: Inside Macintosh I, p. I-374 (TERec).
"""

from __future__ import annotations

from emu.quickdraw.fonts import Font
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.fonts import FontManager
from emu.toolbox.managers.text.layout import TextLayout
from emu.toolbox.records.windows import TERec

LONGEST = 32767
"""Characters that a text may have."""


class TextRecord:
    """An edit record; every property reads or writes guest memory at once."""

    def __init__(self, memory: MemoryManager, fonts: FontManager, handle: int) -> None:
        self._memory = memory
        self._fonts = fonts
        self._guest = memory.guest
        self.handle = handle

    @property
    def address(self) -> int:
        """Where the record is until memory moves."""
        return self._memory.address(self.handle)

    @property
    def fields(self) -> TERec:
        """The record itself, good until memory moves."""
        return TERec(self._guest, self.address)

    @property
    def port(self) -> int:
        """The port in which the text is drawn."""
        return self.fields.inPort

    @property
    def active(self) -> bool:
        """Whether selection and insertion point are shown."""
        return self.fields.active != 0

    @property
    def text(self) -> bytes:
        """What is written."""
        length = max(0, self.fields.teLength)
        return bytes(self._memory.contents(self.fields.hText)[:length])

    def put_text(self, text: bytes) -> None:
        """Write something else; the lines are broken anew."""
        text = text[:LONGEST]
        self._memory.set_contents(self.fields.hText, text)
        self.fields.teLength = len(text)
        self.break_lines()

    @property
    def selection(self) -> tuple[int, int]:
        """The offsets between which the text is selected."""
        fields = self.fields
        length = max(0, fields.teLength)
        start = min(fields.selStart, length)
        return start, max(start, min(fields.selEnd, length))

    def select(self, start: int, end: int) -> None:
        """Select other characters; nothing is drawn."""
        fields = self.fields
        length = max(0, fields.teLength)
        start, end = min(max(start, 0), length), min(max(end, 0), length)
        fields.selStart, fields.selEnd = min(start, end), max(start, end)

    @property
    def font(self) -> Font:
        """What it is written in."""
        fields = self.fields
        return self._fonts.font(fields.txFont, fields.txSize)

    @property
    def style(self) -> int:
        """A Style's bits."""
        return self.fields.txFace

    def layout(self) -> TextLayout:
        """The text as it fills the destination rectangle."""
        fields = self.fields
        return TextLayout(
            text=self.text,
            font=self.font,
            style=self.style,
            width=fields.destRect.width,
            justification=fields.just,
            wraps=fields.crOnly >= 0,
        )

    def break_lines(self) -> None:
        """Bring the table of lines up to date."""
        layout = self.layout()
        size = TERec.size + 2 * (layout.lines + 2)
        if self._memory.handle_size(self.handle) < size:
            self._memory.resize_handle(self.handle, size)
        fields = self.fields
        fields.nLines = layout.lines
        for index, start in enumerate(layout.starts):
            fields.lineStarts[index] = start
        if not layout.lines:
            fields.lineStarts[len(layout.starts)] = 0
