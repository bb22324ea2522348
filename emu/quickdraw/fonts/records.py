"""Bitmap fonts as 'FONT' and 'NFNT' resources hold them.

A record has metrics, one picture with all glyphs side by side, a table of where each begins in it,
and a table of each glyph's offset and width.
Source: Inside Macintosh I, The Font Manager, "Format of a Font"; Inside Macintosh: Text, chapter 4.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from emu.quickdraw.bitmap import Mask
from emu.quickdraw.fonts.glyphs import Glyph, Strike

_RECORD = struct.Struct(">H7hH3hH")
_OFFSET_FIELD = 16
"""Where owTLoc is, from which it counts in words."""
_DEPTH_BITS = 0x0C
_NO_GLYPH = 0xFFFF
_TALLEST = 512
"""More rows than any bitmap font has, so that a damaged record takes no memory."""


class DamagedFontError(ValueError):
    """A font record cannot be used; the text says why."""


class FontSource(Protocol):
    """Who has fonts besides macproof's own: the resources of a program."""

    def strikes(self, family: int) -> dict[int, Strike]:
        """The fonts of a family, by size; none if the family is not there."""


@dataclass(frozen=True, slots=True)
class FontSize:
    """One size of a font family, as its 'FOND' resource lists it.

    Attributes:
        size: in points.
        number: the ID of its 'NFNT' or 'FONT' resource.
    """

    size: int
    number: int


_FAMILY_SIZE = 52
_ASSOCIATION = struct.Struct(">HHh")


def plain_sizes(family: bytes) -> list[FontSize]:
    """The bitmap fonts of a 'FOND' resource that have no style; those cut off are left out."""
    if len(family) < _FAMILY_SIZE + 2:
        return []
    (last,) = struct.unpack_from(">h", family, _FAMILY_SIZE)
    start, step = _FAMILY_SIZE + 2, _ASSOCIATION.size
    places = range(start, min(start + step * (last + 1), len(family) - step + 1), step)
    listed = [_ASSOCIATION.unpack_from(family, place) for place in places]
    return [FontSize(size, number) for size, style, number in listed if size and not style]


def parse_font_record(data: bytes, size: int) -> Strike:
    """Read a font.

    Args:
        data: the contents of the resource.
        size: its size in points, which the record does not have.

    Raises:
        DamagedFontError: it is cut off, has glyphs in colour, or its numbers contradict.
    """
    if len(data) < _RECORD.size:
        raise DamagedFontError(f"it has {len(data)} bytes of a font's header of {_RECORD.size}")
    fields = _RECORD.unpack_from(data)
    kind, first, last, _, kern_max, high, _, height, place = fields[:9]
    ascent, descent, leading, row_words = fields[9:]
    if kind & _DEPTH_BITS:
        raise DamagedFontError("its glyphs have colours")
    count = last - first + 3
    if not 3 <= count <= 258 or not 0 < height <= _TALLEST or ascent + descent > _TALLEST:
        raise DamagedFontError(f"characters {first} to {last} of {height} rows cannot be")
    if high > 0:  # it is nDescent, or the high word of a large offset
        place |= high << 16
    image_size = 2 * row_words * height
    widths = _OFFSET_FIELD + 2 * place
    if max(_RECORD.size + image_size + 2 * count, widths + 2 * count - 2) > len(data):
        raise DamagedFontError(f"its tables end behind its {len(data)} bytes")
    image = np.frombuffer(data, np.uint8, image_size, _RECORD.size).reshape(height, -1)
    pixels = _rows(np.unpackbits(image, axis=1).astype(np.bool_), max(ascent + descent, 1))
    columns = np.frombuffer(data, ">u2", count, _RECORD.size + image_size)
    measures = np.frombuffer(data, ">u2", count - 1, widths)
    drawn = {
        first + index: _glyph(pixels, int(columns[index]), int(columns[index + 1]), value, kern_max)
        for index, value in enumerate(measures.tolist())
        if value != _NO_GLYPH
    }
    missing = drawn.pop(last + 1, None) or Glyph(pixels[:, :0], 0, 0)
    return Strike(size, ascent, descent, leading, drawn, missing)


def _rows(pixels: Mask, height: int) -> Mask:
    """As many rows as ascent and descent together: some are cut off, or white ones added."""
    return np.pad(pixels[:height], ((0, max(height - len(pixels), 0)), (0, 0)))


def _glyph(pixels: Mask, start: int, end: int, measure: int, kern_max: int) -> Glyph:
    return Glyph(pixels[:, start : max(start, end)], kern_max + (measure >> 8), measure & 0xFF)
