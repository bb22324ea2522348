"""Draws text."""

from __future__ import annotations

import functools

import numpy as np

from emu.quickdraw.arithmetic import NO_TERMS, ArithmeticTerms, combine, is_arithmetic
from emu.quickdraw.bitmap import Mask, PixelView
from emu.quickdraw.fonts import UNDERLINE, Font, StyledGlyph
from emu.quickdraw.paint import GRAY, Shape, clip_stencil, pattern_mask
from emu.quickdraw.rectangle import PLANE, Point, Rectangle
from emu.quickdraw.region import PixelRegion
from emu.quickdraw.transfer import (
    GRAYISH_TEXT_OR,
    NO_OPERATION,
    SRC_OR,
    Colors,
    boolean_mode,
    cell_colors,
    transfer,
)

_LONGEST_KEPT, _PICTURES_KEPT = 256, 1024
"""Pictures are kept of so many lines that have no more characters: at most some 10 MB."""


def draw_text(
    bitmap: PixelView,
    font: Font,
    text: bytes,
    pen: Point,
    style: int = 0,
    mode: int = SRC_OR,
    clip: Shape = PLANE,
    *,
    colors: Colors | None = None,
    terms: ArithmeticTerms = NO_TERMS,
) -> int:
    """Draw a line of text from left to right; control characters are drawn as any other.

    All glyphs are first combined to one picture, and this is transferred once. So an inverting mode
    inverts a pixel once even where glyphs overlap. The copying modes also draw the background, from
    the highest to the lowest row of the glyphs, and as far as the text or the pen reaches.

    Args:
        bitmap: where to draw; all coordinates are those of its bounds.
        font: the font, in its size.
        text: characters of MacRoman.
        pen: where the text begins, on the baseline: (h, v).
        style: a Style's bits: 1 bold, 2 italic, 4 underline, 8 outline, 16 shadow, 32 condense,
            64 extend.
        mode: a source mode; ``grayishTextOr`` (49) draws in the colour between the text's and its
            background's, or if there is none, every second pixel; the arithmetic modes
            combine the text's colour with the pixels of its characters, and leave the others.
        clip: the pixels that may change.
        colors: pixel values of the text and its background; None means black on white.
        terms: what the port adds to the arithmetic modes.

    Returns:
        The pen's new horizontal coordinate.

    Raises:
        UsageError: there is no such mode.
    """
    operation = boolean_mode(mode)
    limit = (clip.bounds if isinstance(clip, PixelRegion) else clip).intersect(bitmap.bounds)
    after, picture = _picture(font, text, pen, style, operation, limit)
    if picture is not None and mode != NO_OPERATION:
        _show(bitmap, picture, clip, limit, mode, colors, terms)
    return after


def _show(
    bitmap: PixelView,
    picture: tuple[Mask, int, int],
    clip: Shape,
    limit: Rectangle,
    mode: int,
    colors: Colors | None,
    terms: ArithmeticTerms,
) -> None:
    """Transfer a picture, which has a left and a top, as far as it lies in the limits."""
    pixels, left, top = picture
    height, width = pixels.shape
    first, last = max(top, limit.top), min(top + height, limit.bottom)
    start, end = max(left, limit.left), min(left + width, limit.right)
    if first >= last or start >= end:
        return
    pixels = pixels[first - top : last - top, start - left : end - left]
    box = Rectangle(first, start, last, end)
    if mode == GRAYISH_TEXT_OR:
        blend = _blend(bitmap, colors)
        if blend is None:
            pixels = pixels & pattern_mask(GRAY, box)
        else:
            colors = blend
    cells, stencil = bitmap.pack(pixels, start), clip_stencil(bitmap, clip, box)
    if is_arithmetic(mode, bitmap):
        front, back = colors or (bitmap.space.black, bitmap.space.white)
        source = np.full(pixels.shape, front)
        combine(bitmap, (first, start, last, end), source, stencil & cells, mode, back, terms)
        return
    inks = cell_colors(colors, bitmap)
    transfer(bitmap.cells(first, start, last, end), cells, stencil, boolean_mode(mode), inks)


def _blend(bitmap: PixelView, colors: Colors | None) -> Colors | None:
    """The colour between two and the background; None if the bit map has none between them."""
    front, back = colors or (bitmap.space.black, bitmap.space.white)
    pairs = zip(bitmap.space.color(front), bitmap.space.color(back), strict=True)
    red, green, blue = ((pair + other) // 2 for pair, other in pairs)
    between = bitmap.space.pixel((red, green, blue))
    return None if between in (front, back) else (between, back)


def _picture(
    font: Font, text: bytes, pen: Point, style: int, operation: int, limit: Rectangle
) -> tuple[int, tuple[Mask, int, int] | None]:
    """Where the pen goes, and all glyphs in one picture, with its left and its top, if any."""
    h, v = pen
    if len(text) == 1 and not style & UNDERLINE:
        glyph = font.glyph(text[0], style)
        after = h + glyph.advance
        pixels, left = glyph.pixels, h + glyph.left
        if operation & 3 == 0:
            pixels, left = _widened(pixels, left, h, after)
        return after, (pixels, left, v + glyph.top)
    farthest = 2 * (font.ascent + font.descent)  # more than a glyph of any style reaches
    if not limit.top - farthest < v < limit.bottom + farthest:
        return h + font.text_width(text, style), None
    if 0 < len(text) <= _LONGEST_KEPT and not style & UNDERLINE:
        advance, pixels, left, top = _whole_line(font, text, style)
        return h + advance, (pixels, h + left, v + top)
    glyphs = {code: font.glyph(code, style) for code in set(text)}
    placed, after = _placed(glyphs, text, pen, limit)
    # A line of blanks has no pixels, but copying it writes its background.
    if not placed and not style & UNDERLINE and operation & 3:
        return after, None
    return after, _line(_rows(font, glyphs), placed, pen, after, style, limit)


@functools.lru_cache(_PICTURES_KEPT)
def _whole_line(font: Font, text: bytes, style: int) -> tuple[int, Mask, int, int]:
    """How far a text moves the pen, and its picture as if the pen began at (0, 0).

    Programs draw the same lines again and again, and most of the time went into putting their
    glyphs together: a page of TextEdit's took 17 ms, and takes 2.
    """
    glyphs = {code: font.glyph(code, style) for code in set(text)}
    placed, after = _placed(glyphs, text, (0, 0), PLANE)
    pixels, left, top = _line(_rows(font, glyphs), placed, (0, 0), after, style, PLANE)
    pixels.flags.writeable = False
    return after, pixels, left, top


def _rows(font: Font, glyphs: dict[int, StyledGlyph]) -> tuple[int, int]:
    """The first and the last row of a line, from its baseline."""
    return (
        min([-font.ascent, *(glyph.top for glyph in glyphs.values())]),
        max([font.descent, *(glyph.top + len(glyph.pixels) for glyph in glyphs.values())]),
    )


def _widened(pixels: Mask, left: int, start: int, end: int) -> tuple[Mask, int]:
    """Add blank columns to a picture, so that it reaches from ``start`` to ``end``."""
    height, width = pixels.shape
    before, after = max(left - start, 0), max(end - left - width, 0)
    if not before and not after:
        return pixels, left
    wide = np.zeros((height, before + width + after), np.bool_)
    wide[:, before : before + width] = pixels
    return wide, left - before


def _placed(
    glyphs: dict[int, StyledGlyph], text: bytes, pen: Point, limit: Rectangle
) -> tuple[list[tuple[StyledGlyph, int]], int]:
    """The visible glyphs, each with the pen's place, and the pen's last place."""
    h = pen[0]
    placed = []
    for code in text:
        glyph = glyphs[code]
        if h + glyph.left < limit.right and h + glyph.left + glyph.pixels.shape[1] > limit.left:
            placed.append((glyph, h))
        h += glyph.advance
    return placed, h


def _line(
    rows: tuple[int, int],
    placed: list[tuple[StyledGlyph, int]],
    pen: Point,
    after: int,
    style: int,
    limit: Rectangle,
) -> tuple[Mask, int, int]:
    """The combined pixels of a line, and the place of their first column and row.

    ``rows`` are the line's first and last row from the baseline, those of glyphs that are not
    visible too: what a copying mode paints must not depend on the clip.
    """
    h, v = pen
    top, bottom = rows
    left = max(min([h, *(at + glyph.left for glyph, at in placed)]), limit.left)
    right = max([after, *(at + glyph.left + glyph.pixels.shape[1] for glyph, at in placed)])
    right = max(min(right, limit.right), left)
    pixels = np.zeros((bottom - top, right - left), np.bool_)
    for glyph, at in placed:
        start = at + glyph.left - left
        from_column = max(-start, 0)
        shown = glyph.pixels[:, from_column : right - left - start]
        first = glyph.top - top
        start += from_column
        pixels[first : first + len(shown), start : start + shown.shape[1]] |= shown
    if style & UNDERLINE:
        _underline(pixels, -top, max(h - left, 0), after - left)
    return pixels, left, v + top


def _underline(pixels: Mask, baseline: int, start: int, end: int) -> None:
    """Draw the underline below the baseline, with gaps on both sides of descenders."""
    row = min(baseline + 1, len(pixels) - 1)
    near: Mask = np.logical_or.reduce(pixels[row - 1 : row + 2], axis=0)
    blocked = near.copy()
    blocked[1:] |= near[:-1]
    blocked[:-1] |= near[1:]
    span = slice(start, max(end, start))
    pixels[row, span] |= ~blocked[span]
