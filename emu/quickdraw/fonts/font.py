"""One family in one size."""

from __future__ import annotations

from typing import Protocol

from emu.quickdraw.fonts.glyphs import Glyph
from emu.quickdraw.fonts.metrics import Metrics
from emu.quickdraw.fonts.styles import UNDERLINE, StyledGlyph, styled


class PlainGlyphs(Protocol):
    """Glyphs without a style, by MacRoman code, with as many rows as ascent and descent."""

    def has(self, code: int) -> bool:
        """Whether a character has a glyph."""

    def plain(self, code: int) -> Glyph:
        """The glyph of a character, or the one for all others."""


class Font:
    """One family in one size.

    Args:
        metrics: the measures.
        glyphs: the drawings, which have these measures.

    Attributes:
        size: the size in points.
        ascent: the rows above the baseline.
        descent: the rows from the baseline down.
        leading: the blank rows between lines.
        wid_max: the widest character's advance.
    """

    def __init__(self, metrics: Metrics, glyphs: PlainGlyphs) -> None:
        self.size = metrics.size
        self.ascent, self.descent = metrics.ascent, metrics.descent
        self.leading, self.wid_max = metrics.leading, metrics.widest
        self._glyphs = glyphs
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
        return self._glyphs.has(code)

    def glyph(self, code: int, style: int = 0) -> StyledGlyph:
        """The glyph of a character in a style; underlines are drawn below whole texts instead."""
        key = code, style & ~UNDERLINE
        glyph = self._styled.get(key)
        if glyph is None:
            glyph = self._styled[key] = styled(self._glyphs.plain(code), self.ascent, style)
        return glyph
