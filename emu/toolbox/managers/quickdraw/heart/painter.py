"""Draws what the Toolbox itself draws: frames of windows, controls, menus.

Shapes go straight to the pixels, black and white, whatever pen or colours a program has chosen
for its port; nothing of a port changes.
"""

from __future__ import annotations

import numpy as np

from emu.quickdraw import (
    BLACK,
    GRAY,
    WHITE,
    PixelRegion,
    PixelView,
    Rectangle,
    Shape,
    frame_rectangle,
    frame_round_rectangle,
    line,
    paint,
    paint_tile,
)
from emu.quickdraw.fonts import Font
from emu.quickdraw.fonts.text import draw_text
from emu.quickdraw.transfer import Colors
from emu.toolbox.guest.guest_types import Point
from emu.toolbox.managers.quickdraw.heart.canvas import Background
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.ports.inks import Rgb, pixel_of

SYSTEM_FONT = 0
SYSTEM_FONT_SIZE = 12

BLACK_INK, WHITE_INK = (0, 0, 0), (0xFFFF, 0xFFFF, 0xFFFF)

WHITE_BACKGROUND = Background(WHITE)

_PATTERN_XOR = 10
_PATTERN_BIC = 11


class Painter:
    """Something to draw with.

    Args:
        quickdraw: whose fonts to write with.
        bitmap: the pixels; all coordinates are those of its bounds, points go (h, v).
        clip: the pixels that may change.
        font: what texts are written in; the system font unless another is given.
        port: the port whose text this is, for those who read along; 0 for none.
        ink: the pixel values of texts and of what is behind them; black and white unless given.
    """

    def __init__(
        self,
        quickdraw: QuickDraw,
        bitmap: PixelView,
        clip: Shape,
        font: Font | None = None,
        port: int = 0,
        ink: Colors | None = None,
    ) -> None:
        self._quickdraw = quickdraw
        self._bitmap = bitmap
        self._clip = clip
        self._port = port
        self._ink = ink
        self.font = font or quickdraw.book.font(SYSTEM_FONT, SYSTEM_FONT_SIZE)

    @classmethod
    def on_screen(cls, quickdraw: QuickDraw, clip: Shape) -> Painter:
        """For some pixels of the screen, in global coordinates."""
        return cls(quickdraw, quickdraw.screen, clip)

    @classmethod
    def in_port(cls, quickdraw: QuickDraw, port: int) -> Painter:
        """For what can be seen of a port, in its local coordinates."""
        bitmap, clip = quickdraw.canvas(port)
        return cls(quickdraw, bitmap, clip, port=port)

    def within(self, shape: Shape) -> Painter:
        """The same, clipped further."""
        region = _region(shape).intersect(_region(self._clip))
        return Painter(self._quickdraw, self._bitmap, region, self.font, self._port, self._ink)

    def with_font(self, font: Font, color: Rgb = BLACK_INK) -> Painter:
        """The same, with another font, and with texts in a colour."""
        space = self._bitmap.space
        ink = None if color == BLACK_INK else (pixel_of(color, space), space.white)
        return Painter(self._quickdraw, self._bitmap, self._clip, font, self._port, ink)

    def fill(self, shape: Shape, pattern: bytes = BLACK) -> None:
        """Fill with a pattern."""
        paint(self._bitmap, shape, self._clip, pattern)

    def erase(self, shape: Shape) -> None:
        """Make white."""
        self.blank(shape, WHITE_BACKGROUND)

    def blank(self, shape: Shape, background: Background) -> None:
        """Fill with a background; what was written there is gone."""
        if background.tile is not None:
            paint_tile(self._bitmap, shape, self._clip, background.tile)
        else:
            colors = background.colors
            paint(self._bitmap, shape, self._clip, background.pattern, colors=colors)
        if self._port and isinstance(shape, Rectangle):
            for tell in self._quickdraw.on_erase:
                tell(self._port, shape)

    def invert(self, shape: Shape, pattern: bytes = BLACK) -> None:
        """Make black white and white black where a pattern has ones."""
        paint(self._bitmap, shape, self._clip, pattern, _PATTERN_XOR)

    def dim(self, shape: Shape) -> None:
        """Take out every other pixel, as of what cannot be chosen."""
        paint(self._bitmap, shape, self._clip, GRAY, _PATTERN_BIC)

    def frame(self, r: Rectangle, thickness: int = 1) -> None:
        """Draw a rectangle's outline, inside it."""
        self.fill(frame_rectangle(r, (thickness, thickness)))

    def frame_round(self, r: Rectangle, corner: int, thickness: int = 1) -> None:
        """Draw a round rectangle's outline; ``corner`` is its corners' width and height."""
        self.fill(frame_round_rectangle(r, corner, corner, (thickness, thickness)))

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a line from (h, v) to (h, v), both ends included."""
        self.fill(line(start, end))

    def text_width(self, text: bytes, style: int = 0) -> int:
        """Pixels that a text takes."""
        return self.font.text_width(text, style)

    def text(self, pen: tuple[int, int], text: bytes, style: int = 0) -> None:
        """Write from a place (h, v) of the baseline on."""
        if not text:
            return
        h, v = pen
        after = draw_text(
            self._bitmap, self.font, text, pen, style, clip=self._clip, colors=self._ink
        )
        if self._port:
            for tell in self._quickdraw.on_text:
                tell(self._port, text, Point(v, h), Point(v, after))

    def picture(self, top_left: tuple[int, int], rows: tuple[str, ...]) -> None:
        """Draw a small picture, given by rows of ``#`` for black and other characters."""
        mask = np.array([[character == "#" for character in row] for row in rows])
        h, v = top_left
        height, width = mask.shape
        self.fill(PixelRegion.from_mask(Rectangle(v, h, v + height, h + width), mask))

    def bits(self, r: Rectangle, data: bytes, row_bytes: int) -> None:
        """Draw black where an image of one bit a pixel has ones; ``r`` is as large as it is."""
        rows = np.frombuffer(data, np.uint8).reshape(-1, row_bytes)
        mask = np.unpackbits(rows, axis=1)[: r.height, : r.width].astype(np.bool_)
        self.fill(PixelRegion.from_mask(r, mask))


def _region(shape: Shape) -> PixelRegion:
    return shape if isinstance(shape, PixelRegion) else PixelRegion.from_rectangle(shape)
