"""Changes a glyph to a style as QuickDraw does: by smearing, slanting and hollowing out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.quickdraw.bitmap import Mask
from emu.quickdraw.fonts.glyphs import Glyph, Strike
from emu.quickdraw.rectangle import Point

BOLD, ITALIC, UNDERLINE, OUTLINE, SHADOW, CONDENSE, EXTEND = (1 << bit for bit in range(7))
"""The bits of a Style (Inside Macintosh: Text, chapter 3)."""

CENTER = 1 << 8
"""With outline or shadow, not a Style's: the strokes within the ring instead of the ring."""

_EXTRA_WIDTH = {BOLD: 1, OUTLINE: 1, SHADOW: 2, CONDENSE: -1, EXTEND: 1}


@dataclass(frozen=True, slots=True)
class StyledGlyph:
    """A character ready to draw.

    Attributes:
        pixels: the rows from ``top`` down.
        left: the place of the first column, relative to the pen.
        top: the place of the first row, relative to the baseline (negative above it).
        advance: how far the pen moves.
    """

    pixels: Mask
    left: int
    top: int
    advance: int


def styled(plain: Glyph, ascent: int, style: int) -> StyledGlyph:
    """A glyph in a style.

    Bold draws every pixel a second time, one to the right. Italic moves a row right by half its
    height above the baseline, and left below it. Outline draws a ring around the strokes and
    leaves the strokes white; shadow makes this ring thicker on the right and below (Inside
    Macintosh: Text, chapter 3). Each moves the pen further by as much as it widens the glyph.

    Args:
        plain: the glyph without a style.
        ascent: its rows above the baseline.
        style: the bits of a Style, and CENTER.
    """
    pixels, left, top = plain.pixels, plain.left, -ascent
    advance = plain.advance + sum(
        extra for bit, extra in _EXTRA_WIDTH.items() if style & bit and plain.advance
    )
    if pixels.shape[1]:
        if style & BOLD:
            pixels = _spread(pixels, ((0, 0), (1, 0)))
        if style & ITALIC:
            lean = [(ascent - 1 - row) // 2 for row in range(len(pixels))]
            pixels, left = _slanted(pixels, lean), left + min(lean)
        if style & (OUTLINE | SHADOW):
            around = [(h, v) for h in range(3) for v in range(3)]
            if style & SHADOW:
                around += [(h + 1, v + 1) for h, v in around]
            if not style & CENTER:
                strokes = pixels
                pixels = _spread(pixels, around)
                height, width = strokes.shape
                pixels[1 : 1 + height, 1 : 1 + width] &= ~strokes
                left, top = left - 1, top - 1
    return StyledGlyph(pixels, left, top, max(advance, 0))


def heavy(strike: Strike) -> Strike:
    """A strike in bold."""

    def bold(glyph: Glyph) -> Glyph:
        if not glyph.pixels.shape[1]:
            return glyph
        pixels = _spread(glyph.pixels, ((0, 0), (1, 0)))
        return Glyph(pixels, glyph.left, glyph.advance + _EXTRA_WIDTH[BOLD])

    glyphs = {code: bold(glyph) for code, glyph in strike.glyphs.items()}
    return replace(strike, glyphs=glyphs, missing=bold(strike.missing))


def _spread(pixels: Mask, places: Iterable[Point]) -> Mask:
    """Copies of the pixels, combined; each is moved right and down by a place (h, v)."""
    offsets = list(places)
    height, width = pixels.shape
    spread = np.zeros(
        (height + max(v for _, v in offsets), width + max(h for h, _ in offsets)), np.bool_
    )
    for h, v in offsets:
        spread[v : v + height, h : h + width] |= pixels
    return spread


def _slanted(pixels: Mask, shifts: Sequence[int]) -> Mask:
    """Move every row right by its own number of pixels, less the smallest of them."""
    height, width = pixels.shape
    least = min(shifts)
    slanted = np.zeros((height, width + max(shifts) - least), np.bool_)
    for row, shift in enumerate(shifts):
        slanted[row, shift - least : shift - least + width] = pixels[row]
    return slanted
