"""Fonts: chooses the drawn font for a family and size, and changes glyphs for a style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from emu.quickdraw.bitmap import Mask
from emu.quickdraw.font_records import FontSource
from emu.quickdraw.glyphs import Glyph, Strike, load_strike
from emu.quickdraw.rectangle import Point

BOLD, ITALIC, UNDERLINE, OUTLINE, SHADOW, CONDENSE, EXTEND = (1 << bit for bit in range(7))
"""The bits of a Style (Inside Macintosh: Text, chapter 3)."""

CENTER = 1 << 8
"""With outline or shadow, not a Style's: the strokes within the ring instead of the ring."""

SYSTEM_FAMILY, APPLICATION_FAMILY, GENEVA_FAMILY, MONACO_FAMILY, COURIER_FAMILY = 0, 1, 3, 4, 22

_EVEN_WIDTH = frozenset((MONACO_FAMILY, COURIER_FAMILY))
_DRAWN_SIZES = {"system": (12,), "application": (9, 12), "fixed": (9,)}
_STANDARD_SIZE, _SMALL = 12, 10
_LARGEST_SIZE = 127
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


class Font:
    """One family in one size.

    Attributes:
        size: the size in points.
        ascent: the rows above the baseline.
        descent: the rows from the baseline down.
        leading: the blank rows between lines.
        wid_max: the widest character's advance.
    """

    def __init__(self, strike: Strike, size: int) -> None:
        self.size = size
        self._strike = strike
        self.ascent = self._scaled(strike.ascent)
        self.descent = self._scaled(strike.descent)
        self.leading = self._scaled(strike.leading)
        widest = max(glyph.advance for glyph in (*strike.glyphs.values(), strike.missing))
        self.wid_max = max(self._scaled(widest), 1)
        self._styled: dict[tuple[int, int], StyledGlyph] = {}

    def _scaled(self, length: int) -> int:
        return (2 * length * self.size + self._strike.size) // (2 * self._strike.size)

    @property
    def line_height(self) -> int:
        """Rows from one baseline to the next."""
        return self.ascent + self.descent + self.leading

    def char_width(self, code: int, style: int = 0) -> int:
        """How far a character (MacRoman) moves the pen."""
        return self.glyph(code, style).advance

    def text_width(self, text: bytes, style: int = 0) -> int:
        """How far all of a text moves the pen."""
        return sum(self.glyph(code, style).advance for code in text)

    def has(self, code: int) -> bool:
        """Whether the font has a glyph for a character; otherwise a box is drawn."""
        return code in self._strike.glyphs

    def glyph(self, code: int, style: int = 0) -> StyledGlyph:
        """The glyph of a character in a style; underlines are drawn below whole texts instead."""
        key = code, style & ~UNDERLINE
        glyph = self._styled.get(key)
        if glyph is None:
            glyph = self._styled[key] = self._style(self._plain(code), style)
        return glyph

    def _plain(self, code: int) -> Glyph:
        """The drawn glyph, scaled to the font's size by leaving out or repeating pixels."""
        drawn = self._strike.glyphs.get(code, self._strike.missing)
        if self.size == self._strike.size:
            return drawn
        height = self.ascent + self.descent
        width = self._scaled(drawn.pixels.shape[1])
        if drawn.pixels.shape[1]:
            width = max(width, 1)
        rows = np.arange(height) * drawn.pixels.shape[0] // height
        columns = np.arange(width) * drawn.pixels.shape[1] // max(width, 1)
        pixels = drawn.pixels[rows][:, columns]
        advance = max(self._scaled(drawn.advance), 1) if drawn.advance else 0
        return Glyph(pixels, self._scaled(drawn.left), advance)

    def _style(self, plain: Glyph, style: int) -> StyledGlyph:
        """Change a glyph to a style as QuickDraw does: by smearing, slanting and hollowing out.

        Bold draws every pixel a second time, one to the right. Italic moves a row right by half its
        height above the baseline, and left below it. Outline draws a ring around the strokes and
        leaves the strokes white; shadow makes this ring thicker on the right and below (Inside
        Macintosh: Text, chapter 3). Each moves the pen further by as much as it widens the glyph.
        """
        pixels, left, top = plain.pixels, plain.left, -self.ascent
        advance = plain.advance + sum(
            extra for bit, extra in _EXTRA_WIDTH.items() if style & bit and plain.advance
        )
        if pixels.shape[1]:
            if style & BOLD:
                pixels = _spread(pixels, ((0, 0), (1, 0)))
            if style & ITALIC:
                lean = [(self.ascent - 1 - row) // 2 for row in range(len(pixels))]
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


def _heavy(strike: Strike) -> Strike:
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


def _best(drawn: Sequence[int], size: int) -> int:
    """The largest of the sizes that divides a size, or else the nearest."""
    dividing = [candidate for candidate in drawn if size % candidate == 0]
    return max(dividing) if dividing else min(drawn, key=lambda has: (abs(has - size), has))


class FontBook:
    """The fonts in use; glyphs that were once prepared are kept.

    Args:
        own: who has fonts that come before macproof's; None if nobody has.
    """

    def __init__(self, own: FontSource | None = None) -> None:
        self._own = own
        self._strikes: dict[str, Strike] = {}
        self._fonts: dict[tuple[str, int], Font] = {}
        self._own_fonts: dict[tuple[int, int], Font] = {}

    def font(self, family: int, size: int) -> Font:
        """The font for a family and a size.

        A font that `own` has comes first. Else there are drawings for three kinds of families: the
            system font (0), fonts of fixed width (Monaco, Courier), and all others, which look like
            the application font. A size without a drawing is scaled from a size that divides it, or
            else from the nearest size. The small system font is the small application font in bold,
            since strokes of two pixels merge when they are scaled down.

        Args:
            family: the number of the family, as TextFont takes it.
            size: the size in points; 0 means 12. A number outside 1..127 means the nearest one
                inside.
        """
        size = min(max(size, 1), _LARGEST_SIZE) if size else _STANDARD_SIZE
        strikes = self._own.strikes(family) if self._own is not None else {}
        if strikes:
            return self._font_of(strikes[_best(list(strikes), size)], size)
        if family == SYSTEM_FAMILY:
            face = "system"
        else:
            face = "fixed" if family in _EVEN_WIDTH else "application"
        font = self._fonts.get((face, size))
        if font is None:
            font = self._fonts[face, size] = Font(self._strike_for(face, size), size)
        return font

    def _font_of(self, strike: Strike, size: int) -> Font:
        font = self._own_fonts.get((id(strike), size))
        if font is None:  # the font keeps the strike, so that its id stays
            font = self._own_fonts[id(strike), size] = Font(strike, size)
        return font

    def _strike_for(self, face: str, size: int) -> Strike:
        if face == "system" and size <= _SMALL:
            return _heavy(self._strike_for("application", size))
        name = f"{face}_{_best(_DRAWN_SIZES[face], size)}"
        if name not in self._strikes:
            self._strikes[name] = load_strike(name)
        return self._strikes[name]
