"""How text fills a rectangle: lines, and which character is where.

Offsets count characters from 0; an offset stands for the gap before the character. Lines are
measured from the left and top edge of the rectangle the text fills.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from emu.quickdraw.fonts import Font

LEFT, CENTER, RIGHT, FORCE_LEFT = 0, 1, -1, -2
"""Justifications; the first is the script's own, which is the left here."""

RETURN = 13
_BLANK = 32


@dataclass(frozen=True)
class TextLayout:
    """A text broken into lines.

    Attributes:
        text: MacRoman; lines may be ended by Return.
        font: what it is written in.
        style: a Style's bits.
        width: of the rectangle it fills, pixels.
        justification: see the constants of this module.
        wraps: whether lines are also broken where the width ends.
    """

    text: bytes
    font: Font
    style: int
    width: int
    justification: int = LEFT
    wraps: bool = True

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each line begins, and at last the length of the text.

        A Return at the very end begins no line of its own; so it is with TextEdit's nLines.
        """
        text, starts, end = self.text, [0], 0
        widths = {code: self.font.char_width(code, self.style) for code in set(text)}
        while (start := starts[-1]) < len(text):
            if start >= end:
                # Only once for all the lines into which a paragraph is broken.
                stop = text.find(RETURN, start)
                end = len(text) if stop < 0 else stop + 1
            starts.append(self._end_of_line(start, end, widths) if self.wraps else end)
        return tuple(starts)

    def _end_of_line(self, start: int, end: int, widths: dict[int, int]) -> int:
        """Where a line ends that begins in a paragraph, given the end of that and all widths."""
        text = self.text
        width, last_break = 0, 0
        for at in range(start, end):
            code = text[at]
            if code in (_BLANK, RETURN):
                # Blanks at the end of a line may stand beyond the edge.
                last_break = at + 1
                width += widths[code] if code == _BLANK else 0
                continue
            width += widths[code]
            if width > self.width:
                return last_break or max(at, start + 1)
        return end

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return len(self.starts) - 1

    def line_text(self, line: int) -> bytes:
        """What is written in a line, without its Return."""
        text = self.text[self.starts[line] : self.starts[line + 1]]
        return text[:-1] if text[-1:] == b"\r" else text

    def line_left(self, line: int) -> int:
        """Where a line's first character begins."""
        if self.justification not in (CENTER, RIGHT) or line >= self.lines:
            room = 0 if self.justification not in (CENTER, RIGHT) else self.width
        else:
            shown = self.line_text(line).rstrip(b" ")
            room = self.width - self.font.text_width(shown, self.style)
        return room // 2 if self.justification == CENTER else room

    def line_of(self, offset: int) -> int:
        """The line in which an offset lies; after a Return at the end, the one that follows."""
        if offset >= len(self.text):
            if self.text[-1:] == b"\r":
                return self.lines
            return max(0, self.lines - 1)
        return bisect_right(self.starts, offset) - 1

    def left_of(self, offset: int) -> int:
        """The distance of an offset from the left edge."""
        line = self.line_of(offset)
        start = self.starts[line]
        return self.line_left(line) + self.font.text_width(self.text[start:offset], self.style)

    def offset_in_line(self, line: int, h: int) -> int:
        """The offset nearest to a distance from the left edge."""
        if line < 0:
            return 0
        if line >= self.lines:
            return len(self.text)
        left = self.line_left(line)
        start = self.starts[line]
        text = self.line_text(line)
        for index, code in enumerate(text):
            width = self.font.char_width(code, self.style)
            if h < left + (width + 1) // 2:
                return start + index
            left += width
        end = start + len(text)
        # The gap after a blank at which the line was broken belongs to the next line.
        if end == self.starts[line + 1] and text[-1:] == b" " and line + 1 < self.lines:
            end -= 1
        return end

    def word_at(self, offset: int) -> tuple[int, int]:
        """Where the word around an offset begins and ends; a word is what stands between blanks."""
        start = end = min(offset, len(self.text))
        while start > 0 and self.text[start - 1] > _BLANK:
            start -= 1
        while end < len(self.text) and self.text[end] > _BLANK:
            end += 1
        return start, end
