"""Chooses drawings and measures for a family and size."""

from __future__ import annotations

import functools

from emu.quickdraw.fonts.drawings import FittedGlyphs, ScaledGlyphs, times_larger
from emu.quickdraw.fonts.font import Font
from emu.quickdraw.fonts.glyphs import Strike, load_strike
from emu.quickdraw.fonts.metrics import drawn_metrics, nearest_size, sizes_of
from emu.quickdraw.fonts.records import FontSource
from emu.quickdraw.fonts.styles import heavy

SYSTEM_FAMILY, APPLICATION_FAMILY, GENEVA_FAMILY, MONACO_FAMILY, COURIER_FAMILY = 0, 1, 3, 4, 22

_EVEN_WIDTH = frozenset((MONACO_FAMILY, COURIER_FAMILY))
_DRAWN_SIZES = {"system": (12,), "application": (9, 12), "fixed": (9,)}
_STANDARD_SIZE, _SMALL = 12, 10
_LARGEST_SIZE = 127


class FontBook:
    """The fonts in use.

    Args:
        own: who has fonts that come before macproof's; None if nobody has.
    """

    def __init__(self, own: FontSource | None = None) -> None:
        self._own = own
        self._own_fonts: dict[tuple[int, int], Font] = {}

    def font(self, family: int, size: int) -> Font:
        """The font for a family and a size.

        A font that `own` has comes first, in its size and where its size is the nearest. Else the
        measures are those of Apple's font, or those of Geneva for a family whose measures are not
        known; a size without measures is scaled from another as the Font Manager does.

        There are drawings for three kinds of families: the system font (0), fonts of fixed width
        (Monaco, Courier), and all others, which look like the application font. The small system
        font is the small application font in bold, since strokes of two pixels merge when they are
        scaled down.

        Args:
            family: the number of the family, as TextFont takes it.
            size: the size in points; 0 means 12. A number outside 1..127 means the nearest one
                inside.
        """
        size = min(max(size, 1), _LARGEST_SIZE) if size else _STANDARD_SIZE
        strikes = self._own.strikes(family) if self._own is not None else {}
        nearest = nearest_size({*strikes, *sizes_of(family)}, size) if strikes else 0
        own = strikes.get(nearest)
        return self._own_font(own, size) if own is not None else _font(_measured(family), size)

    def _own_font(self, strike: Strike, size: int) -> Font:
        font = self._own_fonts.get((id(strike), size))
        if font is None:  # the font keeps the strike, so that its id stays
            metrics = drawn_metrics(strike).scaled(size)
            font = Font(metrics, ScaledGlyphs(strike, metrics))
            self._own_fonts[id(strike), size] = font
        return font


def is_bitmap(family: int, size: int) -> bool:
    """Whether a font of Apple's comes in a size without being scaled."""
    family = GENEVA_FAMILY if family == APPLICATION_FAMILY else family
    return size in sizes_of(family)


def _measured(family: int) -> int:
    """The family whose measures are taken: Geneva's are the application font's."""
    return family if sizes_of(family) else GENEVA_FAMILY


@functools.cache
def _font(family: int, size: int) -> Font:
    """A font of macproof's; all programs of a process share it, as nothing in it changes."""
    sizes = sizes_of(family)
    metrics = sizes[nearest_size(sizes, size)].scaled(size)
    if family == SYSTEM_FAMILY and size <= _SMALL:
        strike = heavy(_strike("application", size))
    elif family == SYSTEM_FAMILY:
        strike = _strike("system", size)
    else:
        strike = _strike("fixed" if family in _EVEN_WIDTH else "application", size)
    return Font(metrics, FittedGlyphs(strike, metrics))


def _strike(face: str, size: int) -> Strike:
    """The drawing of which a multiple is nearest to a size; of several, the largest."""

    def distance(drawn: int) -> tuple[int, int]:
        return abs(size - times_larger(drawn, size) * drawn), -drawn

    return load_strike(f"{face}_{min(_DRAWN_SIZES[face], key=distance)}")
