"""SANE's exceptions: which of them storing a number raises.

Source: Apple Numerics Manual, second edition (exceptions and the environment word).
"""

from __future__ import annotations

from enum import IntFlag
from fractions import Fraction

from emu.base.exact_numbers import NEAREST, ExactNumber, rounded

_TOO_LARGE = {
    "extended": Fraction(1 << 16384),
    "double": Fraction(1 << 1024),
    "single": Fraction(1 << 128),
}
"""The power of two after the largest number of each format."""

_SMALLEST_NORMAL = {
    "extended": Fraction(1, 1 << 16383),
    "double": Fraction(1, 1 << 1022),
    "single": Fraction(1, 1 << 126),
}


class Exceptions(IntFlag):
    """The exceptions, as bits; FTESTXCP and FSETXCP take the number of the bit."""

    INVALID = 1
    UNDERFLOW = 2
    OVERFLOW = 4
    DIVIDE_BY_ZERO = 8
    INEXACT = 16


def is_denormal(value: ExactNumber, form: str) -> bool:
    """Whether a number is too small for a format's full precision; whole numbers never are."""
    smallest = _SMALLEST_NORMAL.get(form)
    size = value.magnitude
    return smallest is not None and size is not None and 0 < size < smallest


def raised_by(
    exact: ExactNumber,
    stored: ExactNumber,
    form: str,
    operands: tuple[ExactNumber, ...],
    direction: int = NEAREST,
) -> Exceptions:
    """The exceptions of an operation.

    Args:
        exact: its result before it was rounded.
        stored: after.
        form: the format in which it is stored; see `emu.base.exact_numbers.FORMATS`.
        operands: what it was computed from.
        direction: in which it was rounded.
    """
    is_whole = form not in _SMALLEST_NORMAL
    if exact.nan:
        is_nan = any(operand.nan for operand in operands) and not is_whole
        return Exceptions(0) if is_nan else Exceptions.INVALID
    if exact.magnitude is None:
        return Exceptions.INVALID if is_whole else Exceptions(0)
    if is_whole and (stored.nan or stored.value != rounded(exact.value, direction)):
        return Exceptions.INVALID
    # Rounded towards zero, what is too large becomes the largest number and not infinity.
    if stored.magnitude is None or (not is_whole and exact.magnitude >= _TOO_LARGE[form]):
        return Exceptions.OVERFLOW | Exceptions.INEXACT
    if stored.magnitude == exact.magnitude:
        return Exceptions(0)
    small = is_denormal(exact, form)
    return Exceptions.INEXACT | Exceptions.UNDERFLOW if small else Exceptions.INEXACT
