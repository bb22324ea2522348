"""Figures as pixels, drawn as the window of 1994 was, and PNG files of them.

A marked object is an outline one pixel wide, any other a shape in 50 % grey: the 8 by 8 pattern
AA 55, laid from the window's corner. Objects are drawn in their order and cover one another, white
pixels of the pattern included, as QuickDraw's patCopy mode has it. A grid, if there is one, is not
of 1994: it is light grey, and lies above the grey objects and below outlines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.files import write_whole
from emu.report.figure import Box, Figure, Shape, ShapeKind

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_MARK = (220, 0, 0)
_GRID = (200, 200, 200)
_MOST_PIXELS = 1 << 20  # of an object; nothing is seen of more
_CAPTION_HEIGHT = 14


def draw_figure(figure: Figure, *, has_numbers: bool = True) -> NDArray[np.uint8]:
    """Draw a figure; (height, width, 3) uint8, RGB, with 14 rows more for a caption.

    Args:
        figure: the figure, whose boxes are in whole pixels. Shapes that are wrong are framed in
            red.
        has_numbers: whether the number of each of these stands beside it.
    """
    y, x = np.mgrid[0 : figure.height, 0 : figure.width]
    grey = np.where(((x + y) % 2 == 0)[..., None], _BLACK, _WHITE).astype(np.uint8)
    canvas = np.full((figure.height, figure.width, 3), 255, dtype=np.uint8)
    outlines = []
    for shape in figure.shapes:
        own = _Pixels.of(shape)
        part = _clip(own.top, own.down, figure.height), _clip(own.left, own.across, figure.width)
        if not shape.is_marked:
            inside = own.inside(y[part], x[part])
            canvas[part][inside] = grey[part][inside]
        else:
            outlines.append((part, own.edge(y[part], x[part])))
            canvas[part][outlines[-1][1]] = _BLACK
    for box in figure.grid:
        _frame(canvas, box, 0, _GRID)
    if figure.grid:
        for part, edge in outlines:
            canvas[part][edge] = _BLACK
    wrong = {number: shape.box for number, shape in enumerate(figure.shapes) if shape.is_wrong}
    for box in wrong.values():
        for grow in (1, 2):
            _frame(canvas, box, grow, _MARK)
    return _with_words(canvas, wrong if has_numbers else {}, figure.caption)


def save_png(pixels: NDArray[np.uint8], path: Path, details: Mapping[str, str]) -> None:
    """Write a picture as `encode_png` encodes it.

    Raises:
        InputError: it cannot be written there.
    """
    write_whole(path, encode_png(pixels, details))


def encode_png(pixels: NDArray[np.uint8], details: Mapping[str, str] | None = None) -> bytes:
    """Encode a picture; ``details`` become text chunks that say how to make it again."""
    import io

    from PIL import Image, PngImagePlugin

    info = PngImagePlugin.PngInfo()
    for key, value in (details or {}).items():
        info.add_text(key, value)
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, format="PNG", pnginfo=info, optimize=True)
    return encoded.getvalue()


def _clip(start: int, size: int, limit: int) -> slice:
    return slice(min(max(start, 0), limit), min(max(start + size, 0), limit))


@dataclass(frozen=True, slots=True)
class _Pixels:
    """The pixels of an object: its upper-left corner, its width and height, one for a circle."""

    outline: ShapeKind
    left: int
    top: int
    across: int
    down: int

    @classmethod
    def of(cls, shape: Shape) -> _Pixels:
        box = shape.box
        across, down = (int(min(max(size, 0), _MOST_PIXELS)) for size in (box.width, box.height))
        return cls(shape.outline, int(box.left), int(box.top), across, down)

    def inside(self, y: NDArray[Any], x: NDArray[Any]) -> NDArray[np.bool_]:
        """Which pixels belong to it; of a circle those whose centres lie in it."""
        if self.outline is ShapeKind.CIRCLE:
            size = self.across
            down, right = 2 * (y - self.top) + 1 - size, 2 * (x - self.left) + 1 - size
            return np.asarray(down * down + right * right <= size * size)
        down, right = y - self.top, x - self.left
        return np.asarray((down >= 0) & (down < self.down) & (right >= 0) & (right < self.across))

    def edge(self, y: NDArray[Any], x: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of its pixels have a neighbour that does not belong to it."""
        within = self.inside(y - 1, x) & self.inside(y + 1, x)
        within &= self.inside(y, x - 1) & self.inside(y, x + 1)
        return self.inside(y, x) & ~within


def _frame(canvas: NDArray[np.uint8], box: Box, grow: int, colour: tuple[int, int, int]) -> None:
    """Draw the outermost pixels of a box that is larger on each side by so many pixels."""
    left, top = int(box.left) - grow, int(box.top) - grow
    across, down = int(box.width) + 2 * grow, int(box.height) + 2 * grow
    height, width = canvas.shape[:2]
    if across <= 0 or down <= 0:
        return
    rows, columns = _clip(top, down, height), _clip(left, across, width)
    for row in (top, top + down - 1):
        if 0 <= row < height:
            canvas[row, columns] = colour
    for column in (left, left + across - 1):
        if 0 <= column < width:
            canvas[rows, column] = colour


def _with_words(
    canvas: NDArray[np.uint8], numbers: Mapping[int, Box], caption: str
) -> NDArray[np.uint8]:
    """The canvas with numbers beside boxes, and a caption below."""
    if not numbers and not caption:
        return canvas
    from PIL import Image, ImageDraw

    height, width = canvas.shape[:2]
    image = Image.new("RGB", (width, height + (_CAPTION_HEIGHT if caption else 0)), _WHITE)
    image.paste(Image.fromarray(canvas), (0, 0))
    pen = ImageDraw.Draw(image)
    for number, box in numbers.items():
        above = box.top - 14 if box.top >= 14 else box.top + box.height + 2
        place = pen.textbbox((box.left, above), str(number))
        pen.rectangle(place, fill=_WHITE)
        pen.text((box.left, above), str(number), fill=_MARK)
    if caption:
        pen.line([(0, height), (width, height)], fill=_BLACK)
        pen.text((2, height + 1), caption, fill=_BLACK)
    return np.asarray(image)
