"""Glyphs in a font's measures: macproof's drawings are fitted, and a program's own are scaled."""

from __future__ import annotations

import numpy as np

from emu.quickdraw.fonts.fitting import Merge, fitted_columns, merged, stem_of_serifed
from emu.quickdraw.fonts.glyphs import Glyph, Strike
from emu.quickdraw.fonts.metrics import Metrics, scaled_length

_LETTERS = bytes((*range(0x30, 0x3A), *range(0x41, 0x5B), *range(0x61, 0x7B)))
_NARROWEST_TO_WIDEN = 3
"""Narrower glyphs, such as those of i and l, are one stroke, which would become thicker."""


class FittedGlyphs:
    """Drawings made wider, narrower, higher or lower for measures that they were not drawn for.

    Args:
        strike: the drawings.
        metrics: the measures that they shall have.
    """

    def __init__(self, strike: Strike, metrics: Metrics) -> None:
        self._strike, self._metrics = strike, metrics
        self._times = times_larger(strike.size, metrics.size)
        self._rows = self._fitted_rows()

    def has(self, code: int) -> bool:
        """Whether a character is drawn."""
        return code in self._strike.glyphs

    def plain(self, code: int) -> Glyph:
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
            advance = scaled_length(drawn.advance, self._strike.size, metrics.size)
            advance = min(max(advance, min(drawn.advance, 1)), metrics.widest)
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
        columns = fitted_columns(pixels, times, width, most_harm=self._metrics.ascent // 4)
        lean = times * (2 * drawn.left + drawn.pixels.shape[1] - drawn.advance)
        left = max((advance - len(columns) + lean) // 2, min(times * drawn.left, 0))
        return Glyph(merged(pixels, columns), left, advance)

    def _fitted_rows(self) -> list[Merge]:
        """The drawings' rows that become the font's, the same for all glyphs.

        Letters become as much higher as the size is larger, but stay within ascent and descent, and
        leave a row for accents.
        """
        strike, metrics, times = self._strike, self._metrics, self._times
        drawn = [strike.glyphs[code].pixels for code in _LETTERS if code in strike.glyphs]
        spaced = [np.pad(pixels, ((0, 0), (0, 1))) for pixels in (*drawn, strike.missing.pixels)]
        letters = np.concatenate(spaced, axis=1)
        baseline = strike.ascent
        inked = np.nonzero(letters[:baseline].any(axis=1))[0]
        top = int(inked[0]) if len(inked) else 0

        def rows(first: int, end: int, most: int) -> list[Merge]:
            height = min(scaled_length(end - first, strike.size, metrics.size), most)
            part = letters[first:end].T
            fitted = fitted_columns(part, times, height, most_harm=part.size)
            return [tuple(first + row for row in merge) for merge in fitted]

        body = rows(top, baseline, metrics.ascent - 1 if top else metrics.ascent)
        above = rows(0, top, metrics.ascent - len(body))
        below = rows(baseline, len(letters), metrics.descent)
        blank: Merge = ()
        return [
            *[blank] * (metrics.ascent - len(above) - len(body)),
            *above,
            *body,
            *below,
            *[blank] * (metrics.descent - len(below)),
        ]


class ScaledGlyphs:
    """A program's own drawings, scaled by leaving out or repeating pixels, as QuickDraw does.

    Args:
        strike: the drawings.
        metrics: their measures, scaled.
    """

    def __init__(self, strike: Strike, metrics: Metrics) -> None:
        self._strike, self._metrics = strike, metrics

    def has(self, code: int) -> bool:
        """Whether a character is drawn."""
        return code in self._strike.glyphs

    def plain(self, code: int) -> Glyph:
        """The glyph of a character, or the one for all others."""
        strike, metrics = self._strike, self._metrics
        drawn = strike.glyphs.get(code, strike.missing)
        if metrics.size == strike.size:
            return drawn
        high, wide = drawn.pixels.shape
        height = metrics.ascent + metrics.descent
        width = max(scaled_length(wide, strike.size, metrics.size), 1) if wide else 0
        rows, columns = np.arange(height) * high // height, np.arange(width) * wide // max(width, 1)
        left = scaled_length(drawn.left, strike.size, metrics.size)
        advance = metrics.advances.get(code, metrics.missing)
        return Glyph(drawn.pixels[rows][:, columns], left, advance)


def times_larger(drawn: int, size: int) -> int:
    """By which whole number drawings become larger for a size; strokes become as much thicker.

    From 1.6 times the size on, strokes of two pixels are nearer to right than those of one.
    """
    return max((10 * size + 4 * drawn) // (10 * drawn), 1)
