"""The edit record in guest memory, as programs read and write it.

A text in several styles has -1 as its size, and its style record's handle where the font and the
face of others are.
Source: Inside Macintosh I, p. I-374 (TERec); V, the chapter on TextEdit (texts in several styles).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.managers.text.layout import TextLayout, TextRun
from emu.toolbox.managers.text.styles import CharacterStyle, StyleRecords, runs_of
from emu.toolbox.records.windows import TERec

LONGEST = 32767
"""Characters that a text may have."""

SEVERAL_STYLES = -1
"""The size of a text in several styles, and its line height where that follows from them."""


@functools.lru_cache(16)
def _same_layout(layout: TextLayout) -> TextLayout:
    """The same layout if one like it is known, which has broken its lines already."""
    return layout


class TextRecord:
    """An edit record; every property reads or writes guest memory at once."""

    def __init__(self, memory: MemoryManager, fonts: FontManager, handle: int) -> None:
        self._memory = memory
        self._fonts = fonts
        self._guest = memory.guest
        self.handle = handle
        self.style_records = StyleRecords(memory, fonts)

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
        start, end = sorted(min(max(place, 0), length) for place in (start, end))
        fields.selStart, fields.selEnd = start, end
        if self.style_handle:
            self.style_records.put_null_style(self.style_handle, None)

    # -- styles ------------------------------------------------------------------------------------

    @property
    def style_handle(self) -> int:
        """The handle of the style record; 0 of a text all of which looks alike."""
        fields = self.fields
        if fields.txSize != SEVERAL_STYLES:
            return 0
        return self._guest.u32(fields.address_of(TERec.txFont))

    @style_handle.setter
    def style_handle(self, handle: int) -> None:
        fields = self.fields
        fields.txSize = SEVERAL_STYLES
        self._guest.put32(fields.address_of(TERec.txFont), handle)

    @property
    def styles(self) -> list[CharacterStyle]:
        """How each character looks; one style more if there is no character."""
        handle, fields = self.style_handle, self.fields
        if handle:
            return self.style_records.styles(handle, fields.teLength)
        style = CharacterStyle(fields.txFont, fields.txFace, fields.txSize, (0, 0, 0))
        return [style] * max(fields.teLength, 1)

    def style_for(self, start: int, end: int) -> CharacterStyle:
        """The style of what is typed in place of characters, or before them if there are none."""
        styles, handle = self.styles, self.style_handle
        chosen = self.style_records.null_style(handle) if handle else None
        if chosen is not None:
            return chosen
        return styles[start] if start < end else styles[max(start - 1, 0)]

    # -- changing ----------------------------------------------------------------------------------

    def take_length(self) -> None:
        """Take the text's length from its block, as each call of TextEdit does in System 7.

        A program may give another block and not its length, and then call TECalText. NetHack
        3.1.3 asks its questions so; only their first letters would be seen.
        Source: Apple's TextEdit.a of 1994, StdEntry, which each call passes.
        """
        fields = self.fields
        if self._memory.is_handle(fields.hText):
            fields.teLength = min(self._memory.handle_size(fields.hText), LONGEST)

    def put_text(self, text: bytes) -> None:
        """Write something else, all of it as the first character was."""
        self.replace(0, len(self.text), text)

    def replace(
        self, start: int, end: int, new: bytes, styles: Sequence[CharacterStyle] | None = None
    ) -> None:
        """Put characters in place of those between two offsets.

        The lines are broken anew, and the insertion point is behind the new characters.

        Args:
            start: the first offset.
            end: the second.
            new: the new characters; what makes the text longer than `LONGEST` is left out.
            styles: how each of them looks; as typed characters would if left out.
        """
        before, handle, text = self.styles, self.style_handle, self.text
        new = new[: LONGEST - (len(text) - (end - start))]
        taken = self.style_for(start, end)
        styles = styles or [taken] * len(new)
        whole = text[:start] + new + text[end:]
        self._memory.set_contents(self.fields.hText, whole)
        fields, after = self.fields, start + len(new)
        fields.teLength, fields.selStart, fields.selEnd = len(whole), after, after
        if handle:
            kept = [*before[:start], *styles[: len(new)], *before[end : len(text)]]
            self.put_styles(kept or [taken])
            self.style_records.put_null_style(handle, None if new else taken)
        else:
            self.break_lines()

    def put_styles(self, styles: Sequence[CharacterStyle]) -> None:
        """Change the styles of a text in several styles; its lines are broken anew."""
        self.style_records.put(self.style_handle, styles, self.fields.teLength)
        self.break_lines()

    # -- lines -------------------------------------------------------------------------------------

    def layout(self) -> TextLayout:
        """The text as it fills the destination rectangle."""
        fields, font = self.fields, self.style_records.font
        fixed = fields.lineHeight > 0 or not self.style_handle
        styles = self.styles if self.style_handle else self.styles[:1]
        layout = TextLayout(
            text=self.text,
            runs=tuple(
                TextRun(start, font(style), style.face, style.color)
                for start, style in runs_of(styles)
            ),
            width=fields.destRect.width,
            justification=fields.just,
            wraps=fields.crOnly >= 0,
            measures=(fields.lineHeight, fields.fontAscent) if fixed else None,
        )
        return _same_layout(layout)

    def break_lines(self) -> None:
        """Bring the table of lines up to date.

        A record that is locked may have no room for all. Then the table has the first lines only,
        and the text is drawn as it should be.
        """
        layout = self.layout()
        room, size = self._memory.handle_size(self.handle), TERec.size + 2 * (layout.lines + 2)
        if room < size and self._memory.resize_handle(self.handle, size):
            room = size
        fields, starts = self.fields, layout.starts[: (room - TERec.size) // 2]
        fields.nLines = min(layout.lines, max(len(starts) - 1, 0))
        for index, start in enumerate(starts):
            fields.lineStarts[index] = start
        if not layout.lines:
            fields.lineStarts[len(layout.starts)] = 0
        if self.style_handle:
            self.style_records.put_line_heights(self.style_handle, layout.measures_of_lines)
