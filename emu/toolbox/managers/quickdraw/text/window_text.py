"""Rebuilds a window's text from the places where its characters were drawn.

A console draws no blanks on blank paper and no line ends. It only draws characters at places, and
scrolls and erases rectangles. From these operations the whole text is rebuilt, including lines that
have left the window at the top.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

from emu.quickdraw import Rectangle
from emu.quickdraw.fonts import Font
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw

_SAME_LINE = 2
"""Baselines that differ by at most so many pixels belong to one line, as with subscripts."""


@dataclass(frozen=True, slots=True)
class Spacing:
    """What the gaps between characters and lines mean.

    Attributes:
        blank: the width of a blank, in pixels.
        line_height: from one baseline to the next.
        fixed: whether all characters have the same width. A gap is then as many blanks as fit into
            it; otherwise any gap is one blank.
    """

    blank: int
    line_height: int
    fixed: bool

    @classmethod
    def of(cls, font: Font, face: int) -> Spacing:
        """A font's."""
        widths = {font.char_width(code, face) for code in b" iW"}
        return cls(font.char_width(0x20, face), font.line_height, len(widths) == 1)


@dataclass(slots=True)
class _Line:
    """The characters of a line, by left edge: (character, right edge)."""

    baseline: int
    widest: int = 0
    end: int = -(1 << 31)  # no character reaches further to the right
    characters: dict[int, tuple[int, int]] = field(default_factory=dict)

    def put(self, left: int, right: int, character: int) -> None:
        self.widest = max(self.widest, right - left)
        if left < self.end:
            for start in range(left - self.widest + 1, min(right, self.end)):
                if start in self.characters and self.characters[start][1] > left:
                    del self.characters[start]
        self.end = max(self.end, right)
        self.characters[left] = character, right

    def move(self, dh: int, area: Rectangle) -> None:
        """Move all characters, of which those stay whose left edge is then in an area."""
        self.end += dh
        self.characters = {
            left + dh: (character, right + dh)
            for left, (character, right) in self.characters.items()
            if area.left <= left + dh < area.right
        }

    def text(self, margin: int, spacing: Spacing) -> bytes:
        written = bytearray()
        end = margin if spacing.fixed else min(self.characters, default=0)
        for left in sorted(self.characters):
            character, right = self.characters[left]
            gap = left - end
            if spacing.fixed:
                written += b" " * ((gap + spacing.blank // 2) // max(spacing.blank, 1))
            elif 2 * gap > spacing.blank:
                written += b" "
            written.append(character)
            end = right
        return bytes(written).rstrip()


class PortText:
    """The text that was drawn in one port.

    Args:
        spacing: the spacing of the font that is used first.
    """

    def __init__(self, spacing: Spacing) -> None:
        self._spacing = spacing
        self._margin = 1 << 15
        self._lines: dict[int, _Line] = {}
        self._gone: list[_Line] = []
        # Lines that were erased, but may be drawn again soon, as when a window is updated.
        self._erased: dict[int, _Line] = {}
        self._scrolled = 0

    def draw(self, characters: bytes, widths: list[int], pen: Point) -> None:
        """Record that characters of these widths were drawn from the pen's place on."""
        line = self._line(pen.v)
        left = pen.h
        for character, width in zip(characters, widths, strict=True):
            if width > 0:
                line.put(left, left + width, character)
                self._margin = min(self._margin, left)
            left += width

    def _line(self, baseline: int) -> _Line:
        for near in (baseline, *range(baseline - _SAME_LINE, baseline + _SAME_LINE + 1)):
            if near in self._lines:
                return self._lines[near]
        return self._lines.setdefault(baseline, _Line(baseline))

    def scroll(self, area: Rectangle, dh: int, dv: int) -> None:
        """Record that a rectangle was scrolled; lines that leave it above or below are gone."""
        self._settle()
        staying = {}
        for baseline in sorted(self._lines):
            line = self._lines[baseline]
            if area.top < baseline <= area.bottom:
                baseline += dv
                if not area.top < baseline <= area.bottom:
                    self._leave(line)
                    continue
                line.baseline = baseline
                if dh:
                    line.move(dh, area)
            staying[baseline] = line
        self._lines = staying
        self._scrolled -= dv

    def erase(self, area: Rectangle) -> None:
        """Record that a rectangle was erased; a line of which nothing is left is gone."""
        for baseline in sorted(self._lines):
            line = self._lines[baseline]
            if not area.top < baseline <= area.bottom:
                continue
            kept = {
                start: (character, end)
                for start, (character, end) in line.characters.items()
                if end <= area.left or start >= area.right
            }
            if kept:
                line.characters = kept
                continue
            before = self._erased.get(baseline)
            if before is not None and not self._repeats(line, before):
                self._leave(before)
            self._erased[baseline] = line
            del self._lines[baseline]

    def _repeats(self, line: _Line | None, before: _Line) -> bool:
        """Whether a line begins with the text that was erased in its place."""
        if line is None:
            return False
        return line.text(self._margin, self._spacing).startswith(
            before.text(self._margin, self._spacing)
        )

    def _replaced(self) -> list[_Line]:
        """Lines that were erased and not drawn again."""
        return [
            before
            for baseline, before in sorted(self._erased.items())
            if not self._repeats(self._lines.get(baseline), before)
        ]

    def _settle(self) -> None:
        for line in self._replaced():
            self._leave(line)
        self._erased.clear()

    def _leave(self, line: _Line) -> None:
        line.baseline += self._scrolled
        self._gone.append(line)

    def lines(self) -> list[bytes]:
        """The whole text from top to bottom: lines that are gone, then lines that can be seen.

        With a font of fixed width, a gap between lines becomes blank lines.
        """
        standing = [self._lines[baseline] for baseline in sorted(self._lines)]
        placed = [(line.baseline, line) for line in self._gone]
        placed += [
            (line.baseline + self._scrolled, line) for line in (*self._replaced(), *standing)
        ]
        written = [(v, line.text(self._margin, self._spacing)) for v, line in placed]
        written = [(v, text) for v, text in written if text]
        steps = [later - earlier for (earlier, _), (later, _) in pairwise(written)]
        pitch = min((step for step in steps if step > 0), default=0)
        if not 0 < 4 * pitch < 7 * self._spacing.line_height:
            pitch = self._spacing.line_height
        text: list[bytes] = []
        for step, (_, line_text) in zip([0, *steps], written, strict=False):
            if self._spacing.fixed and step > 0 and pitch:
                text += [b""] * ((2 * step + pitch) // (2 * pitch) - 1)
            text.append(line_text)
        return text


class TextCapture:
    """Records the text of every port while it is drawn.

    Args:
        quickdraw: the QuickDraw whose drawing is recorded.
        font_of: gives a port's font, and the style in which it is written.
    """

    def __init__(self, quickdraw: QuickDraw, font_of: Callable[[int], tuple[Font, int]]) -> None:
        self._font_of = font_of
        self._ports: dict[int, PortText] = {}
        quickdraw.on_text.append(self._on_text)
        quickdraw.on_scroll.append(self._on_scroll)
        quickdraw.on_erase.append(self._on_erase)

    def text(self, port: int) -> str:
        """All that was drawn in a port, line by line; "" if nothing was."""
        lines = self._ports.get(port)
        if lines is None:
            return ""
        return "\n".join(line.decode("mac_roman") for line in lines.lines())

    def all_text(self) -> str:
        """What was drawn in all ports, port by port in the order in which each was first used."""
        return "\n".join(text for text in map(self.text, self._ports) if text)

    def forget(self, port: int) -> None:
        """Forget a port that was closed: another port may get its address."""
        self._ports.pop(port, None)

    def _on_text(self, port: int, characters: bytes, before: Point, after: Point) -> None:
        font, face = self._font_of(port)
        port_text = self._ports.get(port)
        if port_text is None:
            port_text = self._ports[port] = PortText(Spacing.of(font, face))
        width_of = {code: font.char_width(code, face) for code in set(characters)}
        port_text.draw(characters, [width_of[code] for code in characters], before)

    def _on_scroll(self, port: int, area: Rectangle, dh: int, dv: int) -> None:
        if port in self._ports:
            self._ports[port].scroll(area, dh, dv)

    def _on_erase(self, port: int, area: Rectangle) -> None:
        if port in self._ports:
            self._ports[port].erase(area)
