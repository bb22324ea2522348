"""How text fills a rectangle: lines, and which character is where.

Offsets count characters from 0; an offset stands for the gap before the character. Lines are
measured from the left and top edge of the rectangle the text fills.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from emu.quickdraw.fonts import Font

LEFT, CENTER, RIGHT, FORCE_LEFT = 0, 1, -1, -2
"""Justifications; the first is the script's own, which is the left here."""

RETURN = 13
_BLANK = 32


class TextRun(NamedTuple):
    """Characters that look alike.

    Attributes:
        start: the offset of the first; the run ends where the next one begins.
        font: what they are written in.
        face: a Style's bits.
        color: red, green and blue, 0 to 65535.
    """

    start: int
    font: Font
    face: int
    color: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True)
class TextLayout:
    """A text broken into lines.

    Attributes:
        text: MacRoman; lines may be ended by Return.
        runs: how its characters look, from the first on; there is at least one run.
        width: of the rectangle it fills, pixels.
        justification: see the constants of this module.
        wraps: whether lines are also broken where the width ends.
        measures: height and ascent of every line; None if they follow from the runs.
    """

    text: bytes
    runs: tuple[TextRun, ...]
    width: int
    justification: int = LEFT
    wraps: bool = True
    measures: tuple[int, int] | None = None

    @classmethod
    def plain(
        cls,
        text: bytes,
        font: Font,
        style: int,
        width: int,
        justification: int = LEFT,
        wraps: bool = True,
    ) -> TextLayout:
        """A text all of which looks alike; see the attributes."""
        return cls(text, (TextRun(0, font, style),), width, justification, wraps)

    @cached_property
    def _places(self) -> list[int]:
        """How wide the text is before each offset, if it were all in one line."""
        widths: list[int] = []
        for run, end in self._runs_with_ends():
            part = self.text[run.start : end]
            of = {code: run.font.char_width(code, run.face) for code in set(part)}
            of[RETURN] = 0
            widths += [of[code] for code in part]
        return list(accumulate(widths, initial=0))

    def _runs_with_ends(self) -> Iterator[tuple[TextRun, int]]:
        ends = [run.start for run in self.runs[1:]] + [len(self.text)]
        return zip(self.runs, ends, strict=True)

    @cached_property
    def _run_starts(self) -> list[int]:
        return [run.start for run in self.runs]

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each line begins, and at last the length of the text.

        A Return at the very end begins no line of its own; so it is with TextEdit's nLines.
        """
        text, starts, end = self.text, [0], 0
        while (start := starts[-1]) < len(text):
            if start >= end:
                # Only once for all the lines into which a paragraph is broken.
                stop = text.find(RETURN, start)
                end = len(text) if stop < 0 else stop + 1
            starts.append(self._end_of_line(start, end) if self.wraps else end)
        return tuple(starts)

    def _end_of_line(self, start: int, end: int) -> int:
        """Where a line ends that begins in a paragraph, given the end of that."""
        text, places = self.text, self._places
        right, last_break = places[start] + self.width, 0
        for at in range(start, end):
            if text[at] in (_BLANK, RETURN):
                # Blanks at the end of a line may stand beyond the edge.
                last_break = at + 1
            elif places[at + 1] > right:
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
            start, shown = self.starts[line], self.line_text(line).rstrip(b" ")
            room = self.width - (self._places[start + len(shown)] - self._places[start])
        return room // 2 if self.justification == CENTER else room

    def pieces(self, line: int) -> Iterator[tuple[int, bytes, TextRun]]:
        """What is written in a line, run by run, each with its distance from the left edge."""
        start = self.starts[line]
        end = start + len(self.line_text(line))
        left = self.line_left(line) - self._places[start]
        starts = self._run_starts
        cuts = [start, *starts[bisect_right(starts, start) : bisect_left(starts, end)], end]
        for first, last in pairwise(cuts):
            yield left + self._places[first], self.text[first:last], self.run_at(first)

    def run_at(self, offset: int) -> TextRun:
        """The run to which the character at an offset belongs."""
        return self.runs[bisect_right(self._run_starts, offset) - 1]

    # -- heights -----------------------------------------------------------------------------------

    @cached_property
    def measures_of_lines(self) -> list[tuple[int, int]]:
        """Height and ascent of each line, and of the empty one that may follow the last.

        A line is as high as the highest of its styles.
        """
        if self.measures is not None:
            return [self.measures] * (self.lines + 1)
        measures, number, length = [], 0, len(self.text)
        for start, end in pairwise((*self.starts, length + 1)):
            while number + 1 < len(self.runs) and self.runs[number + 1].start <= start:
                number += 1
            last = number
            while last + 1 < len(self.runs) and self.runs[last + 1].start < min(end, length):
                last += 1
            fonts = [run.font for run in self.runs[number : last + 1]]
            height = max(font.line_height for font in fonts)
            measures.append((height, max(font.ascent for font in fonts)))
        return measures

    @cached_property
    def tops(self) -> list[int]:
        """Where each line begins, from the top; then the empty one after the last, and its end."""
        return list(accumulate((height for height, _ in self.measures_of_lines), initial=0))

    @property
    def height(self) -> int:
        """The height of all lines."""
        return self.tops[self.lines]

    def line_at(self, v: int) -> int:
        """The line at a distance from the top; -1 above the first, and ``lines`` below the last."""
        return min(bisect_right(self.tops, v) - 1, self.lines)

    # -- offsets -----------------------------------------------------------------------------------

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
        offset = min(offset, len(self.text))
        return self.line_left(line) + self._places[offset] - self._places[self.starts[line]]

    def offset_in_line(self, line: int, h: int) -> int:
        """The offset nearest to a distance from the left edge."""
        if line < 0:
            return 0
        if line >= self.lines:
            return len(self.text)
        start = self.starts[line]
        text = self.line_text(line)
        left = self.line_left(line) - self._places[start]
        for at in range(start, start + len(text)):
            here, after = self._places[at], self._places[at + 1]
            if h < left + here + (after - here + 1) // 2:
                return at
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
