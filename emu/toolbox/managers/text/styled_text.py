"""TextEdit's routines for text in several styles.

Sources: Inside Macintosh V, the chapter on TextEdit; Inside Macintosh: Text, chapter 2; Technical
Note TE 13 (doToggle, what TEContinuousStyle and GetStylScrap do since System 6).
"""

from __future__ import annotations

from enum import IntFlag

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.text.record import TextRecord
from emu.toolbox.managers.text.styles import CharacterStyle, characters_of, runs_of
from emu.toolbox.records.text import TextStyle

_LARGEST_SIZE = 0x7FFF


class Mode(IntFlag):
    """Which attributes a routine is about, and how TESetStyle changes two of them."""

    FONT = 1
    FACE = 2
    SIZE = 4
    COLOR = 8
    ADD_SIZE = 16
    TOGGLE = 32


_ATTRIBUTES = ((Mode.FONT, "font"), (Mode.FACE, "face"), (Mode.SIZE, "size"), (Mode.COLOR, "color"))


def changed(
    style: CharacterStyle, new: CharacterStyle, mode: Mode, toggled_off: int = 0
) -> CharacterStyle:
    """A style with those attributes of another one that a mode names.

    Args:
        style: the style.
        new: the other one.
        mode: which attributes.
        toggled_off: the face's bits that go, with TOGGLE, because all of the text has them.
    """
    wanted = {name: getattr(new, name) for bit, name in _ATTRIBUTES if mode & bit}
    if mode & Mode.FACE and mode & Mode.TOGGLE:
        wanted["face"] = (style.face | new.face) & ~toggled_off
    if mode & Mode.ADD_SIZE:
        wanted["size"] = min(max(style.size + new.size, 1), _LARGEST_SIZE)
    return style._replace(**wanted)


class StyledText(Manager):
    """Styles of edited text."""

    _text_edit: TextEditing
    _memory: MemoryManager

    def _style_at(self, address: int) -> CharacterStyle:
        return CharacterStyle.of(TextStyle(self.guest, address))

    def _change(
        self, record: TextRecord, start: int, end: int, styles: list[CharacterStyle], redraw: bool
    ) -> None:
        """Change the styles of the characters between two offsets."""
        before = record.styles
        record.put_styles([*before[:start], *styles, *before[end:]])
        if redraw:
            self._text_edit.draw(record)

    @routine("FUNCTION TEStyleNew (destRect,viewRect: Rect): TEHandle")
    def te_style_new(self, destination: int, view: int) -> int:
        """An edit record for text in several styles; the first is that of the port."""
        rectangles = self.guest.rect(destination), self.guest.rect(view)
        return self._text_edit.make(*rectangles, styled=True)

    # -- the style record --------------------------------------------------------------------------

    @routine("FUNCTION TEGetStyleHandle (hTE: TEHandle): Handle")
    def te_get_style_handle(self, handle: int) -> int:
        """The style record of a text; nil if all of it looks alike."""
        return self._text_edit.record(handle).style_handle

    @routine("PROCEDURE TESetStyleHandle (theHandle: Handle; hTE: TEHandle)")
    def te_set_style_handle(self, styles: int, handle: int) -> None:
        """Give a text another style record; nothing is drawn."""
        record = self._text_edit.record(handle)
        if record.style_handle:
            record.style_handle = styles
            record.break_lines()

    # -- asking ------------------------------------------------------------------------------------

    @routine(
        "PROCEDURE TEGetStyle (offset: INTEGER; VAR theStyle: Ptr; "
        "VAR lineHeight,fontAscent: INTEGER; hTE: TEHandle)"
    )
    def te_get_style(self, offset: int, result: int, height: int, ascent: int, handle: int) -> None:
        """The style of a character, and the height and ascent of its font."""
        record = self._text_edit.record(handle)
        styles = record.styles
        style = styles[min(max(offset, 0), len(styles) - 1)]
        style.put(TextStyle(self.guest, result))
        font = record.style_records.font(style)
        self.guest.put16(height, font.line_height)
        self.guest.put16(ascent, font.ascent)

    @routine(
        "FUNCTION TEContinuousStyle (VAR mode: INTEGER; VAR aStyle: Ptr; hTE: TEHandle): BOOLEAN"
    )
    def te_continuous_style(self, mode: int, result: int, handle: int) -> bool:
        """Whether attributes are the same in all of the selected text, and what they are.

        The mode says which attributes are asked for, and gets those that are the same. Of a face,
        the bits that all characters have count: if there are none, it is the same only if all are
        plain.
        """
        record = self._text_edit.record(handle)
        start, end = record.selection
        selected = set(record.styles[start:end] or [record.style_for(start, end)])
        asked, same = Mode(self.guest.u16(mode) & 15), Mode(0)
        style = CharacterStyle.of(TextStyle(self.guest, result))
        for bit, name in _ATTRIBUTES:
            values = {getattr(style, name) for style in selected}
            value = values.pop()
            if bit == Mode.FACE and values:
                value = _common_bits(value, *values)
                values = set() if value else values
            if asked & bit and not values:
                same |= bit
                style = style._replace(**{name: value})
        style.put(TextStyle(self.guest, result))
        self.guest.put16(mode, same)
        return same == asked

    @routine("FUNCTION TENumStyles (rangeStart,rangeEnd: LONGINT; hTE: TEHandle): LONGINT")
    def te_num_styles(self, start: int, end: int, handle: int) -> int:
        """How many runs of styles there are between two offsets; at least 1."""
        record = self._text_edit.record(handle)
        return max(1, len(runs_of(record.styles[max(start, 0) : max(end, 0)])))

    # -- changing ----------------------------------------------------------------------------------

    @routine("PROCEDURE TESetStyle (mode: INTEGER; newStyle: Ptr; redraw: BOOLEAN; hTE: TEHandle)")
    def te_set_style(self, mode: int, style: int, redraw: bool, handle: int) -> None:
        """Change the style of the selected text, or of what is typed next if there is none."""
        record = self._text_edit.record(handle)
        styles_handle = record.style_handle
        if not styles_handle:
            return
        new, (start, end) = self._style_at(style), record.selection
        wanted = Mode(mode & 63)
        if start == end:
            before = record.style_for(start, end)
            off = before.face & new.face if before.face & new.face == new.face else 0
            chosen = changed(before, new, wanted, off)
            if not record.text:
                self._change(record, 0, 1, [chosen], redraw)
            record.style_records.put_null_style(styles_handle, chosen)
            return
        selected = record.styles[start:end]
        everywhere = _common_bits(*(each_style.face for each_style in selected))
        off = new.face if everywhere & new.face == new.face else 0
        styles = [changed(each_style, new, wanted, off) for each_style in selected]
        self._change(record, start, end, styles, redraw)

    @routine(
        "PROCEDURE TEReplaceStyle (mode: INTEGER; oldStyle,newStyle: Ptr; redraw: BOOLEAN; "
        "hTE: TEHandle)"
    )
    def te_replace_style(self, mode: int, old: int, new: int, redraw: bool, handle: int) -> None:
        """Change attributes of those selected characters that have them as in the old style."""
        record = self._text_edit.record(handle)
        if not record.style_handle:
            return
        before, after, wanted = self._style_at(old), self._style_at(new), Mode(mode & 15)
        start, end = record.selection
        styles = [
            changed(style, after, wanted) if changed(style, before, wanted) == style else style
            for style in record.styles[start:end]
        ]
        if styles:
            self._change(record, start, end, styles, redraw)

    # -- text with its styles ----------------------------------------------------------------------

    @routine("FUNCTION TEGetStyleScrapHandle (hTE: TEHandle): Handle")
    def te_get_style_scrap(self, handle: int) -> int:
        """A new block with the styles of the selected text; nil if all text looks alike."""
        record = self._text_edit.record(handle)
        if not record.style_handle:
            return 0
        start, end = record.selection
        styles = record.styles[start:end] or [record.style_for(start, end)]
        return self._memory.handle_from(record.style_records.scrap_data(runs_of(styles)))

    @routine("PROCEDURE TEStyleInsert (text: Ptr; length: LONGINT; hST: Handle; hTE: TEHandle)")
    def te_style_insert(self, text: int, length: int, scrap: int, handle: int) -> None:
        """Insert characters with their styles before the selection, which stays selected."""
        record = self._text_edit.record(handle)
        runs = record.style_records.scrap_runs(scrap) if scrap and record.style_handle else []
        new = self.guest.read(text, max(length, 0))
        self._text_edit.insert(record, new, characters_of(runs, len(new)) if runs else None)

    @routine(
        "PROCEDURE TEUseStyleScrap (rangeStart,rangeEnd: LONGINT; newStyles: Handle; "
        "redraw: BOOLEAN; hTE: TEHandle)"
    )
    def te_use_style_scrap(
        self, start: int, end: int, scrap: int, redraw: bool, handle: int
    ) -> None:
        """Give the characters between two offsets the styles of a style scrap."""
        record = self._text_edit.record(handle)
        length = len(record.text)
        start, end = (min(max(place, 0), length) for place in (start, end))
        if not record.style_handle or not scrap or start >= end:
            return
        runs = record.style_records.scrap_runs(scrap)
        if runs:
            self._change(record, start, end, characters_of(runs, end - start), redraw)


def _common_bits(first: int, *others: int) -> int:
    """The bits that all numbers have."""
    for other in others:
        first &= other
    return first
