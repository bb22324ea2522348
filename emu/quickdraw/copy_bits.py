"""Copies pixels from one bit map to another, and scrolls pixels inside one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw.bitmap import BitMap, Cells
from emu.quickdraw.paint import WHITE, Shape, clip_stencil, paint
from emu.quickdraw.palette import Palette, dark_colors, standard_palette
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import EMPTY, Region
from emu.quickdraw.transfer import (
    NO_OPERATION,
    SRC_COPY,
    TRANSPARENT,
    Colors,
    boolean_mode,
    color_bytes,
    transfer,
)


def copy_bits(
    source: BitMap,
    source_rect: Rectangle,
    destination: BitMap,
    destination_rect: Rectangle,
    mode: int = SRC_COPY,
    clip: Shape = PLANE,
    *,
    colors: Colors | None = None,
    palette: Palette | None = None,
    mask: BitMap | None = None,
    mask_rect: Rectangle | None = None,
) -> None:
    """Copy a rectangle of pixels; rectangles of different sizes stretch or shrink it.

    When stretching, a destination pixel shows the source pixel at the same fraction of the
    rectangle, rounded down. Source and destination may be the same bit map and overlap. Where the
    source rectangle reaches outside the source's bounds nothing is copied. From a bit map to a
    pixel map, pixels become black and white; from a pixel map to a bit map, a colour becomes black
    or white, whichever is nearer. Between pixel maps the boolean modes combine the pixels' indices.

    Args:
        source: where the pixels come from.
        source_rect: the rectangle to copy, in the source's coordinates.
        destination: where they go.
        destination_rect: the rectangle they go to, in the destination's coordinates.
        mode: a source mode, 0..7, or an arithmetic mode, which is replaced by one of them. Between
            pixel maps ``transparent`` leaves out pixels of the background colour.
        clip: the pixels of the destination that may change: clipping and mask regions.
        colors: destination pixel values for the source's ones and zeros, if the source is a bit
            map; None is black on white.
        palette: the colours of an 8-bit source for a 1-bit destination; None means the standard
            colours.
        mask: a bit map; only pixels where it has ones are copied, as in CopyMask.
        mask_rect: the part of the mask that lies over the destination rectangle.

    Raises:
        UsageError: there is no such mode.
    """
    boolean_mode(mode)  # refuses a mode that there is not, also where nothing is copied
    stretch = _Stretching(source_rect, destination_rect)
    box = stretch.shown(source.bounds, destination.bounds, clip)
    if box.empty or mode == NO_OPERATION:
        return
    pixels = _fetch(source, stretch.rows, stretch.columns, box)
    stencil: Any = clip_stencil(destination, clip, box)
    if mask is not None:
        over = _mask_pixels(mask, mask_rect or mask.bounds, destination_rect, box)
        stencil = stencil & destination.pack(over, box.left)
    _store(pixels, source.depth, destination, box, stencil, mode, colors, palette)


def _store(
    pixels: Cells,
    depth: int,
    destination: BitMap,
    box: Rectangle,
    stencil: Any,
    mode: int,
    colors: Colors | None,
    palette: Palette | None,
) -> None:
    """Transfer pixels of a depth to a box of the destination."""
    operation = boolean_mode(mode)
    if depth == 8 == destination.depth and mode & ~64 == TRANSPARENT:
        background = color_bytes(colors, 8)[1]
        stencil, operation = stencil & destination.pack(pixels != background, box.left), SRC_COPY
    cells, inks = _converted(pixels, depth, destination, box.left, colors, palette)
    place = destination.cells(box.top, box.left, box.bottom, box.right)
    transfer(place, cells, stencil, operation, inks)


def _converted(
    pixels: Any,
    depth: int,
    destination: BitMap,
    left: int,
    colors: Colors | None,
    palette: Palette | None,
) -> tuple[Any, tuple[int, int]]:
    """Pixels of a depth as cells of the destination, and what its ones and zeros are."""
    if depth == 8 and destination.depth == 8:
        return pixels, (255, 0)
    if depth == 8:
        dark = dark_colors(standard_palette() if palette is None else palette)
        pixels = dark[pixels].view(np.uint8)
    return destination.pack(pixels, left), color_bytes(colors, destination.depth)


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

    def shown(self, source: Rectangle, destination: Rectangle, clip: Shape) -> Rectangle:
        """The part of the destination that shows pixels inside the bounds and may change."""
        limit = clip.bounds if isinstance(clip, Region) else clip
        box = self._destination.intersect(destination).intersect(limit)
        if box.empty or self._is_empty:
            return Rectangle(0, 0, 0, 0)
        top, bottom = self.rows.part_inside(box.top, box.bottom, source.top, source.bottom)
        left, right = self.columns.part_inside(box.left, box.right, source.left, source.right)
        return Rectangle(top, left, bottom, right)


def _fetch(source: BitMap, rows: _Stretch, columns: _Stretch, box: Rectangle) -> Cells:
    """A copy of the pixels that a box of the destination shows."""
    first_row, last_row = rows.at(box.top), rows.at(box.bottom - 1)
    first, last = columns.at(box.left), columns.at(box.right - 1)
    pixels = source.pixels(Rectangle(first_row, first, last_row + 1, last + 1))
    if rows.source_size != rows.size:
        pixels = pixels[rows.indices(box.top, box.bottom, first_row)]
    if columns.source_size != columns.size:
        pixels = pixels[:, columns.indices(box.left, box.right, first)]
    return pixels


def _mask_pixels(mask: BitMap, mask_rect: Rectangle, whole: Rectangle, box: Rectangle) -> Cells:
    """The mask's pixels over a box of the destination; 0 where the mask has no pixels."""
    over = np.zeros((box.height, box.width), np.uint8)
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
    bitmap: BitMap,
    r: Rectangle,
    dh: int,
    dv: int,
    clip: Shape = PLANE,
    *,
    background: bytes = WHITE,
    origin: Point = (0, 0),
    colors: Colors | None = None,
) -> Region:
    """Move pixels inside a rectangle right by ``dh`` and down by ``dv``, as ScrollRect does.

    Only pixels inside the clipping shape move, and only to places inside it. The places that they
    leave are filled with the background pattern (aligned and coloured as in ``paint``).

    Returns:
        The pixels that were filled: the program must draw them again.
    """
    visible = Region.from_rectangle(r.intersect(bitmap.bounds))
    visible = visible.intersect(clip if isinstance(clip, Region) else Region.from_rectangle(clip))
    if visible.empty or (dh == 0 and dv == 0):
        return EMPTY
    arriving = visible.intersect(visible.offset(dh, dv))
    box = arriving.bounds
    copy_bits(bitmap, box.offset(-dh, -dv), bitmap, box, SRC_COPY, arriving)
    uncovered = visible.difference(arriving)
    paint(bitmap, uncovered, uncovered, background, origin=origin, colors=colors)
    return uncovered
