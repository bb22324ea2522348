"""What the page's canvases show, for a page that is opened again, and to compare two of them."""

from __future__ import annotations

import numpy as np

from emu.play.frames import ShownPixels, changed_rectangles
from emu.play.protocol import pixels_header
from emu.quickdraw import Rectangle


class ScreenCanvas:
    """The pixels of a screen as they were shown last.

    Args:
        screen: the number of the canvas.
        width: in pixels.
        height: in pixels.
    """

    def __init__(self, screen: int, width: int, height: int) -> None:
        self._screen = screen
        self.pixels = np.full((height, width, 4), 255, np.uint8)

    def put(self, shown: ShownPixels) -> bytes:
        """Take a rectangle of pixels; the binary frame that shows it."""
        rgba = np.frombuffer(shown.rgba, np.uint8).reshape(shown.height, shown.width, 4)
        bottom, right = shown.top + shown.height, shown.left + shown.width
        self.pixels[shown.top : bottom, shown.left : right] = rgba
        header = pixels_header(self._screen, shown.left, shown.top, shown.width, shown.height)
        return header + shown.rgba

    def whole(self) -> bytes:
        """The binary frame that shows all of it."""
        height, width, _ = self.pixels.shape
        return pixels_header(self._screen, 0, 0, width, height) + self.pixels.tobytes()


def different_rectangles(
    first: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
    second: np.ndarray[tuple[int, int, int], np.dtype[np.uint8]],
) -> list[tuple[int, int, int, int]]:
    """Where two pictures of one size differ: left, top, width and height of rectangles."""
    changed = (first != second).any(axis=2)
    if not changed.any():
        return []
    height, width = changed.shape
    found = changed_rectangles(changed, Rectangle(0, 0, height, width))
    return [(r.left, r.top, r.width, r.height) for r in found]
