"""Reads the fonts of macproof: text files with glyphs drawn with ``#`` and ``.``.

A font file begins with settings, one in a line (``ascent 12``). Then sheets follow. A sheet begins
with a line ``glyphs`` that names some characters, each by itself or by its MacRoman code
(``0xA5``). The lines after it, up to a blank line, hold one row of each glyph, side by side. The
first row of a sheet is the top row of capital letters (the setting ``capitals`` counts it from the
ascent). The glyph ``missing`` is drawn for characters without a glyph. Letters with accents are
combined from the letter and the accent. Lines that begin with ``;`` are comments.

Besides the metrics there are these settings: ``left``, the blank columns before a glyph; ``gap``,
the distance between a glyph's right edge and the pen's next place; ``advance``, how far the pen
moves in a font of fixed width; ``space``, how far it moves for a space.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources

import numpy as np

from emu.base.errors import UsageError
from emu.quickdraw.bitmap import Mask

# Combining marks of Unicode and the MacRoman codes of the accents that look like them.
_ACCENTS = {
    0x0300: 0x60,
    0x0301: 0xAB,
    0x0302: 0xF6,
    0x0303: 0xF7,
    0x0308: 0xAC,
    0x030A: 0xFB,
    0x0327: 0xFC,
}
_DOTLESS_I = 0xF5
_CEDILLA = 0xFC
_NO_BREAK_SPACE = 0xCA
_APPLE, _APPLE_OF_MACROMAN = 0x14, 0xF0
_MISSING = -1


@dataclass(frozen=True, slots=True)
class Glyph:
    """What one character looks like.

    Attributes:
        pixels: the glyph's rows, as many as the font's ascent and descent together.
        left: the place of the first column relative to the pen; negative if it is left of the pen.
        advance: how far the pen moves.
    """

    pixels: Mask
    left: int
    advance: int


@dataclass(frozen=True, slots=True)
class Strike:
    """A font in the one size in which it is drawn.

    Attributes:
        size: the size in points.
        ascent: the rows above the baseline.
        descent: the rows from the baseline down.
        leading: the blank rows between lines.
        glyphs: the glyphs by MacRoman code.
        missing: the glyph for all other characters.
    """

    size: int
    ascent: int
    descent: int
    leading: int
    glyphs: dict[int, Glyph]
    missing: Glyph


_NUL, _TAB, _RETURN = 0x00, 0x09, 0x0D
"""Characters that no font may lack, since TextEdit meets them (Inside Macintosh I, Font Manager).

They are usually of no width, here except in a font of fixed width; the tab may be a space.
"""


@functools.cache
def load_strike(name: str) -> Strike:
    """Read a font of the package, given its file name without the suffix.

    A font is read once; nothing changes what a `Strike` holds.
    """
    path = resources.files("emu.quickdraw.fonts") / f"{name}.txt"
    return parse_strike(path.read_text(encoding="utf-8"))


def parse_strike(text: str) -> Strike:
    """Read a font from the text of its file.

    Raises:
        UsageError: the text is not a font.
    """
    settings: dict[str, int] = {"advance": 0, "left": 0}
    drawn: dict[int, Mask] = {}
    lines = iter(text.splitlines())
    for line in lines:
        words = line.split()
        if not words or words[0] == ";":
            continue
        if words[0] == "glyphs":
            drawn.update(_sheet(words[1:], lines))
        elif len(words) == 2 and words[1].isdecimal():
            settings[words[0]] = int(words[1])
        else:
            raise UsageError(f"a font file with the line {line!r}")
    lacking = {"size", "ascent", "descent", "leading", "capitals", "space", "gap"} - settings.keys()
    if lacking or _MISSING not in drawn:
        raise UsageError(f"a font file without {', '.join(sorted(lacking)) or 'the missing glyph'}")
    return _strike(settings, drawn)


def _sheet(names: list[str], lines: Iterator[str]) -> dict[int, Mask]:
    """Read the glyphs of a sheet, by code; their rows are the lines up to a blank one."""
    rows: list[list[str]] = []
    for line in lines:
        if not line.strip():
            break
        rows.append(line.split())
        if len(rows[-1]) != len(names) or set(line) - set(" #."):
            raise UsageError(f"a font file with {line!r} under {len(names)} glyphs")
    sheet: dict[int, Mask] = {}
    for column, name in enumerate(names):
        drawing = [row[column] for row in rows]
        if len({len(row) for row in drawing}) != 1:
            raise UsageError(f"a font file with uneven rows in the glyph {name}")
        sheet[_code(name)] = np.array([[dot == "#" for dot in row] for row in drawing])
    return sheet


def _code(name: str) -> int:
    try:
        return _MISSING if name == "missing" else int(name, 16) if len(name) == 4 else ord(name)
    except (TypeError, ValueError):
        raise UsageError(f"a font file with a glyph named {name!r}") from None


def _strike(settings: dict[str, int], drawn: dict[int, Mask]) -> Strike:
    """Put drawn glyphs on the rows of a font, and add those that are combined from others."""
    height = settings["ascent"] + settings["descent"]
    glyphs: dict[int, Glyph] = {}
    for code, drawing in drawn.items():
        pixels = np.zeros((height, drawing.shape[1]), np.bool_)
        below = settings["capitals"]
        if below + len(drawing) > height:
            raise UsageError(f"a font file whose glyph 0x{code:02X} has {len(drawing)} rows")
        pixels[below : below + len(drawing)] = drawing
        advance = settings["advance"] or drawing.shape[1] + settings["gap"]
        glyphs[code] = Glyph(pixels, settings["left"], advance)
    missing = glyphs.pop(_MISSING)
    blank = Glyph(np.zeros((height, 0), np.bool_), 0, settings["space"])
    glyphs |= dict.fromkeys((ord(" "), _NO_BREAK_SPACE, _TAB), blank)
    glyphs |= dict.fromkeys((_NUL, _RETURN), Glyph(blank.pixels, 0, settings["advance"]))
    if _APPLE in glyphs:
        glyphs[_APPLE_OF_MACROMAN] = glyphs[_APPLE]
    for code in range(0x80, 0x100):
        if code not in glyphs and (accented := _accented(code, glyphs)) is not None:
            glyphs[code] = accented
    return Strike(
        settings["size"],
        settings["ascent"],
        settings["descent"],
        settings["leading"],
        glyphs,
        missing,
    )


def _accented(code: int, glyphs: dict[int, Glyph]) -> Glyph | None:
    """Combine a letter and its accent; None if the character is no letter with an accent."""
    letters = unicodedata.normalize("NFD", bytes((code,)).decode("mac_roman"))
    if len(letters) != 2 or ord(letters[1]) not in _ACCENTS or not letters[0].isascii():
        return None
    letter = glyphs.get(_DOTLESS_I if letters[0] == "i" else ord(letters[0]))
    accent = glyphs.get(_ACCENTS[ord(letters[1])])
    if letter is None or accent is None:
        return None
    mark = accent.pixels[np.any(accent.pixels, axis=1)]
    letter_top = int(np.argmax(np.any(letter.pixels, axis=1)))
    if _ACCENTS[ord(letters[1])] == _CEDILLA:
        top = int(np.argmax(np.any(accent.pixels, axis=1)))
    else:
        # One blank row stays between letter and accent, if there is room for it.
        top = max(letter_top - 1 - len(mark), 0)
    width, mark_width = letter.pixels.shape[1], mark.shape[1]
    left = (width - mark_width) // 2
    start = min(left, 0)
    pixels = np.zeros((len(letter.pixels), max(width, left + mark_width) - start), np.bool_)
    pixels[:, -start : width - start] = letter.pixels
    pixels[top : top + len(mark), left - start : left - start + mark_width] |= mark
    return Glyph(pixels, letter.left + start, letter.advance)
