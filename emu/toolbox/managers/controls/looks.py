"""What the standard controls look like, and which part of them a point is in.

Coordinates are local to the control's window. The measures are those of the black and white
control definition functions of System 7 as far as they can be counted on pictures of it.
Source of definitions and part codes: Inside Macintosh I, "The Control Manager" and p. I-328.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import LIGHT_GRAY, Rectangle, frame_oval, oval, round_rectangle
from emu.toolbox.managers.quickdraw.heart.canvas import Background
from emu.toolbox.managers.quickdraw.heart.painter import WHITE_BACKGROUND, Painter

PUSH_BUTTON, CHECK_BOX, RADIO_BUTTON, SCROLL_BAR = 0, 1, 2, 16
WINDOW_FONT = 8
"""Added to the definition of a button whose title is in the window's font."""

IN_BUTTON, IN_CHECK_BOX = 10, 11
IN_UP, IN_DOWN, IN_PAGE_UP, IN_PAGE_DOWN, IN_THUMB = 20, 21, 22, 23, 129
INACTIVE = (254, 255)

_BUTTON_CORNER = 10
_BOX = 12
_ARROW = 16

_UP_ARROW: tuple[str, ...] = (
    ".....##.....",
    "....#..#....",
    "...#....#...",
    "..#......#..",
    ".#........#.",
    "####....####",
    "...#....#...",
    "...#....#...",
    "...#....#...",
    "...######...",
)
_LEFT_ARROW: tuple[str, ...] = tuple("".join(column) for column in zip(*_UP_ARROW, strict=True))


@dataclass(frozen=True, slots=True)
class Look:
    """A control as it is to be drawn.

    Attributes:
        definition: the definition ID (procID) with which it was made.
        r: its rectangle.
        title: its title, MacRoman.
        value: its setting, between ``minimum`` and ``maximum``.
        highlight: 0, a part code, or 254 or 255 for what cannot be used.
    """

    definition: int
    r: Rectangle
    title: bytes
    value: int
    minimum: int
    maximum: int
    highlight: int

    @property
    def kind(self) -> int:
        """The definition without the choice of a font."""
        return self.definition & ~WINDOW_FONT

    @property
    def usable(self) -> bool:
        """Whether a click does anything."""
        idle = self.kind == SCROLL_BAR and self.maximum <= self.minimum
        return self.highlight not in INACTIVE and not idle

    def part_at(self, h: int, v: int) -> int:
        """The part code of a point; 0 where nothing is."""
        if not self.usable or not self.r.contains(h, v):
            return 0
        if self.kind == SCROLL_BAR:
            parts = self.parts()
            return next((code for code, part in parts.items() if part.contains(h, v)), 0)
        return IN_BUTTON if self.kind == PUSH_BUTTON else IN_CHECK_BOX

    # -- scroll bars -------------------------------------------------------------------------------

    @property
    def is_vertical(self) -> bool:
        """Whether a scroll bar goes up and down."""
        return self.r.height >= self.r.width

    def _across(self, start: int, end: int) -> Rectangle:
        """The part of a scroll bar between two distances from its beginning, within its lines."""
        r = self.r
        if self.is_vertical:
            return Rectangle(r.top + start, r.left + 1, r.top + end, r.right - 1)
        return Rectangle(r.top + 1, r.left + start, r.bottom - 1, r.left + end)

    @property
    def length(self) -> int:
        """Of a scroll bar, in pixels."""
        return self.r.height if self.is_vertical else self.r.width

    @property
    def way(self) -> int:
        """How many pixels a scroll bar's thumb can move."""
        return max(0, self.length - 3 * _ARROW)

    def thumb_start(self) -> int:
        """The thumb's distance from the beginning of the bar."""
        span = self.maximum - self.minimum
        if span <= 0:
            return _ARROW
        value = min(max(self.value, self.minimum), self.maximum)
        return _ARROW + (self.way * (value - self.minimum) + span // 2) // span

    def thumb_at(self, start: int) -> Rectangle:
        """The thumb, lines included, that is dragged to so far from the beginning of the bar."""
        start = _ARROW + self._moved(start)
        return self._with_lines(self._across(start, start + _ARROW))

    def _moved(self, start: int) -> int:
        return min(max(start - _ARROW, 0), self.way)

    def value_at(self, start: int) -> int:
        """The value for a thumb that begins so far from the beginning of the bar."""
        if not self.way:
            return self.value
        moved = self._moved(start)
        span = self.maximum - self.minimum
        return self.minimum + (moved * span + self.way // 2) // self.way

    def parts(self) -> dict[int, Rectangle]:
        """A scroll bar's parts by part code."""
        thumb, end = self.thumb_start(), self.length
        if self.length < 3 * _ARROW:
            return {IN_UP: self._across(0, end // 2), IN_DOWN: self._across(end // 2, end)}
        return {
            IN_UP: self._across(0, _ARROW),
            IN_DOWN: self._across(end - _ARROW, end),
            IN_THUMB: self._across(thumb, thumb + _ARROW),
            IN_PAGE_UP: self._across(_ARROW, thumb),
            IN_PAGE_DOWN: self._across(thumb + _ARROW, end - _ARROW),
        }

    # -- drawing -----------------------------------------------------------------------------------

    def draw(self, painter: Painter, background: Background = WHITE_BACKGROUND) -> None:
        """Draw it; the painter's font is the one its title is written in.

        A check box or radio button is on the background; the others are white. Source: Apple's ROM
        sources of 1994, `PlotCheck` and `EraseCBound` in ButtonCDEF.a.
        """
        painter = painter.within(self.r)
        if self.kind == SCROLL_BAR:
            self._draw_scroll_bar(painter)
        elif self.kind == PUSH_BUTTON:
            self._draw_button(painter)
        else:
            self._draw_box(painter, background)

    def _draw_button(self, painter: Painter) -> None:
        r = self.r
        shape = round_rectangle(r, _BUTTON_CORNER, _BUTTON_CORNER)
        painter.erase(shape)
        painter.frame_round(r, _BUTTON_CORNER)
        inside = painter.within(r.inset(1, 1))
        for baseline, line in self._lines(painter):
            left = r.left + (r.width - painter.text_width(line)) // 2
            inside.text((left, baseline), line)
        if self.highlight in INACTIVE:
            inside.dim(r)
        elif self.highlight:
            painter.invert(shape)

    def _lines(self, painter: Painter) -> list[tuple[int, bytes]]:
        """The lines of the title, parted by returns (Toolbox Essentials, "Control Manager")."""
        font, lines = painter.font, self.title.split(b"\r")
        height = font.ascent + font.descent + font.leading
        top = self.r.top + (self.r.height - len(lines) * height + font.leading) // 2
        return [(top + font.ascent + row * height, line) for row, line in enumerate(lines)]

    def _draw_box(self, painter: Painter, background: Background) -> None:
        r = self.r
        painter.blank(r, background)
        top = r.top + (r.height - _BOX) // 2
        box = Rectangle(top, r.left + 2, top + _BOX, r.left + 2 + _BOX)
        thickness = 2 if self.highlight == IN_CHECK_BOX else 1
        if self.kind == CHECK_BOX:
            painter.frame(box, thickness)
            if self.value:
                last = _BOX - 2
                painter.line((box.left + 1, box.top + 1), (box.left + last, box.top + last))
                painter.line((box.left + last, box.top + 1), (box.left + 1, box.top + last))
        else:
            painter.fill(frame_oval(box, (thickness, thickness)))
            if self.value:
                painter.fill(oval(box.inset(3, 3)))
        for baseline, line in self._lines(painter):
            painter.text((box.right + 4, baseline), line)
        if self.highlight in INACTIVE:
            painter.dim(r)

    def _draw_scroll_bar(self, painter: Painter) -> None:
        r = self.r
        painter.erase(r)
        painter.frame(r)
        parts = self.parts()
        if self.highlight not in INACTIVE and IN_THUMB in parts:
            self._draw_arrows(painter, parts)
        if not self.usable or IN_THUMB not in parts:
            return
        for code in (IN_PAGE_UP, IN_PAGE_DOWN):
            painter.fill(parts[code], LIGHT_GRAY)
        painter.erase(parts[IN_THUMB])
        painter.frame(self._with_lines(parts[IN_THUMB]))

    def _with_lines(self, part: Rectangle) -> Rectangle:
        """A part with the scroll bar's own lines beside it."""
        if self.is_vertical:
            return Rectangle(part.top, self.r.left, part.bottom, self.r.right)
        return Rectangle(self.r.top, part.left, self.r.bottom, part.right)

    def _draw_arrows(self, painter: Painter, parts: dict[int, Rectangle]) -> None:
        up, down = parts[IN_UP], parts[IN_DOWN]
        if self.is_vertical:
            pictures = _UP_ARROW, _UP_ARROW[::-1]
            painter.line((self.r.left, up.bottom - 1), (self.r.right, up.bottom - 1))
            painter.line((self.r.left, down.top), (self.r.right, down.top))
        else:
            pictures = _LEFT_ARROW, tuple(row[::-1] for row in _LEFT_ARROW)
            painter.line((up.right - 1, self.r.top), (up.right - 1, self.r.bottom))
            painter.line((down.left, self.r.top), (down.left, self.r.bottom))
        for code, part, picture in ((IN_UP, up, pictures[0]), (IN_DOWN, down, pictures[1])):
            left = part.left + (part.width - len(picture[0])) // 2
            top = part.top + (part.height - len(picture)) // 2
            painter.picture((left, top), picture)
            if self.highlight == code:
                painter.invert(part.inset(2, 2))
