"""Fills the pixels of a shape with a pattern."""

from __future__ import annotations

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw.arithmetic import NO_TERMS, ArithmeticTerms, combine, is_arithmetic
from emu.quickdraw.bitmap import Cells, Mask, PixelView
from emu.quickdraw.color_space import Pixels
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import PixelRegion
from emu.quickdraw.transfer import (
    NO_OPERATION,
    PAT_COPY,
    Colors,
    boolean_mode,
    cell_colors,
    source_cells,
    transfer,
)

BLACK = b"\xff" * 8
WHITE = b"\x00" * 8
GRAY = b"\xaa\x55" * 4
LIGHT_GRAY = b"\x88\x22" * 4
DARK_GRAY = b"\x77\xdd" * 4

Shape = Rectangle | PixelRegion
_Box = tuple[int, int, int, int]

# Up to so many rectangles are filled one by one; for more, a mask is faster.
_FEW = 8


def paint(
    bitmap: PixelView,
    shape: Shape,
    clip: Shape = PLANE,
    pattern: bytes = BLACK,
    mode: int = PAT_COPY,
    *,
    origin: Point = (0, 0),
    colors: Colors | None = None,
    terms: ArithmeticTerms = NO_TERMS,
) -> None:
    """Fill a shape with a pattern, inside the clipping shape and the bit map's bounds.

    Args:
        bitmap: where to draw; all coordinates are those of its bounds.
        shape: the pixels to fill.
        clip: the pixels that may change.
        pattern: eight rows of eight pixels, the leftmost in the highest bit.
        mode: a pattern mode, 8..15; the source modes with the same names are allowed too, and the
            arithmetic modes.
        origin: a point at which the pattern starts; it repeats every eight pixels from there. (0,
            0) aligns patterns with the coordinates of the bounds, as QuickDraw aligns them with the
            port's.
        colors: pixel values for the pattern's ones and zeros; None is black on white.
        terms: what the port adds to the arithmetic modes.

    Raises:
        UsageError: the pattern does not have eight bytes, or there is no such mode.
    """
    if len(pattern) != 8:
        raise UsageError(f"a pattern of {len(pattern)} bytes: QuickDraw's have eight")
    operation = boolean_mode(mode)
    if mode == NO_OPERATION:
        return
    if is_arithmetic(mode, bitmap):
        front, back = colors or (bitmap.space.black, bitmap.space.white)
        for part, stencil in _visible(bitmap, shape, clip):
            ones = pattern_mask(pattern, Rectangle(*part), origin)
            combine(bitmap, part, np.where(ones, front, back), stencil, mode, back, terms)
        return
    inks = cell_colors(colors, bitmap)
    for part, stencil in _visible(bitmap, shape, clip):
        _fill(bitmap, part, stencil, pattern, operation, inks, origin)


def paint_tile(
    bitmap: PixelView,
    shape: Shape,
    clip: Shape,
    tile: Pixels,
    mode: int = PAT_COPY,
    *,
    background: int = 0,
    terms: ArithmeticTerms = NO_TERMS,
) -> None:
    """Fill a shape with pixels that are repeated from the point (0, 0) on.

    Args:
        bitmap: where to draw; all coordinates are those of its bounds.
        shape: the pixels to fill.
        clip: the pixels that may change.
        tile: rows of pixel values of the bit map.
        mode: a mode, as of `paint`; the pixels are combined as those of a pixel map.
        background: the pixel value of the background, for the arithmetic modes.
        terms: what the port adds to them.

    Raises:
        UsageError: there is no such mode.
    """
    operation = boolean_mode(mode)
    if mode == NO_OPERATION:
        return
    height, width = tile.shape
    for (top, left, bottom, right), stencil in _visible(bitmap, shape, clip):
        rows, columns = np.arange(top, bottom) % height, np.arange(left, right) % width
        pixels = tile[rows][:, columns]
        if is_arithmetic(mode, bitmap):
            box = top, left, bottom, right
            combine(bitmap, box, pixels, stencil, mode, background, terms)
            continue
        cells, inks = source_cells(bitmap, pixels, left)
        transfer(bitmap.cells(top, left, bottom, right), cells, stencil, operation, inks)


def _visible(bitmap: PixelView, shape: Shape, clip: Shape) -> list[tuple[_Box, Cells | int]]:
    """Rectangles of the bit map that a shape and its clipping have in common, with stencils."""
    outer = shape.bounds if isinstance(shape, PixelRegion) else shape
    limit = clip.bounds if isinstance(clip, PixelRegion) else clip
    bounds = bitmap.bounds
    top, bottom = (
        max(outer.top, limit.top, bounds.top),
        min(outer.bottom, limit.bottom, bounds.bottom),
    )
    left, right = (
        max(outer.left, limit.left, bounds.left),
        min(outer.right, limit.right, bounds.right),
    )
    if top >= bottom or left >= right:
        return []
    box = top, left, bottom, right
    ragged = [r for r in (shape, clip) if isinstance(r, PixelRegion) and not r.is_rectangular]
    return _parts(bitmap, box, ragged) if ragged else [(box, bitmap.edges(left, right))]


def _parts(
    bitmap: PixelView, box: _Box, ragged: list[PixelRegion]
) -> list[tuple[_Box, Cells | int]]:
    """Rectangles that make up what regions have in common in a box, each with its stencil."""
    if sum(len(r.bands) for r in ragged) <= _FEW:
        pieces = _pieces(ragged, Rectangle(*box))
        if len(pieces) <= _FEW:
            return [(piece, bitmap.edges(piece[1], piece[3])) for piece in pieces]
    return [(box, bitmap.pack(_common_mask(ragged, Rectangle(*box)), box[1]))]


def _pieces(shapes: list[PixelRegion], box: Rectangle) -> list[_Box]:
    common = PixelRegion.from_rectangle(box)
    for shape in shapes:
        common = common.intersect(shape)
    return list(common.rectangles())


def _common_mask(shapes: list[PixelRegion], box: Rectangle) -> Mask:
    mask = shapes[0].mask(box)
    for shape in shapes[1:]:
        mask &= shape.mask(box)
    return mask


def clip_stencil(bitmap: PixelView, clip: Shape, box: Rectangle) -> Cells | int:
    """The stencil of a box inside the bit map, with the pixels that the clipping shape contains."""
    if isinstance(clip, Rectangle) or clip.is_rectangular:
        return bitmap.edges(box.left, box.right)
    return bitmap.pack(clip.mask(box), box.left)


def _fill(
    bitmap: PixelView,
    box: tuple[int, int, int, int],
    stencil: Cells | int,
    pattern: bytes,
    operation: int,
    inks: Colors,
    origin: Point,
) -> None:
    top, left, bottom, right = box
    source: Cells | int
    if pattern == BLACK:
        source = bitmap.full
    elif pattern == WHITE:
        source = 0
    elif bitmap.depth == 1:
        source = _rows(
            _turned(pattern, bitmap.bounds.left - origin[0]), top - origin[1], bottom - top
        )
    else:
        source = _tile(pattern, (left - origin[0], top - origin[1]), (right - left, bottom - top))
        if bitmap.depth != 8:
            source = bitmap.pack(source, left)
    transfer(bitmap.cells(top, left, bottom, right), source, stencil, operation, inks)


def _turned(pattern: bytes, places: int) -> bytes:
    """Rotate every row of a pattern left by some pixels."""
    places &= 7
    if not places:
        return pattern
    whole = int.from_bytes(pattern, "big")
    kept = ((255 << places) & 255) * 0x0101010101010101
    return ((whole << places) & kept | (whole >> (8 - places)) & ~kept).to_bytes(8, "big")


def _rows(pattern: bytes, first: int, count: int) -> Cells:
    """The pattern's bytes of ``count`` rows, as a column."""
    first &= 7
    repeated = pattern * ((first + count + 7) >> 3)
    return np.frombuffer(repeated, np.uint8, count, first).reshape(count, 1)


def pattern_mask(pattern: bytes, box: Rectangle, origin: Point = (0, 0)) -> Mask:
    """A mask that is true where a box filled with a pattern has ones."""
    start = box.left - origin[0], box.top - origin[1]
    return np.asarray(_tile(pattern, start, (box.width, box.height)) != 0)


def _tile(pattern: bytes, start: Point, size: Point) -> Cells:
    """Fill an area with the pattern, as pixels of 0 and 255."""
    h, v = start[0] & 7, start[1] & 7
    bits = np.unpackbits(np.frombuffer(pattern, np.uint8).reshape(8, 1), axis=1) * np.uint8(255)
    repeated = np.tile(bits, ((v + size[1] + 7) >> 3, (h + size[0] + 7) >> 3))
    return repeated[v : v + size[1], h : h + size[0]]
