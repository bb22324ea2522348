"""The neighbour routines of a post on linear quadtrees, as printed and corrected.

The post gives two listings: a C expression for the neighbour above and to the right, printed with
the eleven machine words that a compiler made of it, and inline assembly for all eight neighbours
on a torus. Both subtract 1 from a coordinate with a constant that is not the *dilated* 1:

* ``minus_one`` is 0xffff in the expression. It is subtracted, so it should be the dilated -1 of
  x, whose bits are all ones: 0x5555. Subtracting 0xffff modulo 2**16 is adding 1, and the carry
  then falls into a gap and is lost.
* the assembly *adds* -1 to values whose gaps are filled with ones. Only bit 0 changes; no borrow
  passes the gaps. It should add the dilated -1 of each axis: 0x5555 for x, 0xaaaa for y.

Here every number of sixteen bits is a value modulo 2**16, as in the machine. The computations are
expressed anew; the listings are not repeated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.quadtree.morton import NARROW, OFFSETS, Codes

PRINTED_MINUS_ONE = 0xFFFF
REPAIRED_MINUS_ONE = NARROW.mask_x

PRINTED_STEPS = (0xFFFF, 0xFFFF)
"""The numbers that the printed assembly adds to go left and up, modulo 2**16."""
REPAIRED_STEPS = (NARROW.mask_x, NARROW.mask_y)
"""The numbers that it should add."""

_MASK, _X, _Y = NARROW.mask, NARROW.mask_x, NARROW.mask_y


def top_right_of_listing(codes: ArrayLike, minus_one: int = PRINTED_MINUS_ONE) -> Codes:
    """The code above and to the right, by the printed expression; unsigned, shape kept.

    Args:
        codes: 16-bit codes.
        minus_one: the constant that is subtracted from x.
    """
    m = np.asarray(codes, dtype=np.int64)
    x = ((m & _X) - minus_one) & _X
    y = ((m & _Y) - 1) & _Y
    return x | y


def as_int16(codes: Codes) -> NDArray[np.int16]:
    """The codes as ``int16_t``; half of them become negative."""
    return codes.astype(np.uint16).view(np.int16)


def neighbours_of_listing(
    codes: ArrayLike,
    steps: tuple[int, int] = PRINTED_STEPS,
    *,
    input_overwritten: bool = False,
) -> Codes:
    """The eight neighbours on a torus, by the printed assembly; shape ``(n, 8)``.

    Args:
        codes: 16-bit codes, shape ``(n,)``.
        steps: the numbers that are added to go left and up.
        input_overwritten: whether the compiler keeps the first temporary in the register of the
            input, which the constraints of the listing allow: outputs are written before the
            input is read for the last time.
    """
    m = np.asarray(codes, dtype=np.int64)
    across = m | _Y
    down = (across if input_overwritten else m) | _X
    left, up = steps
    x = {-1: (across + left) & _X, 0: across & _X, 1: (across + 1) & _X}
    y = {-1: (down + up) & _Y, 0: down & _Y, 1: (down + 1) & _Y}
    return np.stack([x[dx] | y[dy] for dx, dy in OFFSETS], axis=-1) & _MASK
