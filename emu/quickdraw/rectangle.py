"""Rectangles of the QuickDraw plane."""

from __future__ import annotations

from typing import NamedTuple

Point = tuple[int, int]
"""A place on the plane or a size, horizontal first: (h, v)."""


class Rectangle(NamedTuple):
    """A Macintosh rectangle: it holds the pixels top <= v < bottom, left <= h < right.

    The four edges are in the order of a ``Rect`` record. A program may swap edges, so that
    ``bottom`` is less than ``top``; such a rectangle holds no pixel (Inside Macintosh: Imaging With
    QuickDraw, chapter 2).
    """

    top: int
    left: int
    bottom: int
    right: int

    @property
    def width(self) -> int:
        """The width in pixels; 0 if the right edge is left of the left one."""
        return max(0, self.right - self.left)

    @property
    def height(self) -> int:
        """The height in pixels; 0 if the bottom edge is above the top one."""
        return max(0, self.bottom - self.top)

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.bottom <= self.top or self.right <= self.left

    def offset(self, dh: int, dv: int) -> Rectangle:
        """Moved right by ``dh`` and down by ``dv``."""
        return Rectangle(self.top + dv, self.left + dh, self.bottom + dv, self.right + dh)

    def inset(self, dh: int, dv: int) -> Rectangle:
        """Shrunk by ``dh`` on the left and the right and ``dv`` above and below.

        As InsetRect does, a rectangle that would become empty becomes (0, 0, 0, 0).
        """
        inner = Rectangle(self.top + dv, self.left + dh, self.bottom - dv, self.right - dh)
        return NOTHING if inner.empty else inner

    def intersect(self, other: Rectangle) -> Rectangle:
        """The pixels in both rectangles; (0, 0, 0, 0) if there are none, as in SectRect."""
        top, bottom = max(self.top, other.top), min(self.bottom, other.bottom)
        left, right = max(self.left, other.left), min(self.right, other.right)
        return Rectangle(top, left, bottom, right) if top < bottom and left < right else NOTHING

    def union(self, other: Rectangle) -> Rectangle:
        """The outermost edges of both, even if a rectangle is empty, as in UnionRect."""
        return Rectangle(
            min(self.top, other.top),
            min(self.left, other.left),
            max(self.bottom, other.bottom),
            max(self.right, other.right),
        )

    def contains(self, h: int, v: int) -> bool:
        """Whether the pixel at (h, v) is inside."""
        return self.left <= h < self.right and self.top <= v < self.bottom

    def encloses(self, other: Rectangle) -> bool:
        """Whether every pixel of the other rectangle is inside."""
        return other.empty or (
            self.top <= other.top
            and self.left <= other.left
            and self.bottom >= other.bottom
            and self.right >= other.right
        )


NOTHING = Rectangle(0, 0, 0, 0)
"""The empty rectangle, as QuickDraw writes it."""

PLANE = Rectangle(-32768, -32768, 32767, 32767)
"""The largest rectangle with 16-bit coordinates."""
