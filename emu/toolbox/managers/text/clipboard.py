"""Cutting, copying and pasting in TextEdit, and its own scrap.

A text in several styles also goes to the desk scrap, with its styles as an item 'styl'; text alone
goes only to TextEdit's own scrap.
Source: Inside Macintosh I, chapter 12; V, the chapter on TextEdit; Inside Macintosh: Text,
chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.text.editing import TextEditing
from emu.toolbox.managers.text.record import LONGEST, TextRecord
from emu.toolbox.managers.text.scrap import ScrapManager
from emu.toolbox.managers.text.styles import CharacterStyle, characters_of, runs_of
from emu.toolbox.records.results import ResultCode

_SCRAP_LENGTH = 0xAB0
_SCRAP_HANDLE = 0xAB4


TEXT, STYLES = "TEXT", "styl"


class TextClipboard(Manager):
    """TextEdit's scrap."""

    _text_edit: TextEditing
    _memory: MemoryManager
    _scrap: ScrapManager

    def start(self) -> None:
        """Make an empty scrap: the system's own calls of TEInit have left one to programs."""
        self.guest.put32(_SCRAP_HANDLE, self._memory.new_handle(0))

    @routine("PROCEDURE TEInit")
    def te_init(self) -> None:
        """Empty the scrap."""
        self.guest.put16(_SCRAP_LENGTH, 0)

    @routine("PROCEDURE TECut (hTE: TEHandle)")
    def te_cut(self, handle: int) -> None:
        """Move the selected characters to the scrap."""
        self.te_copy(handle)
        self._text_edit.replace(self._text_edit.record(handle), b"")

    @routine("PROCEDURE TECopy (hTE: TEHandle)")
    def te_copy(self, handle: int) -> None:
        """Copy the selected characters to the scrap."""
        record = self._text_edit.record(handle)
        start, end = record.selection
        text = record.text[start:end]
        self._put(text)
        if record.style_handle and start < end:
            self._scrap.empty()
            self._scrap.put(TEXT, text)
            runs = runs_of(record.styles[start:end])
            self._scrap.put(STYLES, record.style_records.scrap_data(runs))

    @routine("PROCEDURE TEPaste (hTE: TEHandle)")
    def te_paste(self, handle: int) -> None:
        """Put the scrap in place of the selected characters."""
        self._text_edit.replace(self._text_edit.record(handle), self._text())

    @routine("PROCEDURE TEStylePaste (hTE: TEHandle)")
    def te_style_paste(self, handle: int) -> None:
        """Put the text of the desk scrap, with its styles, in place of the selected characters."""
        record, scrap_text = self._text_edit.record(handle), self._scrap.find(TEXT)
        text = scrap_text[1] if scrap_text else b""
        self._text_edit.replace(record, text, self._styles_of(record, len(text)))

    def _styles_of(self, record: TextRecord, count: int) -> list[CharacterStyle] | None:
        """The styles of the desk scrap's text; None if it has none."""
        styles = self._scrap.find(STYLES)
        runs = record.style_records.runs_in(styles[1]) if styles else []
        return characters_of(runs, count) if runs else None

    def _put(self, text: bytes) -> None:
        """Put something into TextEdit's own scrap."""
        self._memory.set_contents(self.guest.u32(_SCRAP_HANDLE), text)
        self.guest.put16(_SCRAP_LENGTH, len(text))

    def _text(self) -> bytes:
        """What is in TextEdit's own scrap."""
        handle = self.guest.u32(_SCRAP_HANDLE)
        text = self._memory.contents(handle) if handle else b""
        return text[: self.guest.u16(_SCRAP_LENGTH)]

    # -- for programs without glue of their own ----------------------------------------------------

    @routine("FUNCTION TEScrapHandle : Handle")
    def te_scrap_handle(self) -> int:
        """The handle of TextEdit's scrap."""
        return self.guest.u32(_SCRAP_HANDLE)

    @routine("FUNCTION TEGetScrapLength : LONGINT", imports=("TEGetScrapLen",))
    def te_get_scrap_length(self) -> int:
        """How many characters are in the scrap."""
        return self.guest.u16(_SCRAP_LENGTH)

    @routine("PROCEDURE TESetScrapLength (length: LONGINT)", imports=("TESetScrapLen",))
    def te_set_scrap_length(self, length: int) -> None:
        """Say how many characters of the scrap count."""
        self.guest.put16(_SCRAP_LENGTH, length)

    @routine("FUNCTION TEFromScrap: OSErr")
    def te_from_scrap(self) -> int:
        """Copy the text that is in the desk scrap to TextEdit's own scrap."""
        scrap_text = self._scrap.find(TEXT)
        if scrap_text is None:
            return ResultCode.noTypeErr
        if len(scrap_text[1]) > LONGEST:
            return ResultCode.teScrapSizeErr
        self._put(scrap_text[1])
        return 0

    @routine("FUNCTION TEToScrap: OSErr")
    def te_to_scrap(self) -> int:
        """Add the text of TextEdit's own scrap to the desk scrap."""
        return self._scrap.put(TEXT, self._text())
