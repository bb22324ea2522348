"""Exact binary numbers, and the one rounding that an operation makes of them.

A number is an integer times a power of two, so that sums and products have no error. Source: IEEE
Standard 754-1985, sections 4 and 7; PowerPC Architecture, Book I, floating-point execution models,
for what differs where an exception is enabled.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

_FRACTION, _BIAS, _LEAST = 52, 1023, -1074
_HIDDEN, _INFINITE = 1 << _FRACTION, 0x7FF << _FRACTION
SIGN, QUIET = 1 << 63, 1 << 51
"""Bits of a double number: its sign, and what tells a quiet NaN from a signalling one."""


class Rounding(IntEnum):
    """Directions, by the numbers of the PowerPC's FPSCR[RN]."""

    NEAREST, TO_ZERO, UP, DOWN = range(4)


@dataclass(frozen=True, slots=True)
class Precision:
    """A format that results are rounded to.

    Attributes:
        bits: the significant bits of a normal number.
        least: the exponent of the least normal number.
        most: the exponent of the largest number.
        wrap: by how much an exponent out of range is changed if that exception is enabled.
    """

    bits: int
    least: int
    most: int
    wrap: int


SINGLE = Precision(24, -126, 127, 192)
DOUBLE = Precision(53, -1022, 1023, 1536)


@dataclass(frozen=True, slots=True)
class ExactBinary:
    """A finite number: ``mantissa * 2**exponent``, negative if ``sign`` is 1.

    Attributes:
        sign: 0 or 1; zero has one, too.
        mantissa: at least 0.
        exponent: of two.
    """

    sign: int
    mantissa: int
    exponent: int

    def plus(self, other: ExactBinary, rounding: Rounding) -> ExactBinary:
        """The sum; an exact zero of opposite numbers is negative only where rounding is down."""
        exponent = min(self.exponent, other.exponent)
        mine = (-1) ** self.sign * (self.mantissa << self.exponent - exponent)
        further = (-1) ** other.sign * (other.mantissa << other.exponent - exponent)
        total = mine + further
        if total:
            return ExactBinary(int(total < 0), abs(total), exponent)
        is_same = self.sign == other.sign
        return ExactBinary(self.sign if is_same else int(rounding == Rounding.DOWN), 0, exponent)

    def times(self, other: ExactBinary) -> ExactBinary:
        """The product."""
        sign = self.sign ^ other.sign
        return ExactBinary(sign, self.mantissa * other.mantissa, self.exponent + other.exponent)

    def over(self, other: ExactBinary) -> ExactBinary:
        """The quotient by a number other than 0, with a lowest bit that says whether more follow.

        It has 64 bits or more, so that every rounding is that of the true quotient.
        """
        shift = max(0, 64 - self.mantissa.bit_length() + other.mantissa.bit_length())
        quotient, rest = divmod(self.mantissa << shift, other.mantissa)
        exponent = self.exponent - other.exponent - shift
        return ExactBinary(self.sign ^ other.sign, quotient << 1 | bool(rest), exponent - 1)


@dataclass(frozen=True, slots=True)
class RoundedBinary:
    """A number after rounding.

    Attributes:
        bits: as a double number.
        is_incremented: whether its fraction was made larger.
        is_inexact: whether it differs from the exact number.
        has_overflowed: whether it was too large for the format.
        is_tiny: whether the exact number was below all normal ones.
    """

    bits: int
    is_incremented: bool = False
    is_inexact: bool = False
    has_overflowed: bool = False
    is_tiny: bool = False


def is_nan(bits: int) -> bool:
    """Whether a double number is none."""
    return bits & ~SIGN > _INFINITE


def is_signalling(bits: int) -> bool:
    """Whether a double number is a signalling NaN."""
    return is_nan(bits) and not bits & QUIET


def is_infinite(bits: int) -> bool:
    """Whether a double number is infinite."""
    return bits & ~SIGN == _INFINITE


def infinity(sign: int) -> int:
    """The double number that is infinite, with a sign of 0 or 1."""
    return sign << 63 | _INFINITE


def exact(bits: int) -> ExactBinary:
    """The value of a finite double number."""
    exponent, fraction = bits >> _FRACTION & 0x7FF, bits & _HIDDEN - 1
    mantissa = fraction | _HIDDEN if exponent else fraction
    return ExactBinary(bits >> 63, mantissa, max(exponent, 1) - _BIAS - _FRACTION)


def to_integer(number: ExactBinary, rounding: Rounding) -> tuple[int, bool, bool]:
    """A number as an integer; whether its size was incremented, and whether it is inexact."""
    kept, is_up, is_inexact = _shifted(number, -number.exponent, rounding)
    return (-kept if number.sign else kept), is_up, is_inexact


def round_to(
    number: ExactBinary,
    precision: Precision,
    rounding: Rounding,
    *,
    wraps_overflow: bool = False,
    wraps_underflow: bool = False,
) -> RoundedBinary:
    """Round a number once.

    Args:
        number: the exact result of an operation.
        precision: the format.
        rounding: the direction.
        wraps_overflow: whether a number that is too large gets a smaller exponent in place of an
            infinity.
        wraps_underflow: whether a tiny number keeps all its bits and gets a larger exponent.
    """
    if not number.mantissa:
        return RoundedBinary(number.sign << 63)
    exponent = number.exponent + number.mantissa.bit_length() - 1
    is_tiny = exponent < precision.least
    is_wrapped = is_tiny and wraps_underflow
    last = (exponent if is_wrapped else max(exponent, precision.least)) - precision.bits + 1
    kept, is_up, is_inexact = _shifted(number, last - number.exponent, rounding)
    has_overflowed = last + kept.bit_length() - 1 > precision.most
    if has_overflowed and not wraps_overflow:
        is_infinite = rounding == Rounding.NEAREST or rounding == Rounding.UP + number.sign
        largest = _double(number.sign, (1 << precision.bits) - 1, precision.most, precision)
        bits = infinity(number.sign) if is_infinite else largest
        return RoundedBinary(bits, is_up, True, True)
    last += precision.wrap * (is_wrapped - has_overflowed)
    bits = _double(number.sign, kept, last + precision.bits - 1, precision)
    return RoundedBinary(bits, is_up, is_inexact, has_overflowed, is_tiny)


def _double(sign: int, mantissa: int, exponent: int, precision: Precision) -> int:
    """A double number of a mantissa whose highest bit, of those of the format, has an exponent."""
    last = exponent - precision.bits + 1
    is_carried = mantissa >> _FRACTION + 1  # rounding has made it a power of two
    shift = max(last + is_carried, _LEAST) - last
    mantissa, last = mantissa >> shift, last + shift  # only what the manual leaves undefined
    if not mantissa:
        return sign << 63
    shift = min(_FRACTION + 1 - mantissa.bit_length(), last - _LEAST)
    mantissa, last = mantissa << shift, last - shift
    # The hidden bit of a normal number adds the 1 that a denormal one's exponent lacks.
    return sign << 63 | (last - _LEAST << _FRACTION) + mantissa


def _shifted(number: ExactBinary, shift: int, rounding: Rounding) -> tuple[int, bool, bool]:
    """A mantissa without its lowest bits; whether it was incremented, and was not exact."""
    if shift <= 0:
        return number.mantissa << -shift, False, False
    kept = number.mantissa >> shift
    rest = number.mantissa - (kept << shift)
    if rounding == Rounding.NEAREST:
        is_up = 2 * rest + (kept & 1) > 1 << shift
    else:
        is_up = bool(rest) and rounding == Rounding.UP + number.sign
    return kept + is_up, is_up, bool(rest)
