"""Rebuilds a window's text from the places where its characters were drawn.

A console draws no blanks over blank paper and no ends of lines; what it shows are characters at
places, and rectangles that it scrolls and erases. From these the whole text can be read, also the
lines that have left the window at the top.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from emu.quickdraw import Rectangle
from emu.toolbox.guest_types import Point

if TYPE_CHECKING:
    from emu.toolbox.managers.quickdraw.core import QuickDraw

_SAME_LINE = 2
"""Baselines so near to each other, in pixels, are one line: accents, subscripts, rounding."""


@dataclass(slots=True)
class _Line:
    """Characters by the place where each begins: left edge to (character, right edge)."""

    baseline: int
    characters: dict[int, tuple[int, int]] = field(default_factory=dict)

    def put(self, left: int, right: int, character: int) -> None:
        covered = [
            start for start, (_, end) in self.characters.items() if start < right and end > left
        ]
        for start in covered:
            del self.characters[start]
        self.characters[left] = character, right

    def text(self, blank: int) -> bytes:
        """The line, with as many blanks in gaps as fit there, at least one in a wide one."""
        written = bytearray()
        end: int | None = None
        for left in sorted(self.characters):
            character, right = self.characters[left]
            if end is None:
                end = 0 if blank and left % blank == 0 else left
            gap = left - end
            if gap > 0 and blank:
                written += b" " * ((gap + blank // 2) // blank)
            written.append(character)
            end = right
        return bytes(written).rstrip()


class PortText:
    """What stands in one port.

    Attributes:
        gone: lines that were scrolled or erased away, in the order in which they went.
        blank: the width of a blank, in pixels; 0 before anything was drawn.
    """

    def __init__(self) -> None:
        self.gone: list[bytes] = []
        self.blank = 0
        self._lines: dict[int, _Line] = {}

    def draw(self, characters: bytes, widths: list[int], pen: Point, blank: int) -> None:
        """Characters were drawn from the pen's place on."""
        self.blank = self.blank or blank
        line = self._line(pen.v)
        left = pen.h
        for character, width in zip(characters, widths, strict=True):
            if width > 0:
                line.put(left, left + width, character)
            left += width

    def _line(self, baseline: int) -> _Line:
        for near in range(baseline - _SAME_LINE, baseline + _SAME_LINE + 1):
            if near in self._lines:
                return self._lines[near]
        return self._lines.setdefault(baseline, _Line(baseline))

    def scroll(self, area: Rectangle, dh: int, dv: int) -> None:
        """A rectangle was scrolled; lines that leave it at the top or bottom are gone."""
        moved = {}
        for baseline in sorted(self._lines):
            line = self._lines[baseline]
            if not area.top < baseline <= area.bottom:
                moved[baseline] = line
                continue
            line.baseline += dv
            if not area.top < line.baseline <= area.bottom:
                self._leave(line)
                continue
            if dh:
                line.characters = {
                    left + dh: (character, right + dh)
                    for left, (character, right) in line.characters.items()
                    if area.left <= left + dh < area.right
                }
            moved[line.baseline] = line
        self._lines = moved

    def erase(self, area: Rectangle) -> None:
        """A rectangle was blanked; lines of which nothing is left are gone."""
        for baseline in sorted(self._lines):
            line = self._lines[baseline]
            if not area.top < baseline <= area.bottom:
                continue
            left = {
                start: (character, end)
                for start, (character, end) in line.characters.items()
                if end <= area.left or start >= area.right
            }
            if not left:
                self._leave(line)
                del self._lines[baseline]
            else:
                line.characters = left

    def _leave(self, line: _Line) -> None:
        text = line.text(self.blank)
        if text:
            self.gone.append(text)

    def lines(self) -> Iterator[bytes]:
        """The whole text: what is gone, and what stands there, from top to bottom."""
        yield from self.gone
        for baseline in sorted(self._lines):
            text = self._lines[baseline].text(self.blank)
            if text:
                yield text


class TextCapture:
    """The text of every port, taken down while it is drawn.

    Args:
        quickdraw: whose drawing to watch.
    """

    def __init__(self, quickdraw: QuickDraw) -> None:
        self._quickdraw = quickdraw
        self._ports: dict[int, PortText] = {}
        watch: Callable[[int, bytes, Point, Point], None] = self._on_text
        quickdraw.on_text.append(watch)
        quickdraw.on_scroll.append(self._on_scroll)
        quickdraw.on_erase.append(self._on_erase)

    def text(self, port: int) -> str:
        """All that was drawn in a port, line by line; "" if nothing was."""
        found = self._ports.get(port)
        if found is None:
            return ""
        return "\n".join(line.decode("mac_roman") for line in found.lines())

    def forget(self, port: int) -> None:
        """The port is gone: what is drawn at its address from now on is another's."""
        self._ports.pop(port, None)

    def _on_text(self, port: int, characters: bytes, before: Point, after: Point) -> None:
        found = self._ports.get(port)
        if found is None:
            found = self._ports[port] = PortText()
        style = self._quickdraw.mac.quickdraw_text.style(port)
        widths = [style.font.char_width(code, style.face) for code in characters]
        found.draw(characters, widths, before, style.font.char_width(0x20, style.face))

    def _on_scroll(self, port: int, area: Rectangle, dh: int, dv: int) -> None:
        if port in self._ports:
            self._ports[port].scroll(area, dh, dv)

    def _on_erase(self, port: int, area: Rectangle) -> None:
        if port in self._ports:
            self._ports[port].erase(area)
