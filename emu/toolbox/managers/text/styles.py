"""Characters' styles, and the records in which TextEdit keeps them.

A text's styles are a list with one style for each character; that of an empty text has one style
all the same, for what is typed first.
Source: Inside Macintosh V, the chapter on TextEdit (style record, style table, line heights, null
style and style scrap); Inside Macintosh: Text, chapter 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from emu.quickdraw.fonts import Font
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.quickdraw.text.fonts import FontManager
from emu.toolbox.records.text import (
    LHElement,
    NullStRec,
    ScrpSTElement,
    STElement,
    StScrpRec,
    StyleRun,
    TEStyleRec,
    TextStyle,
)

_MOST_STYLES = 0x7FFF


class CharacterStyle(NamedTuple):
    """How a character looks: numbers of font and size, a Style's bits, and a colour's parts."""

    font: int
    face: int
    size: int
    color: tuple[int, int, int]

    @classmethod
    def of(cls, record: TextStyle) -> CharacterStyle:
        """The style that a record holds."""
        color = record.tsColor
        parts = color.red, color.green, color.blue
        return cls(record.tsFont, record.tsFace, record.tsSize, parts)

    def put(self, record: TextStyle) -> None:
        """Store the style in a record."""
        record.tsFont, record.tsFace, record.tsSize = self.font, self.face, self.size
        color = record.tsColor
        color.red, color.green, color.blue = self.color


def runs_of(styles: Sequence[CharacterStyle]) -> list[tuple[int, CharacterStyle]]:
    """Where each run of equal styles begins, and its style."""
    runs, at = [], 0
    for style, same in groupby(styles):
        runs.append((at, style))
        at += sum(1 for _ in same)
    return runs


def characters_of(runs: Sequence[tuple[int, CharacterStyle]], count: int) -> list[CharacterStyle]:
    """The styles of so many characters, by where their runs begin; the first run begins at 0."""
    styles: list[CharacterStyle] = []
    for (_, style), (end, _) in pairwise((*runs, (count, runs[-1][1]))):
        styles += [style] * (min(end, count) - len(styles))
    return styles


class StyleRecords:
    """Reads and writes style records and style scraps in guest memory."""

    def __init__(self, memory: MemoryManager, fonts: FontManager) -> None:
        self._memory = memory
        self._fonts = fonts

    @property
    def _guest(self) -> GuestAccess:
        return self._memory.guest

    def font(self, style: CharacterStyle) -> Font:
        """What a style is written in."""
        return self._fonts.font(style.font, style.size)

    # -- the style record --------------------------------------------------------------------------

    def make(self, first: CharacterStyle) -> int:
        """The handle of a style record for an empty text; 0 if memory is full."""
        memory = self._memory
        handle = memory.new_handle(TEStyleRec.size, clear=True)
        parts = [memory.new_handle(0), memory.new_handle(0), memory.new_handle(StScrpRec.size)]
        null = memory.new_handle(NullStRec.size, clear=True)
        if not handle or not null or not all(parts):
            return 0
        memory.set_contents(parts[2], bytes(StScrpRec.size))
        record = self._record(handle)
        record.styleTab, record.lhTab, record.nullStyle = parts[0], parts[1], null
        NullStRec(self._guest, memory.address(null)).nullScrap = parts[2]
        self.put(handle, [first], 0)
        return handle

    def dispose(self, handle: int) -> None:
        """Free a style record and what belongs to it."""
        record, memory = self._record(handle), self._memory
        null = record.nullStyle
        scrap = NullStRec(self._guest, memory.address(null)).nullScrap
        for part in (scrap, null, record.styleTab, record.lhTab, handle):
            memory.dispose_handle(part)

    def _record(self, handle: int) -> TEStyleRec:
        return TEStyleRec(self._guest, self._memory.address(handle))

    def styles(self, handle: int, length: int) -> list[CharacterStyle]:
        """The styles of a text's characters."""
        record = self._record(handle)
        table = self._memory.address(record.styleTab)
        distinct: dict[int, CharacterStyle] = {}
        runs = []
        for number in range(max(record.nRuns, 1)):
            run = record.runs[number]
            index = run.styleIndex
            if index not in distinct:
                element = STElement(self._guest, table + index * STElement.size)
                distinct[index] = self._tail(element.address_of(STElement.stFont))
            runs.append((run.startChar if number else 0, distinct[index]))
        return characters_of(runs, max(length, 1))

    def _tail(self, address: int) -> CharacterStyle:
        return CharacterStyle.of(TextStyle(self._guest, address))

    def put(self, handle: int, styles: Sequence[CharacterStyle], length: int) -> None:
        """Store the styles of a text's characters."""
        memory = self._memory
        runs = runs_of(styles)
        count = Counter(style for _, style in runs)
        numbers = {style: number for number, style in enumerate(count)}
        memory.resize_handle(handle, TEStyleRec.size + (len(runs) + 1) * StyleRun.size)
        record = self._record(handle)
        record.nRuns, record.nStyles = len(runs), len(numbers)
        for at, (start, style) in enumerate(runs):
            run = record.runs[at]
            run.startChar, run.styleIndex = start, numbers[style]
        end = record.runs[len(runs)]
        end.startChar, end.styleIndex = length + 1, -1
        memory.resize_handle(record.styleTab, len(numbers) * STElement.size)
        table = memory.address(self._record(handle).styleTab)
        for style, number in numbers.items():
            element, font = (
                STElement(self._guest, table + number * STElement.size),
                self.font(style),
            )
            element.stCount = count[style]
            element.stHeight, element.stAscent = font.line_height, font.ascent
            style.put(TextStyle(self._guest, element.address_of(STElement.stFont)))

    def put_line_heights(self, handle: int, measures: Sequence[tuple[int, int]]) -> None:
        """Store height and ascent of each line."""
        layout = LHElement.layout()
        self._memory.set_contents(
            self._record(handle).lhTab, b"".join(layout.pack(*line) for line in measures)
        )

    # -- the null style ----------------------------------------------------------------------------

    def _null_scrap(self, handle: int) -> int:
        null = self._record(handle).nullStyle
        return NullStRec(self._guest, self._memory.address(null)).nullScrap

    def null_style(self, handle: int) -> CharacterStyle | None:
        """The style for what is typed next, if one was chosen at the insertion point."""
        runs = self.scrap_runs(self._null_scrap(handle))
        return runs[0][1] if runs else None

    def put_null_style(self, handle: int, style: CharacterStyle | None) -> None:
        """Choose the style for what is typed next, or none."""
        runs = [] if style is None else [(0, style)]
        self.put_scrap(self._null_scrap(handle), runs)

    # -- style scraps ------------------------------------------------------------------------------

    def scrap_runs(self, scrap: int) -> list[tuple[int, CharacterStyle]]:
        """Where each run of a style scrap begins, and its style."""
        return self.runs_in(self._memory.contents(scrap))

    def runs_in(self, data: bytes) -> list[tuple[int, CharacterStyle]]:
        """The same of a style scrap's bytes, as a 'styl' resource or the desk scrap has them."""
        count = StScrpRec.scrpNStyles.of(data) if len(data) >= StScrpRec.size else 0
        room = (len(data) - StScrpRec.size) // ScrpSTElement.size
        runs = []
        for number in range(min(count, room)):
            start = StScrpRec.size + number * ScrpSTElement.size
            element = data[start : start + ScrpSTElement.size]
            style = TextStyle.copied(element[ScrpSTElement.scrpFont.offset :])
            runs.append((ScrpSTElement.scrpStartChar.of(element), CharacterStyle.of(style)))
        return runs

    def scrap_data(self, runs: Sequence[tuple[int, CharacterStyle]]) -> bytes:
        """The bytes of a style scrap."""
        data = min(len(runs), _MOST_STYLES).to_bytes(2, "big")
        for start, style in runs[:_MOST_STYLES]:
            element, font = ScrpSTElement.copied(), self.font(style)
            element.scrpStartChar = start
            element.scrpHeight, element.scrpAscent = font.line_height, font.ascent
            style.put(TextStyle(element.guest, ScrpSTElement.scrpFont.offset))
            data += element.read()
        return data

    def put_scrap(self, scrap: int, runs: Sequence[tuple[int, CharacterStyle]]) -> bool:
        """Store a style scrap in a block; False if memory is full."""
        return self._memory.set_contents(scrap, self.scrap_data(runs))
