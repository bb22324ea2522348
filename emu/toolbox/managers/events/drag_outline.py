"""Gray outlines of what the user drags: they are on the screen only while the user looks at it.

A Macintosh draws them with the mode patXor and takes them away by drawing them again. Here that is
done around each look of the user's, so that neither the program nor a picture of a run meets one.
Source: Inside Macintosh I, chapter 9 "The Window Manager" (DragGrayRgn, DragWindow, GrowWindow).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from emu.quickdraw import GRAY, PixelRegion
from emu.toolbox.managers.quickdraw.heart.manager import QuickDraw
from emu.toolbox.managers.quickdraw.heart.painter import Painter


@dataclass(frozen=True, slots=True)
class DragOutline:
    """Pixels that are inverted where a pattern has ones.

    Attributes:
        shape: the pixels, in the coordinates of the port.
        port: the port in which it is drawn; 0 for the whole desktop, in global coordinates.
        pattern: of eight rows.
    """

    shape: PixelRegion
    port: int = 0
    pattern: bytes = GRAY

    @classmethod
    def around(cls, region: PixelRegion, port: int = 0, pattern: bytes = GRAY) -> DragOutline:
        """The outermost pixels of a region."""
        return cls(region.difference(region.inset(1, 1)), port, pattern)

    def moved(self, dh: int, dv: int) -> DragOutline:
        """The same elsewhere."""
        return DragOutline(self.shape.offset(dh, dv), self.port, self.pattern)

    @contextlib.contextmanager
    def on_screen(self, quickdraw: QuickDraw, desktop: PixelRegion) -> Iterator[None]:
        """Have it on the screen for a while."""
        if self.port:
            painter = Painter.in_port(quickdraw, self.port)
        else:
            painter = Painter.on_screen(quickdraw, desktop)
        painter.invert(self.shape, self.pattern)
        try:
            yield
        finally:
            painter.invert(self.shape, self.pattern)
