"""What windows look like around their content, and which part of them a point is in.

All coordinates are global. The measures are those of the black and white window definition
functions of System 7 as far as they can be counted on pictures of it.
Source of kinds and part codes: Inside Macintosh I, chapter "The Window Manager" and p. I-287.
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.quickdraw import NOTHING, PixelRegion, Rectangle, round_rectangle
from emu.toolbox.managers.quickdraw.heart.painter import Painter

TITLE_BAR = 18
"""Rows of a title bar between the content and the structure's first row."""

BOX = 11
"""Width and height of the close and the zoom box."""

_D_BOX_BORDER = 8
_MOVABLE_BORDER = 6
_CORNERS = (16, 4, 6, 8, 10, 12, 20, 24)
"""Width and height of the corners of rDocProc and the seven kinds after it."""

IN_DESK = 0
IN_MENU_BAR = 1
IN_SYSTEM_WINDOW = 2
IN_CONTENT = 3
IN_DRAG = 4
IN_GROW = 5
IN_GO_AWAY = 6
IN_ZOOM_IN = 7
IN_ZOOM_OUT = 8

GROW_BOX = 15


@dataclass(frozen=True, slots=True)
class WindowKind:
    """A window's look, by the definition ID (procID) with which it is made."""

    definition: int

    @property
    def is_known(self) -> bool:
        """Whether macproof draws it; all others belong to a program's own WDEF."""
        return self.definition in (0, 1, 2, 3, 4, 5, 8, 12) or 16 <= self.definition < 24

    @property
    def standard(self) -> WindowKind:
        """What the standard WDEF makes of it: of an unknown variation it heeds the lowest bits."""
        variation = self.definition & 15
        movable = variation & 7 == 5
        known = WindowKind(variation)
        return known if known.is_known else WindowKind(5 if movable else variation & 3)

    @property
    def is_round(self) -> bool:
        """Whether it is a desk accessory's, with round corners and a black title."""
        return self.definition >= 16

    @property
    def has_title(self) -> bool:
        """Whether it has a title bar."""
        return self.definition not in (1, 2, 3)

    @property
    def can_grow(self) -> bool:
        """Whether it has a size box."""
        return self.definition in (0, 8)

    @property
    def can_zoom(self) -> bool:
        """Whether it has a zoom box."""
        return self.definition in (8, 12)

    @property
    def can_close(self) -> bool:
        """Whether it may have a close box."""
        return self.has_title and self.definition != 5

    @property
    def _border(self) -> int:
        return {1: _D_BOX_BORDER, 5: _MOVABLE_BORDER}.get(self.definition, 1)

    def frame(self, content: Rectangle) -> Rectangle:
        """The outermost lines, without the shadow, around a content."""
        outer = _grown(content, self._border)
        if not self.has_title:
            return outer
        return Rectangle(outer.top - TITLE_BAR, outer.left, outer.bottom, outer.right)

    def structure(self, content: Rectangle) -> PixelRegion:
        """All pixels of the window, its shadow among them."""
        frame = self.frame(content)
        if self.is_round:
            return round_rectangle(frame, self._corner, self._corner)
        shape = PixelRegion.from_rectangle(frame)
        shadow = {0: 1, 4: 1, 8: 1, 12: 1, 3: 2}.get(self.definition, 0)
        for distance in range(1, shadow + 1):
            # The shadow begins as far from the corner as it is thick.
            moved = frame.offset(distance, distance)
            cast = Rectangle(frame.top + shadow, frame.left + shadow, moved.bottom, moved.right)
            shape = shape.union(PixelRegion.from_rectangle(cast))
        return shape

    def content(self, content: Rectangle) -> PixelRegion:
        """The pixels a program draws in."""
        region = PixelRegion.from_rectangle(content)
        if self.is_round:
            inner = self.frame(content).inset(1, 1)
            return region.intersect(round_rectangle(inner, self._corner, self._corner))
        return region

    @property
    def _corner(self) -> int:
        return _CORNERS[self.definition - 16]

    def title_bar(self, content: Rectangle) -> Rectangle:
        """The title bar within its lines; empty if there is none."""
        if not self.has_title:
            return NOTHING
        frame = self.frame(content)
        return Rectangle(frame.top + 1, frame.left + 1, frame.top + TITLE_BAR, frame.right - 1)

    def close_box(self, content: Rectangle) -> Rectangle:
        """The close box, whether it is shown or not."""
        bar = self.title_bar(content)
        return Rectangle(bar.top + 3, bar.left + 8, bar.top + 3 + BOX, bar.left + 8 + BOX)

    def zoom_box(self, content: Rectangle) -> Rectangle:
        """The zoom box, whether it is shown or not."""
        bar = self.title_bar(content)
        return Rectangle(bar.top + 3, bar.right - 8 - BOX, bar.top + 3 + BOX, bar.right - 8)

    def grow_box(self, content: Rectangle) -> Rectangle:
        """The corner by which a window is made larger."""
        return Rectangle(
            content.bottom - GROW_BOX, content.right - GROW_BOX, content.bottom, content.right
        )

    def grow_outline(self, content: Rectangle) -> PixelRegion:
        """The lines that a Macintosh shows of a window of another size.

        They are the frame, the line under the title bar and, where there is a size box, those of
        both scroll bars.
        """
        frame = self.frame(content)
        inner = PixelRegion.from_rectangle(frame.inset(1, 1))
        lines = PixelRegion.from_rectangle(frame).difference(inner)
        across = Rectangle(content.top - 1, frame.left, content.top, frame.right)
        parts = [across] if self.has_title else []
        if self.can_grow:
            bar = self.grow_box(content)
            parts.append(Rectangle(content.top, bar.left, content.bottom, bar.left + 1))
            parts.append(Rectangle(bar.top, content.left, bar.top + 1, content.right))
        for part in parts:
            lines = lines.union(PixelRegion.from_rectangle(part))
        return lines


@dataclass(frozen=True, slots=True)
class Frame:
    """A window's frame as it is to be drawn.

    Attributes:
        kind: its look.
        content: its content, global.
        title: its title, MacRoman.
        highlighted: whether it is the active window.
        go_away: whether it has a close box.
        zoomed: whether it has its standard size, so that the zoom box makes it smaller.
    """

    kind: WindowKind
    content: Rectangle
    title: bytes
    highlighted: bool
    go_away: bool
    zoomed: bool = False

    def part_at(self, h: int, v: int) -> int:
        """The part code of a point of the structure region."""
        kind, content = self.kind, self.content
        if kind.content(content).contains(h, v):
            grows = self.highlighted and kind.can_grow
            return IN_GROW if grows and kind.grow_box(content).contains(h, v) else IN_CONTENT
        if self.highlighted:
            if self.shows_close_box and kind.close_box(content).contains(h, v):
                return IN_GO_AWAY
            if kind.can_zoom and kind.zoom_box(content).contains(h, v):
                return IN_ZOOM_IN if self.zoomed else IN_ZOOM_OUT
        return IN_DRAG if kind.title_bar(content).contains(h, v) else IN_DESK

    @property
    def shows_close_box(self) -> bool:
        """Whether there is a close box when the window is active."""
        return self.go_away and self.kind.can_close

    def draw(self, painter: Painter) -> None:
        """Draw it; the content is left alone."""
        kind = self.kind
        shape = kind.structure(self.content).difference(kind.content(self.content))
        painter = painter.within(shape)
        frame = kind.frame(self.content)
        if kind.is_round:
            self._draw_round(painter)
            return
        painter.fill(shape)  # what is not made white again are lines and shadow
        painter.erase(frame.inset(1, 1))
        if kind.definition == 1:
            painter.frame(frame.inset(3, 3), 2)
        if kind.has_title:
            self._draw_title_bar(painter)
        elif kind.definition == 3:
            painter.frame(frame)

    def _draw_title_bar(self, painter: Painter) -> None:
        kind, content = self.kind, self.content
        bar = kind.title_bar(content)
        painter.line((bar.left, bar.bottom), (bar.right - 1, bar.bottom))
        if kind.definition == 5:
            inner = _grown(content, 4)
            painter.frame(inner, 2)
        if self.highlighted:
            for v in range(bar.top + 3, bar.top + 14, 2):
                painter.line((bar.left + 1, v), (bar.right - 2, v))
            if self.shows_close_box:
                self._draw_box(painter, kind.close_box(content))
            if kind.can_zoom:
                box = kind.zoom_box(content)
                self._draw_box(painter, box)
                painter.frame(Rectangle(box.top, box.left, box.top + 7, box.left + 7))
        self._draw_title(painter, bar)

    @staticmethod
    def _draw_box(painter: Painter, box: Rectangle) -> None:
        painter.erase(_grown(box, 1))
        painter.frame(box)

    def _draw_title(self, painter: Painter, bar: Rectangle) -> None:
        if not self.title:
            return
        margin = 8 + BOX + 8 if self.go_away or self.kind.can_zoom else 8
        room = max(0, bar.width - 2 * margin)
        title = self.title
        while title and painter.text_width(title) > room:
            title = title[:-1]
        width = painter.text_width(title)
        left = bar.left + (bar.width - width) // 2
        painter.erase(Rectangle(bar.top, left - 6, bar.bottom, left + width + 6))
        painter.text((left, bar.top + 13), title)

    def _draw_round(self, painter: Painter) -> None:
        kind = self.kind
        shape = kind.structure(self.content)
        painter.fill(shape)
        bar = kind.title_bar(self.content)
        inside = painter.within(shape.inset(1, 1))
        if not self.highlighted:
            inside.erase(bar)
        inside.erase(self.content)
        width = painter.text_width(self.title)
        left = bar.left + (bar.width - width) // 2
        if self.highlighted:
            inside.erase(bar)
            inside.text((left, bar.top + 13), self.title)
            if self.shows_close_box:
                inside.frame(kind.close_box(self.content))
            inside.invert(bar)
        else:
            inside.text((left, bar.top + 13), self.title)
            inside.line((bar.left, bar.bottom), (bar.right, bar.bottom))


def _grown(r: Rectangle, by: int) -> Rectangle:
    return Rectangle(r.top - by, r.left - by, r.bottom + by, r.right + by)
