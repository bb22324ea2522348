"""How wide and high Apple's bitmap fonts are, by which programs of the time were laid out.

The numbers are in ``widths.txt``, with their source. The drawings are macproof's own, and are
fitted to them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources

from emu.base.errors import UsageError
from emu.quickdraw.fonts.glyphs import Strike

_NO_GLYPH = "."


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures of a font in one size, in pixels.

    Attributes:
        size: the size in points.
        ascent: the rows above the baseline.
        descent: the rows from the baseline down.
        leading: the blank rows between lines.
        widest: the greatest advance.
        missing: the advance of a character without a glyph.
        advances: how far each other character moves the pen, by MacRoman code.
    """

    size: int
    ascent: int
    descent: int
    leading: int
    widest: int
    missing: int
    advances: Mapping[int, int]

    def scaled(self, size: int) -> Metrics:
        """The measures in another size, each rounded by itself; an advance stays above 0."""

        def length(pixels: int) -> int:
            return scaled_length(pixels, self.size, size)

        def advance(pixels: int) -> int:
            return max(length(pixels), 1) if pixels else 0

        if size == self.size:
            return self
        return Metrics(
            size,
            max(length(self.ascent), 1),
            length(self.descent),
            length(self.leading),
            advance(self.widest),
            advance(self.missing),
            {code: advance(pixels) for code, pixels in self.advances.items()},
        )


def scaled_length(pixels: int, size: int, wanted: int) -> int:
    """A length of a font in one size, in another size, rounded."""
    return (2 * pixels * wanted + size) // (2 * size)


def drawn_metrics(strike: Strike) -> Metrics:
    """The measures with which a font was drawn."""
    advances = {code: glyph.advance for code, glyph in strike.glyphs.items()}
    missing = strike.missing.advance
    widest = max(missing, *advances.values(), 1) if advances else max(missing, 1)
    return Metrics(
        strike.size, strike.ascent, strike.descent, strike.leading, widest, missing, advances
    )


def nearest_size(sizes: Iterable[int], wanted: int) -> int:
    """The size from which the Font Manager scales a font.

    It is the size itself, else twice the size, else half of it, else the nearest, of two the larger
    one (Apple's ROM sources of 1994, FontMgr/FontMgr.a, NewFontLookUp).
    """
    there = set(sizes)
    for size in (wanted, 2 * wanted, wanted // 2 if wanted % 2 == 0 else wanted):
        if size in there:
            return size
    return min(there, key=lambda size: (abs(size - wanted), -size))


def sizes_of(family: int) -> Mapping[int, Metrics]:
    """The measures of a family of Apple's, by size; none if they are not known."""
    return _all_metrics().get(family, {})


@functools.cache
def _all_metrics() -> dict[int, dict[int, Metrics]]:
    path = resources.files("emu.quickdraw.fonts") / "widths.txt"
    return parse_metrics(path.read_text(encoding="utf-8"))


def parse_metrics(text: str) -> dict[int, dict[int, Metrics]]:
    """Read the measures of fonts, by family and size.

    Raises:
        UsageError: the text does not have the form that the head of ``widths.txt`` describes.
    """
    families: dict[int, dict[int, Metrics]] = {}
    advances: dict[int, int] = {}
    for line in text.splitlines():
        words = line.split()
        if not words or words[0] == ";":
            continue
        try:
            if words[0] == "family":
                advances = {}
                settings = dict(zip(words[::2], map(int, words[1::2]), strict=True))
                family = families.setdefault(settings.pop("family"), {})
                family[settings["size"]] = Metrics(**settings, advances=advances)
            else:
                first = int(words[0], 16)
                row = enumerate(words[1:], first)
                advances |= {code: int(word) for code, word in row if word != _NO_GLYPH}
        except (TypeError, ValueError) as error:
            raise UsageError(f"a file of font widths with the line {line!r}") from error
    return families
