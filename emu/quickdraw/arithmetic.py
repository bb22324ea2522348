"""The arithmetic transfer modes and ``hilite``: they combine the colours of pixels.

They work on bit maps of two bits a pixel and more. Each of red, green and blue is computed on its
own, from 0 to 255, and the result becomes the nearest colour that the bit map has.
Source: Inside Macintosh: Imaging With QuickDraw, chapter 4 ("Arithmetic Transfer Modes" and
"Highlighting").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw.bitmap import Cells, PixelView
from emu.quickdraw.color_space import Pixels
from emu.quickdraw.transfer import (
    AD_MAX,
    AD_MIN,
    ADD_OVER,
    ADD_PIN,
    BLEND,
    HILITE,
    SRC_COPY,
    SUB_OVER,
    SUB_PIN,
    TRANSPARENT,
    transfer,
)

_DITHER = 64


@dataclass(frozen=True, slots=True)
class ArithmeticTerms:
    """What a port adds to the arithmetic modes, as colours of 0 to 255.

    Attributes:
        operand: the weight of the source in ``blend``, and where ``addPin`` and ``subPin`` stop
            (the procedure OpColor).
        highlight: what ``hilite`` puts in place of the background.
    """

    operand: tuple[int, int, int] = (0, 0, 0)
    highlight: tuple[int, int, int] = (0, 0, 0)


NO_TERMS = ArithmeticTerms()


def is_arithmetic(mode: int, bitmap: PixelView) -> bool:
    """Whether a mode combines colours in a bit map; with one bit a boolean mode replaces it."""
    return bitmap.depth > 1 and (BLEND <= mode & ~_DITHER <= AD_MIN or mode == HILITE)


def combine(
    bitmap: PixelView,
    box: tuple[int, int, int, int],
    source: Pixels,
    stencil: Cells | int,
    mode: int,
    background: int,
    terms: ArithmeticTerms = NO_TERMS,
) -> None:
    """Transfer pixels to a box of a bit map.

    Args:
        bitmap: the destination.
        box: top, left, bottom and right of a rectangle inside its bounds, which is not empty.
        source: pixel values of the destination, in the shape of the box.
        stencil: the bits that may change.
        mode: an arithmetic mode or ``hilite``, with or without the dithering flag.
        background: the pixel value of the background.
        terms: what the port adds.
    """
    cells, left = bitmap.cells(*box), box[1]
    old = bitmap.unpack(cells, left, box[3] - left) if bitmap.depth < 8 else cells.copy()
    mode &= ~_DITHER
    if mode == TRANSPARENT:
        new = np.where(source == background, old, source)
    elif mode == HILITE:
        highlight = bitmap.space.pixel(terms.highlight)
        swapped = np.where(old == highlight, background, old)
        swapped = np.where(old == background, highlight, swapped)
        new = np.where(source == background, old, swapped)
    else:
        new = _combined(bitmap, old, source, mode, terms)
    packed = bitmap.pack_pixels(new.astype(old.dtype), left)
    transfer(cells, packed, stencil, SRC_COPY, (bitmap.full, 0))


def _combined(
    bitmap: PixelView, old: Pixels, source: Pixels, mode: int, terms: ArithmeticTerms
) -> Pixels:
    """The result for each pixel; every pair of old and new pixel is computed once."""
    pairs = old.astype(np.uint64) << np.uint64(32) | source.astype(np.uint64)
    different, places = np.unique(pairs, return_inverse=True)
    space = bitmap.space
    before = space.colors((different >> np.uint64(32)).astype(old.dtype)).astype(np.int64)
    given = space.colors((different & np.uint64(0xFFFFFFFF)).astype(old.dtype)).astype(np.int64)
    pixels = space.pixels(_result(before, given, mode, np.array(terms.operand)))
    return np.asarray(pixels[places.reshape(-1)].reshape(old.shape))


def _result(
    old: NDArray[Any], source: NDArray[Any], mode: int, operand: NDArray[Any]
) -> NDArray[Any]:
    """The colours for rows of colours before, and of colours given."""
    modes: dict[int, Callable[[], NDArray[Any]]] = {
        BLEND: lambda: (source * operand + old * (255 - operand)) // 255,
        ADD_PIN: lambda: np.minimum(old + source, operand),
        ADD_OVER: lambda: old + source & 255,
        SUB_PIN: lambda: np.maximum(old - source, operand),
        SUB_OVER: lambda: old - source & 255,
        AD_MAX: lambda: np.maximum(old, source),
        AD_MIN: lambda: np.minimum(old, source),
    }
    return modes[mode]()
