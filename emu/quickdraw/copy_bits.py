"""Copies pixels from one bit map to another, and scrolls pixels inside one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw.arithmetic import NO_TERMS, ArithmeticTerms, combine, is_arithmetic
from emu.quickdraw.bitmap import PixelView
from emu.quickdraw.color_space import ColorSpace, IndexedColorSpace, Pixels, standard_space
from emu.quickdraw.paint import WHITE, Shape, clip_stencil, paint
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import EMPTY, PixelRegion
from emu.quickdraw.transfer import (
    NO_OPERATION,
    NOT_SRC_COPY,
    SRC_COPY,
    Colors,
    boolean_mode,
    cell_colors,
    source_cells,
    transfer,
)


def copy_bits(
    source: PixelView,
    source_rect: Rectangle,
    destination: PixelView,
    destination_rect: Rectangle,
    mode: int = SRC_COPY,
    clip: Shape = PLANE,
    *,
    colors: Colors | None = None,
    terms: ArithmeticTerms = NO_TERMS,
    mask: PixelView | None = None,
    mask_rect: Rectangle | None = None,
) -> None:
    """Copy a rectangle of pixels; rectangles of different sizes stretch or shrink it.

    A destination pixel shows the source pixel at the same fraction of the rectangle, rounded down.
    Both may be the same bit map and overlap. Outside the source's bounds nothing is copied. Pixels
    of a bit map become the foreground and the background. Colours become the nearest that there
    are, and the boolean modes combine the pixel values. A foreground and background other than
    black and white tint what the copying modes copy.

    Args:
        source: where the pixels come from.
        source_rect: the rectangle to copy, in the source's coordinates.
        destination: where they go.
        destination_rect: the rectangle they go to.
        mode: a source mode, 0..7, or an arithmetic mode.
        clip: the pixels of the destination that may change.
        colors: pixel values of the foreground and the background; None is black on white.
        terms: what the port adds to the arithmetic modes.
        mask: a bit map whose ones are copied, or a pixel map: the darker, the more is copied.
        mask_rect: the part of the mask that lies over the destination rectangle.

    Raises:
        UsageError: there is no such mode.
    """
    boolean_mode(mode)  # refuses what is none, also where nothing is copied
    stretch = _Stretching(source_rect, destination_rect)
    box = stretch.visible_part(source.bounds, destination.bounds, clip)
    if box.empty or mode == NO_OPERATION:
        return
    pixels = _fetch(source, stretch.rows, stretch.columns, box)
    stencil: Any = clip_stencil(destination, clip, box)
    if mask is not None:
        over = _mask_pixels(mask, mask_rect or mask.bounds, destination_rect, box)
        if mask.depth > 1:
            _weigh(pixels, source.space, destination, box, stencil, mask.space.colors(over))
            return
        stencil = stencil & destination.pack(over, box.left)
    _store(pixels, source, destination, box, stencil, mode, colors, terms)


def _store(
    pixels: Pixels,
    source: PixelView,
    destination: PixelView,
    box: Rectangle,
    stencil: Any,
    mode: int,
    colors: Colors | None,
    terms: ArithmeticTerms,
) -> None:
    """Transfer pixels of a source to a box of the destination."""
    space, operation, is_mask = (
        destination.space,
        boolean_mode(mode),
        source.space.is_black_and_white,
    )
    if is_arithmetic(mode, destination):
        front, back = colors or (space.black, space.white)
        same = np.where(pixels, front, back) if is_mask else space.converted(pixels, source.space)
        combine(destination, box, same, stencil, mode, back, terms)
        return
    inks = cell_colors(colors, destination)
    if destination.depth == 1 or is_mask:
        if not is_mask:
            pixels = standard_space(1).converted(pixels, source.space)
        cells = destination.pack(pixels, box.left)
    else:
        if operation & 3 == SRC_COPY and colors not in (None, (space.black, space.white)):
            pixels = _tinted(pixels, source.space, space, colors, operation)
            operation = SRC_COPY
        else:
            pixels = space.converted(pixels, source.space)
        cells, inks = source_cells(destination, pixels, box.left)
    transfer(destination.cells(*box), cells, stencil, operation, inks)


def _tinted(
    pixels: Pixels, given: ColorSpace, space: ColorSpace, colors: Colors, operation: int
) -> Pixels:
    """Pixels in which black is the foreground, white the background, and others are in between."""
    values: Pixels = (
        np.arange(len(given.palette)) if isinstance(given, IndexedColorSpace) else pixels
    )
    light = given.colors(values).astype(np.int64)
    if operation == NOT_SRC_COPY:
        light = 255 - light
    front, back = space.colors(np.array(colors)).astype(np.int64)
    tints = space.pixels((light * back + (255 - light) * front) // 255)
    return tints[pixels] if isinstance(given, IndexedColorSpace) else tints


def _weigh(
    pixels: Pixels,
    given: ColorSpace,
    destination: PixelView,
    box: Rectangle,
    stencil: Any,
    mask: NDArray[np.uint8],
) -> None:
    """Replace pixels by means of them and the source: black of the mask is all of the source."""
    weights = 255 - mask.astype(np.int64)
    old = destination.space.colors(destination.pixels(box)).astype(np.int64)
    mean = (given.colors(pixels) * weights + old * (255 - weights)) // 255
    cells = destination.pack_pixels(destination.space.pixels(mean), box.left)
    transfer(destination.cells(*box), cells, stencil, SRC_COPY, (destination.full, 0))


class _Stretch:
    """The stretching along one axis: which source coordinate a destination coordinate shows."""

    def __init__(self, source: int, source_size: int, start: int, size: int) -> None:
        self.source, self.source_size, self.start, self.size = source, source_size, start, size

    def at(self, place: int) -> int:
        """The source coordinate shown at a destination coordinate."""
        return self.source + (place - self.start) * self.source_size // self.size

    def first_showing(self, coordinate: int) -> int:
        """The first destination coordinate that shows this source coordinate or a later one."""
        return self.start - (-(coordinate - self.source) * self.size // self.source_size)

    def part_inside(self, first: int, last: int, low: int, high: int) -> tuple[int, int]:
        """The part of the destination first..last that shows source coordinates low..high."""
        return max(first, self.first_showing(low)), min(last, self.first_showing(high))

    def indices(self, first: int, last: int, base: int) -> NDArray[np.int64]:
        """The source row or column, counted from ``base``, for each coordinate first..last."""
        places = np.arange(first - self.start, last - self.start, dtype=np.int64)
        return places * self.source_size // self.size + (self.source - base)


class _Stretching:
    """The stretching of one rectangle to another, along both axes."""

    def __init__(self, source: Rectangle, destination: Rectangle) -> None:
        self._is_empty = source.empty
        self._destination = destination
        self.rows = _Stretch(source.top, source.height, destination.top, destination.height)
        self.columns = _Stretch(source.left, source.width, destination.left, destination.width)

    def visible_part(self, source: Rectangle, destination: Rectangle, clip: Shape) -> Rectangle:
        """The part of the destination that shows pixels inside the bounds and may change."""
        limit = clip.bounds if isinstance(clip, PixelRegion) else clip
        box = self._destination.intersect(destination).intersect(limit)
        if box.empty or self._is_empty:
            return Rectangle(0, 0, 0, 0)
        top, bottom = self.rows.part_inside(box.top, box.bottom, source.top, source.bottom)
        left, right = self.columns.part_inside(box.left, box.right, source.left, source.right)
        return Rectangle(top, left, bottom, right)


def _fetch(source: PixelView, rows: _Stretch, columns: _Stretch, box: Rectangle) -> Pixels:
    """A copy of the pixels that a box of the destination shows."""
    first_row, last_row = rows.at(box.top), rows.at(box.bottom - 1)
    first, last = columns.at(box.left), columns.at(box.right - 1)
    pixels = source.pixels(Rectangle(first_row, first, last_row + 1, last + 1))
    if rows.source_size != rows.size:
        pixels = pixels[rows.indices(box.top, box.bottom, first_row)]
    if columns.source_size != columns.size:
        pixels = pixels[:, columns.indices(box.left, box.right, first)]
    return pixels


def _mask_pixels(mask: PixelView, mask_rect: Rectangle, whole: Rectangle, box: Rectangle) -> Pixels:
    """The mask's pixels over a box of the destination; white where the mask has no pixels."""
    over = np.full((box.height, box.width), mask.space.white if mask.depth > 1 else 0, np.uint32)
    if mask_rect.empty:
        return over
    rows = _Stretch(mask_rect.top, mask_rect.height, whole.top, whole.height)
    columns = _Stretch(mask_rect.left, mask_rect.width, whole.left, whole.width)
    top, bottom = rows.part_inside(box.top, box.bottom, mask.bounds.top, mask.bounds.bottom)
    left, right = columns.part_inside(box.left, box.right, mask.bounds.left, mask.bounds.right)
    if top < bottom and left < right:
        shown = _fetch(mask, rows, columns, Rectangle(top, left, bottom, right))
        over[top - box.top : bottom - box.top, left - box.left : right - box.left] = shown
    return over


def scroll(
    bitmap: PixelView,
    r: Rectangle,
    dh: int,
    dv: int,
    clip: Shape = PLANE,
    *,
    background: bytes = WHITE,
    origin: Point = (0, 0),
    colors: Colors | None = None,
) -> PixelRegion:
    """Move pixels inside a rectangle right by ``dh`` and down by ``dv``, as ScrollRect does.

    Only pixels inside the clipping shape move, and only to places inside it. The places that they
    leave are filled with the background pattern (aligned and coloured as in ``paint``).

    Returns:
        The pixels that were filled: the program must draw them again.
    """
    visible = PixelRegion.from_rectangle(r.intersect(bitmap.bounds))
    visible = visible.intersect(
        clip if isinstance(clip, PixelRegion) else PixelRegion.from_rectangle(clip)
    )
    if visible.empty or (dh == 0 and dv == 0):
        return EMPTY
    arriving = visible.intersect(visible.offset(dh, dv))
    box = arriving.bounds
    copy_bits(bitmap, box.offset(-dh, -dv), bitmap, box, SRC_COPY, arriving)
    uncovered = visible.difference(arriving)
    paint(bitmap, uncovered, uncovered, background, origin=origin, colors=colors)
    return uncovered
