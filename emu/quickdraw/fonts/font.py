"""One family in one size: drawings fitted to measures."""

from __future__ import annotations

import numpy as np

from emu.quickdraw.fonts.fitting import Merge, fitted_columns, merged, stem_of_serifed
from emu.quickdraw.fonts.glyphs import Glyph, Strike
from emu.quickdraw.fonts.metrics import Metrics, scaled_length
from emu.quickdraw.fonts.styles import UNDERLINE, StyledGlyph, styled

_LETTERS = bytes((*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B)))
_NARROWEST_TO_WIDEN = 3
"""Narrower glyphs, such as those of i and l, are one stroke, which would become thicker."""


class Font:
    """One family in one size.

    Args:
        strike: the drawings.
        metrics: the measures that the font shall have.

    Attributes:
        size: the size in points.
        ascent: the rows above the baseline.
        descent: the rows from the baseline down.
        leading: the blank rows between lines.
        wid_max: the widest character's advance.
    """

    def __init__(self, strike: Strike, metrics: Metrics) -> None:
        self.size = metrics.size
        self.ascent, self.descent = metrics.ascent, metrics.descent
        self.leading, self.wid_max = metrics.leading, metrics.widest
        self._strike, self._metrics = strike, metrics
        self._times = times_larger(strike.size, metrics.size)
        self._rows = self._fitted_rows()
        self._styled: dict[tuple[int, int], StyledGlyph] = {}

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
            glyph = self._styled[key] = styled(self._plain(code), self.ascent, style)
        return glyph

    def _plain(self, code: int) -> Glyph:
        """The drawn glyph, fitted to the advance.

        A character that is drawn but not measured keeps the advance with which it was drawn, at
        most that of the widest character.
        """
        metrics, drawn = self._metrics, self._strike.glyphs.get(code)
        advance = metrics.advances.get(code)
        if drawn is None:
            drawn = self._strike.missing
            advance = metrics.missing if advance is None else advance
            if not advance:
                drawn = Glyph(drawn.pixels[:, :0], 0, 0)
        elif advance is None:
            advance = scaled_length(drawn.advance, self._strike.size, self.size)
            advance = min(max(advance, min(drawn.advance, 1)), self.wid_max)
        return self._fitted(drawn, advance)

    def _fitted(self, drawn: Glyph, advance: int) -> Glyph:
        """A drawing that is as high as the font, and leaves a blank column of an advance.

        Half of what the advance has more than the drawing makes it wider, and half stays blank:
        the letters of Geneva 12 have 5 or 6 columns of 7 or 8.
        """
        times, pixels = self._times, merged(drawn.pixels.T, self._rows).T
        width, more = times * pixels.shape[1], advance - times * drawn.advance
        if more > 0 and pixels.shape[1] >= _NARROWEST_TO_WIDEN:
            width += more // 2
        elif more < 0 and width >= advance:
            width = max(advance - 1, 1)
            pixels = stem_of_serifed(pixels) if times == 1 else pixels
        columns = fitted_columns(pixels, times, width, most_harm=self.ascent // 4)
        lean = times * (2 * drawn.left + drawn.pixels.shape[1] - drawn.advance)
        left = max((advance - len(columns) + lean) // 2, min(times * drawn.left, 0))
        return Glyph(merged(pixels, columns), left, advance)

    def _fitted_rows(self) -> list[Merge]:
        """The drawings' rows that become the font's, the same for all glyphs.

        Letters become as much higher as the size is larger, but stay within ascent and descent, and
        leave a row for accents.
        """
        strike, times = self._strike, self._times
        drawn = [strike.glyphs[code].pixels for code in _LETTERS if code in strike.glyphs]
        spaced = [np.pad(pixels, ((0, 0), (0, 1))) for pixels in (*drawn, strike.missing.pixels)]
        letters = np.concatenate(spaced, axis=1)
        baseline = strike.ascent
        inked = np.nonzero(letters[:baseline].any(axis=1))[0]
        top = int(inked[0]) if len(inked) else 0

        def rows(first: int, end: int, most: int) -> list[Merge]:
            height = min(scaled_length(end - first, strike.size, self.size), most)
            part = letters[first:end].T
            fitted = fitted_columns(part, times, height, most_harm=part.size)
            return [tuple(first + row for row in merge) for merge in fitted]

        body = rows(top, baseline, self.ascent - 1 if top else self.ascent)
        above = rows(0, top, self.ascent - len(body))
        below = rows(baseline, len(letters), self.descent)
        blank: Merge = ()
        return [
            *[blank] * (self.ascent - len(above) - len(body)),
            *above,
            *body,
            *below,
            *[blank] * (self.descent - len(below)),
        ]


def times_larger(drawn: int, size: int) -> int:
    """By which whole number drawings become larger for a size; strokes become as much thicker.

    From 1.6 times the size on, strokes of two pixels are nearer to right than those of one.
    """
    return max((10 * size + 4 * drawn) // (10 * drawn), 1)
