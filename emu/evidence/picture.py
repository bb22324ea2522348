"""A scene as the window of 1994 drew it, in a PNG.

An object that collides is an outline one pixel wide, any other a rectangle in 50 % grey: the
8 by 8 pattern AA 55, laid from the window's corner. Objects are drawn in their order and cover
one another, white pixels of the pattern included, as QuickDraw's patCopy mode has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.files import write_whole

_BLACK, _WHITE = (0, 0, 0), (255, 255, 255)
_MARK = (220, 0, 0)
_CAPTION_HEIGHT = 14


@dataclass(frozen=True, slots=True)
class Window:
    """What is drawn into: its size and the size of an object, in pixels."""

    width: int = 640
    height: int = 480
    object_size: int = 30


def draw_scene(
    corners: NDArray[np.int32],
    collided: NDArray[Any],
    window: Window | None = None,
    *,
    marks: Mapping[int, str] | Iterable[int] = (),
    caption: str = "",
) -> NDArray[np.uint8]:
    """Draw a scene; (height, width, 3) uint8, RGB.

    Args:
        corners: (n, 2) upper-left corners.
        collided: (n,) whether each object is drawn as an outline.
        window: sizes; 640 by 480 with objects of 30 pixels if not given.
        marks: objects to be framed in red, because something about them is wrong; where a text
            is given with one, it is written beside it.
        caption: a line of text below the window.
    """
    window = window or Window()
    size = window.object_size
    y, x = np.mgrid[0 : window.height, 0 : window.width]
    grey = np.where(((x + y) % 2 == 0)[..., None], _BLACK, _WHITE).astype(np.uint8)
    canvas = np.full((window.height, window.width, 3), 255, dtype=np.uint8)
    for (left, top), outlined in zip(corners.tolist(), np.asarray(collided).tolist(), strict=True):
        rows, columns = _clip(top, size, window.height), _clip(left, size, window.width)
        if not outlined:
            canvas[rows, columns] = grey[rows, columns]
        else:
            _frame(canvas, left, top, size, _BLACK)
    for index in marks:
        left, top = corners[index].tolist()
        for grow in (1, 2):
            _frame(canvas, left - grow, top - grow, size + 2 * grow, _MARK)
    texts = marks if isinstance(marks, Mapping) else {}
    return _write(canvas, corners, texts, caption, size)


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


def _frame(
    canvas: NDArray[np.uint8], left: int, top: int, size: int, colour: tuple[int, int, int]
) -> None:
    height, width = canvas.shape[:2]
    rows, columns = _clip(top, size, height), _clip(left, size, width)
    for row in (top, top + size - 1):
        if 0 <= row < height:
            canvas[row, columns] = colour
    for column in (left, left + size - 1):
        if 0 <= column < width:
            canvas[rows, column] = colour


def _write(
    canvas: NDArray[np.uint8],
    corners: NDArray[np.int32],
    texts: Mapping[int, str],
    caption: str,
    size: int,
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
        above = top - 14 if top >= 14 else top + size + 2
        box = pen.textbbox((left, above), text)
        pen.rectangle(box, fill=_WHITE)
        pen.text((left, above), text, fill=_MARK)
    if caption:
        pen.line([(0, height), (width, height)], fill=_BLACK)
        pen.text((2, height + 1), caption, fill=_BLACK)
    return np.asarray(image)
