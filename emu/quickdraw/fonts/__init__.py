"""Fonts: measures of Apple's, and drawings of macproof's that are fitted to them."""

from emu.quickdraw.fonts.book import (
    APPLICATION_FAMILY,
    COURIER_FAMILY,
    GENEVA_FAMILY,
    MONACO_FAMILY,
    SYSTEM_FAMILY,
    FontBook,
    is_bitmap,
)
from emu.quickdraw.fonts.font import Font
from emu.quickdraw.fonts.styles import (
    BOLD,
    CENTER,
    CONDENSE,
    EXTEND,
    ITALIC,
    OUTLINE,
    SHADOW,
    UNDERLINE,
    StyledGlyph,
)

__all__ = [
    "APPLICATION_FAMILY",
    "BOLD",
    "CENTER",
    "CONDENSE",
    "COURIER_FAMILY",
    "EXTEND",
    "GENEVA_FAMILY",
    "ITALIC",
    "MONACO_FAMILY",
    "OUTLINE",
    "SHADOW",
    "SYSTEM_FAMILY",
    "UNDERLINE",
    "Font",
    "FontBook",
    "StyledGlyph",
    "is_bitmap",
]
