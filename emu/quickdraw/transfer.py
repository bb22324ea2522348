"""Transfer modes: how source pixels are combined with those of the destination.

For black and white, QuickDraw has eight boolean modes (Inside Macintosh: Imaging With QuickDraw,
chapters 3 and 4). If the destination has one bit per pixel, each arithmetic mode of Color QuickDraw
is replaced by one of these (the same book, chapter 4).
"""

from __future__ import annotations

from typing import Any

from emu.base.errors import UsageError
from emu.quickdraw.bitmap import FULL, Cells, PixelView
from emu.quickdraw.color_space import Pixels

SRC_COPY, SRC_OR, SRC_XOR, SRC_BIC = range(4)
NOT_SRC_COPY, NOT_SRC_OR, NOT_SRC_XOR, NOT_SRC_BIC = range(4, 8)
PAT_COPY, PAT_OR, PAT_XOR, PAT_BIC = range(8, 12)
NOT_PAT_COPY, NOT_PAT_OR, NOT_PAT_XOR, NOT_PAT_BIC = range(12, 16)
NO_OPERATION = 23
"""A mode in which QuickDraw draws nothing: pictures hide in it what only a PostScript printer is to
draw (Apple's Technical Note QD 10, "Picture Comments")."""

BLEND, ADD_PIN, ADD_OVER, SUB_PIN, TRANSPARENT, AD_MAX, SUB_OVER, AD_MIN = range(32, 40)
GRAYISH_TEXT_OR = 49
HILITE = 50

Colors = tuple[int, int]
"""Foreground and background as pixel values; 1 and 0 are black and white in a bit map."""

_INVERTED = 4
_FULL = {1: FULL[8], 2: FULL[16], 4: FULL[32]}
"""A full cell, by its bytes."""
_FALL_BACK = {
    NO_OPERATION: SRC_OR,
    BLEND: SRC_COPY,
    ADD_PIN: SRC_BIC,
    ADD_OVER: SRC_XOR,
    SUB_PIN: SRC_OR,
    TRANSPARENT: SRC_OR,
    AD_MAX: SRC_BIC,
    SUB_OVER: SRC_XOR,
    AD_MIN: SRC_OR,
    GRAYISH_TEXT_OR: SRC_OR,
    HILITE: SRC_XOR,
}


def boolean_mode(mode: int) -> int:
    """The boolean mode, 0..7, for a transfer mode on black and white.

    Source and pattern modes of the same name give the same result. The dithering flag (64) is
    ignored, because without colours there is nothing to dither.

    Raises:
        UsageError: QuickDraw has no such mode.
    """
    plain = mode & ~64
    if 0 <= plain < 16:
        return plain & 7
    if plain in _FALL_BACK:
        return _FALL_BACK[plain]
    raise UsageError(f"QuickDraw has no transfer mode {mode}")


def cell_colors(colors: Colors | None, bitmap: PixelView) -> Colors:
    """Foreground and background as cells that are full of them; None means black on white."""
    full, depth, space = bitmap.full, bitmap.depth, bitmap.space
    foreground, background = (space.black, space.white) if colors is None else colors
    if depth == 1:
        return 255 if foreground else 0, 255 if background else 0
    if depth >= 8:
        return foreground & full, background & full
    most = (1 << depth) - 1
    pixels = full // most
    return (foreground & most) * pixels, (background & most) * pixels


def source_cells(bitmap: PixelView, pixels: Pixels, left: int) -> tuple[Cells, Colors]:
    """Rows of a bit map's pixel values as the source of a boolean transfer, and its colours.

    The modes take ones for black. Direct pixels have zeros there, so theirs are inverted, and the
    colours turn them back: combined with white nothing changes, combined with black it is black.

    Args:
        bitmap: the destination.
        pixels: rows of its pixel values.
        left: the coordinate of the first column.
    """
    if bitmap.depth <= 8:
        return bitmap.pack_pixels(pixels, left), (255, 0)
    return pixels ^ bitmap.full, (0, bitmap.full)


def transfer(
    destination: Cells,
    source: Cells | int,
    stencil: Cells | int,
    mode: int,
    colors: Colors = (255, 0),
) -> None:
    """Change cells in place.

    With all bits as the foreground and none as the background every mode works bit by bit, so
    source cells may hold coloured pixels. With other colours the source must be a mask: all bits of
    a pixel are the same.

    Args:
        destination: the cells to change.
        source: cells of the same shape, or an array that broadcasts to it.
        stencil: the bits that may change, in the same shape as ``source``.
        mode: a boolean mode, 0..7.
        colors: foreground and background as cells, see ``cell_colors``.
    """
    full = _FULL[destination.itemsize]
    bits: Any = source ^ full if mode & _INVERTED else source
    foreground, background = colors
    kind = mode & 3
    if kind == SRC_COPY:
        if colors != (full, 0):
            bits = (bits & foreground) | ((bits ^ full) & background)
        if isinstance(stencil, int) and stencil == full:
            destination[...] = bits
        elif isinstance(bits, int) and bits == 0:
            destination &= stencil ^ full
        else:
            destination ^= (destination ^ bits) & stencil
    elif kind == SRC_XOR:
        destination ^= bits & stencil
    else:
        value = foreground if kind == SRC_OR else background
        if value == full:
            destination |= bits & stencil
        elif value == 0:
            destination &= (bits & stencil) ^ full
        else:
            destination ^= (destination ^ value) & (bits & stencil)
