"""A scene as the window of 1994 drew it, in a PNG.

An object that collides is an outline one pixel wide, any other a rectangle in 50 % grey: the
8 by 8 pattern AA 55, laid from the window's corner. Objects are drawn in their order and cover
one another, white pixels of the pattern included, as QuickDraw's patCopy mode has it. A grid, if
there is one, is not of 1994: it is light grey, and lies above the grey objects and below outlines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.files import write_whole

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_MARK = (220, 0, 0)
_GRID = (200, 200, 200)
_MOST_PIXELS = 1 << 20  # of an object; nothing is seen of more

Rectangle = tuple[int, int, int, int]
"""Left, top, right and bottom pixel, all of them its own."""
_CAPTION_HEIGHT = 14


@dataclass(frozen=True, slots=True)
class Window:
    """What is drawn into: its size and the size of an object, in pixels.

    ``shape`` is what an object is: "square" or "circle".
    """

    width: int = 640
    height: int = 480
    object_size: int = 30
    shape: str = "square"


def draw_scene(
    corners: NDArray[np.int32],
    collided: NDArray[Any],
    window: Window | None = None,
    *,
    sizes: NDArray[np.int64] | None = None,
    grid: Iterable[Rectangle] = (),
    marks: Mapping[int, str] | Iterable[int] = (),
    caption: str = "",
) -> NDArray[np.uint8]:
    """Draw a scene; (height, width, 3) uint8, RGB.

    Args:
        corners: (n, 2) upper-left corners.
        collided: (n,) whether each object is drawn as an outline.
        window: sizes; 640 by 480 with objects of 30 pixels if not given.
        sizes: side or diameter of each object in pixels, (n,) or (n, 1), or width and height,
            (n, 2); the window's if not given.
        grid: rectangles that are drawn between grey objects and outlines.
        marks: objects to be framed in red, because something about them is wrong; where a text
            is given with one, it is written beside it.
        caption: a line of text below the window.
    """
    window = window or Window()
    if sizes is None:
        sizes = np.full(len(corners), window.object_size)
    columns = np.clip(sizes if sizes.ndim == 2 else sizes[:, np.newaxis], 0, _MOST_PIXELS)
    extents = np.broadcast_to(columns.astype(np.int64), (len(corners), 2))
    y, x = np.mgrid[0 : window.height, 0 : window.width]
    grey = np.where(((x + y) % 2 == 0)[..., None], _BLACK, _WHITE).astype(np.uint8)
    canvas = np.full((window.height, window.width, 3), 255, dtype=np.uint8)
    objects = zip(corners.tolist(), extents.tolist(), np.asarray(collided).tolist(), strict=True)
    outlines = []
    for (left, top), (across, down), outlined in objects:
        part = _clip(top, down, window.height), _clip(left, across, window.width)
        own = _Shape(window.shape, left, top, across, down)
        if not outlined:
            inside = own.inside(y[part], x[part])
            canvas[part][inside] = grey[part][inside]
        else:
            outlines.append((part, own.edge(y[part], x[part])))
            canvas[part][outlines[-1][1]] = _BLACK
    lines = list(grid)
    for left, top, right, bottom in lines:
        _frame(canvas, left, top, right - left + 1, bottom - top + 1, _GRID)
    if lines:
        for part, edge in outlines:
            canvas[part][edge] = _BLACK
    for index in marks:
        left, top = corners[index].tolist()
        across, down = extents[index].tolist()
        for grow in (1, 2):
            _frame(canvas, left - grow, top - grow, across + 2 * grow, down + 2 * grow, _MARK)
    texts = marks if isinstance(marks, Mapping) else {}
    return _write(canvas, corners, texts, caption, extents)


def save_png(pixels: NDArray[np.uint8], path: Path, details: Mapping[str, str]) -> None:
    """Write a picture; ``details`` become text chunks that say how to make it again.

    Raises:
        InputError: it cannot be written there.
    """
    import io

    from PIL import Image, PngImagePlugin

    info = PngImagePlugin.PngInfo()
    for key, value in details.items():
        info.add_text(key, value)
    encoded = io.BytesIO()
    Image.fromarray(pixels).save(encoded, format="PNG", pnginfo=info, optimize=True)
    write_whole(path, encoded.getvalue())


def _clip(start: int, size: int, limit: int) -> slice:
    return slice(min(max(start, 0), limit), min(max(start + size, 0), limit))


@dataclass(frozen=True, slots=True)
class _Shape:
    """An object: its kind, its upper-left corner, its width and height, one for a circle."""

    kind: str
    left: int
    top: int
    across: int
    down: int

    def inside(self, y: NDArray[Any], x: NDArray[Any]) -> NDArray[np.bool_]:
        """Which pixels belong to it; of a circle those whose centres lie in it."""
        if self.kind == "circle":
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


def _frame(
    canvas: NDArray[np.uint8],
    left: int,
    top: int,
    across: int,
    down: int,
    colour: tuple[int, int, int],
) -> None:
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


def _write(
    canvas: NDArray[np.uint8],
    corners: NDArray[np.int32],
    texts: Mapping[int, str],
    caption: str,
    extents: NDArray[np.int64],
) -> NDArray[np.uint8]:
    if not texts and not caption:
        return canvas
    from PIL import Image, ImageDraw

    height, width = canvas.shape[:2]
    image = Image.new("RGB", (width, height + (_CAPTION_HEIGHT if caption else 0)), _WHITE)
    image.paste(Image.fromarray(canvas), (0, 0))
    pen = ImageDraw.Draw(image)
    for index, text in texts.items():
        left, top = corners[index].tolist()
        above = top - 14 if top >= 14 else top + int(extents[index][1]) + 2
        box = pen.textbbox((left, above), text)
        pen.rectangle(box, fill=_WHITE)
        pen.text((left, above), text, fill=_MARK)
    if caption:
        pen.line([(0, height), (width, height)], fill=_BLACK)
        pen.text((2, height + 1), caption, fill=_BLACK)
    return np.asarray(image)
