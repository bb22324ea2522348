"""Exact arithmetic on floating-point numbers, and the formats of SANE, Apple's numerics package.

A number is an exact fraction, or infinite, or not a number (NaN). It is rounded only when it is
stored in one of SANE's formats.
Source: Apple Numerics Manual, second edition, chapters 2 to 5 (formats, rounding), and appendix on
the 68000 implementation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

NEAREST, UPWARD, DOWNWARD, TOWARD_ZERO = range(4)
"""Directions in which a result is rounded."""

SQUARE_ROOT_OF_NEGATIVE, ADDED_INFINITIES, DIVIDED_ZEROS = 1, 2, 4
MULTIPLIED_ZERO_INFINITY, REMAINDER, CONVERTED_TEXT = 8, 9, 17
CONVERTED_COMP, WITHOUT_CODE = 20, 21
TRIGONOMETRIC, INVERSE_TRIGONOMETRIC, LOGARITHM = 33, 34, 36
GENERAL_POWER, FINANCIAL, INVERSE_HYPERBOLIC = 37, 38, 40
"""Codes in a NaN that tell which operation made it (Apple Numerics Manual, "NaNs")."""

_INTEGER_SIZES = {"integer": 2, "long": 4, "comp": 8}
FORMATS = {
    "extended": 10,
    "double": 8,
    "single": 4,
    "integer": 2,
    "long": 4,
    "comp": 8,
}
"""The size of each format in bytes."""

_BEYOND_ALL, _BELOW_ALL = Fraction(1 << 17000), Fraction(1, 1 << 17000)
"""Larger than all finite numbers of all formats, and smaller than all above zero."""

_DOUBLE = (11, 52)
_SINGLE = (8, 23)


@dataclass(frozen=True, slots=True)
class ExactNumber:
    """A number.

    Attributes:
        negative: whether it has a minus sign; zero can have one.
        magnitude: its value without the sign; None if it is infinite or a NaN.
        nan: for a NaN, the code that tells what made it; else 0.
    """

    negative: bool
    magnitude: Fraction | None
    nan: int = 0

    @property
    def is_infinite(self) -> bool:
        """Whether it is infinite."""
        return self.magnitude is None and not self.nan

    @property
    def is_zero(self) -> bool:
        """Whether it is zero of either sign."""
        return self.magnitude == 0

    @property
    def value(self) -> Fraction:
        """A finite number as a fraction."""
        assert self.magnitude is not None
        return -self.magnitude if self.negative else self.magnitude

    @property
    def approximate(self) -> float:
        """The nearest Python float, which has 53 bits."""
        if self.nan:
            return math.nan
        if self.magnitude is None:
            return -math.inf if self.negative else math.inf
        try:
            size = float(self.magnitude)
        except OverflowError:
            size = math.inf
        return -size if self.negative else size


def number(value: Fraction | int, *, negative_zero: bool = False) -> ExactNumber:
    """A finite number."""
    return ExactNumber(value < 0 or (value == 0 and negative_zero), abs(Fraction(value)))


def infinite(negative: bool) -> ExactNumber:
    """Infinity."""
    return ExactNumber(negative, None)


def no_number(code: int) -> ExactNumber:
    """A NaN."""
    return ExactNumber(False, None, code or WITHOUT_CODE)


def from_float(value: float) -> ExactNumber:
    """Make a number of a Python float."""
    if math.isnan(value):
        return no_number(0)
    if math.isinf(value):
        return infinite(value < 0)
    return ExactNumber(math.copysign(1, value) < 0, abs(Fraction(value)))


def rounded(value: Fraction, direction: int = NEAREST) -> int:
    """Round a fraction to a whole number; to the nearest, a half goes to the even one."""
    if direction == UPWARD:
        return math.ceil(value)
    if direction == DOWNWARD:
        return math.floor(value)
    if direction == TOWARD_ZERO:
        return math.trunc(value)
    return round(value)


# -- formats ---------------------------------------------------------------------------------------


def unpack(data: bytes, form: str) -> ExactNumber:
    """Read a number from its bytes in a format."""
    raw = int.from_bytes(data, "big")
    if form in _INTEGER_SIZES:
        value = int.from_bytes(data, "big", signed=True)
        if form == "comp" and raw == 1 << 63:
            return no_number(CONVERTED_COMP)
        return number(value)
    if form == "extended":
        sign, exponent, fraction = raw >> 79, raw >> 64 & 0x7FFF, raw & (1 << 64) - 1
        if exponent == 0x7FFF:
            code = fraction >> 48 & 0xFF
            return ExactNumber(
                bool(sign), None, (code or WITHOUT_CODE) if fraction & (1 << 63) - 1 else 0
            )
        return ExactNumber(bool(sign), _scaled(fraction, exponent - 16383 - 63))
    exponent_bits, fraction_bits = _DOUBLE if form == "double" else _SINGLE
    sign = raw >> exponent_bits + fraction_bits
    exponent = raw >> fraction_bits & (1 << exponent_bits) - 1
    fraction = raw & (1 << fraction_bits) - 1
    if exponent == (1 << exponent_bits) - 1:
        code = fraction >> fraction_bits - 15 & 0xFF
        return ExactNumber(bool(sign), None, (code or WITHOUT_CODE) if fraction else 0)
    bias = (1 << exponent_bits - 1) - 1
    if exponent:
        fraction |= 1 << fraction_bits
    return ExactNumber(bool(sign), _scaled(fraction, max(exponent, 1) - bias - fraction_bits))


def _scaled(value: int, exponent: int) -> Fraction:
    return Fraction(value << exponent) if exponent >= 0 else Fraction(value, 1 << -exponent)


def pack(value: ExactNumber, form: str, direction: int = NEAREST) -> bytes:
    """Round a number to a format; its bytes."""
    if form in _INTEGER_SIZES:
        return _pack_integer(value, form, direction)
    if form == "extended":
        # This format stores the integer bit, and its smallest exponent is that of normal numbers.
        significand, exponent = _significand(value, 64, -16383 - 63, direction)
        largest, explicit, bits = 0x7FFF, True, 63
        bias = 16383 + 63
    else:
        exponent_bits, bits = _DOUBLE if form == "double" else _SINGLE
        half = (1 << exponent_bits - 1) - 1
        significand, exponent = _significand(value, bits + 1, 1 - half - bits, direction)
        largest, explicit = (1 << exponent_bits) - 1, False
        bias = half + bits
    biased = exponent + bias
    if value.nan:
        significand, biased = 1 << bits - 1 | value.nan << bits - 15, largest
    elif value.magnitude is None or biased >= largest:
        away = direction == NEAREST or direction == (DOWNWARD if value.negative else UPWARD)
        if value.magnitude is None or away:
            significand, biased = 0, largest
        else:
            significand, biased = (1 << bits + 1) - 1, largest - 1
    elif (not significand >> bits and not explicit) or not significand:
        biased = 0
    if not explicit:
        significand &= (1 << bits) - 1
    fraction_bits = bits + (1 if explicit else 0)
    total = FORMATS[form] * 8
    raw = int(value.negative) << total - 1 | biased << fraction_bits | significand
    return raw.to_bytes(FORMATS[form], "big")


def _significand(
    value: ExactNumber, bits: int, smallest_exponent: int, direction: int
) -> tuple[int, int]:
    """Round a value to a significand of so many bits; the significand and its power of two."""
    if not value.magnitude:
        return 0, smallest_exponent
    size = value.magnitude
    exponent = size.numerator.bit_length() - size.denominator.bit_length() - bits
    exponent = max(exponent, smallest_exponent)
    if value.negative:
        direction = {UPWARD: DOWNWARD, DOWNWARD: UPWARD}.get(direction, direction)
    significand = rounded(size / _scaled(1, exponent), direction)
    while significand.bit_length() > bits:
        exponent += 1
        significand = rounded(size / _scaled(1, exponent), direction)
    return significand, exponent


def _pack_integer(value: ExactNumber, form: str, direction: int) -> bytes:
    size = _INTEGER_SIZES[form]
    limit = 1 << 8 * size - 1
    whole = -limit if value.magnitude is None else rounded(value.value, direction)
    if not -limit <= whole < limit:
        whole = -limit
    return whole.to_bytes(size, "big", signed=True)


# -- operations ------------------------------------------------------------------------------------


def add(a: ExactNumber, b: ExactNumber, direction: int = NEAREST) -> ExactNumber:
    """The sum."""
    if a.nan or b.nan:
        return a if a.nan else b
    if a.magnitude is None or b.magnitude is None:
        if a.is_infinite and b.is_infinite and a.negative != b.negative:
            return no_number(ADDED_INFINITIES)
        return a if a.is_infinite else b
    total = a.value + b.value
    # Zeros of one sign keep it; numbers that cancel each other give that of the direction.
    negative_zero = a.negative if a.negative == b.negative else direction == DOWNWARD
    return number(total, negative_zero=negative_zero)


def negate(a: ExactNumber) -> ExactNumber:
    """The number with the other sign."""
    return ExactNumber(not a.negative, a.magnitude, a.nan)


def multiply(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    """The product."""
    if a.nan or b.nan:
        return a if a.nan else b
    negative = a.negative != b.negative
    if a.magnitude is None or b.magnitude is None:
        if a.is_zero or b.is_zero:
            return no_number(MULTIPLIED_ZERO_INFINITY)
        return infinite(negative)
    return ExactNumber(negative, a.magnitude * b.magnitude)


def divide(a: ExactNumber, b: ExactNumber) -> ExactNumber:
    """The quotient."""
    if a.nan or b.nan:
        return a if a.nan else b
    negative = a.negative != b.negative
    if b.magnitude is None:
        return (
            no_number(DIVIDED_ZEROS) if a.magnitude is None else ExactNumber(negative, Fraction(0))
        )
    if a.magnitude is None:
        return infinite(negative)
    if not b.magnitude:
        return infinite(negative) if a.magnitude else no_number(DIVIDED_ZEROS)
    return ExactNumber(negative, a.magnitude / b.magnitude)


def remainder(a: ExactNumber, b: ExactNumber) -> tuple[ExactNumber, int]:
    """What is left of a after subtracting the nearest multiple of b, and which multiple it is."""
    if a.nan or b.nan:
        return (a if a.nan else b), 0
    if a.magnitude is None or b.is_zero:
        return no_number(REMAINDER), 0
    if b.magnitude is None:
        return a, 0
    times = round(a.value / b.value)
    return number(a.value - times * b.value, negative_zero=a.negative), times


def square_root(a: ExactNumber) -> ExactNumber:
    """The square root, with enough bits to be rounded correctly to any format."""
    if a.nan or a.is_zero:
        return a
    if a.negative:
        return no_number(SQUARE_ROOT_OF_NEGATIVE)
    if a.magnitude is None:
        return a
    size = a.magnitude
    shift = max(0, 160 - size.numerator.bit_length() + size.denominator.bit_length())
    shift += shift & 1
    scaled = (size.numerator << shift) // size.denominator
    root = math.isqrt(scaled)
    exact = root * root * size.denominator == size.numerator << shift
    # If the root is not exact, one more bit is set below all others, so that it rounds correctly.
    return ExactNumber(False, Fraction(2 * root + (not exact), 2 << shift // 2))


def next_after(a: ExactNumber, toward: ExactNumber, form: str) -> ExactNumber:
    """The number of a format that comes after one of its numbers on the way to another one.

    Args:
        a: a number that the format can hold.
        toward: any number; if it is equal, the result is a itself.
        form: "extended", "double" or "single".
    """
    order = compare(a, toward)
    if order is None:
        return a if a.nan else toward
    if order == 0:
        return a
    if a.magnitude is None:
        largest = ExactNumber(a.negative, _BEYOND_ALL)
        return unpack(pack(largest, form, TOWARD_ZERO), form)
    # What is a little further in a direction, rounded in that direction, is the neighbour.
    beyond, direction = (_BELOW_ALL, UPWARD) if order < 0 else (-_BELOW_ALL, DOWNWARD)
    return unpack(pack(number(a.value + beyond), form, direction), form)


def to_integral(a: ExactNumber, direction: int) -> ExactNumber:
    """The whole number that a number is rounded to."""
    if a.magnitude is None:
        return a
    return number(rounded(a.value, direction), negative_zero=a.negative)


def compare(a: ExactNumber, b: ExactNumber) -> int | None:
    """-1, 0 or 1 if a is less than, equal to or greater than b; None if one is a NaN."""
    if a.nan or b.nan:
        return None

    def rank(exact_number: ExactNumber) -> tuple[int, Fraction]:
        if exact_number.magnitude is None:
            return (-1 if exact_number.negative else 1), Fraction(0)
        return 0, exact_number.value

    return (rank(a) > rank(b)) - (rank(a) < rank(b))


def power_of_two(a: ExactNumber) -> ExactNumber:
    """The exponent of a number's highest bit, as LogB returns it."""
    if a.nan:
        return a
    if a.magnitude is None:
        return infinite(False)
    if not a.magnitude:
        return infinite(True)
    size = a.magnitude
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if _scaled(1, exponent) > size:
        exponent -= 1
    return number(exponent)


def scale(a: ExactNumber, power: int) -> ExactNumber:
    """A number times a power of two."""
    return a if a.magnitude is None else ExactNumber(a.negative, a.magnitude * _scaled(1, power))


def unit(a: ExactNumber, bits: int) -> Fraction:
    """The last place of a finite number with so many bits; 0 for zero."""
    return _scaled(1, int(power_of_two(a).value) + 1 - bits) if a.magnitude else Fraction(0)
