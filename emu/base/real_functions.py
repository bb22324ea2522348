"""Exponentials, logarithms and angles of fractions, with more bits than any format stores.

What is returned differs from the true value by less than one part in 10^40, and is the true value
itself where that is a fraction that is easily known, such as 2 to the power of 3. Exponentials and
logarithms are those of Python's decimal numbers; angles are summed up from their series in whole
numbers, after as many digits of pi as the angle needs have been taken off.
"""

from __future__ import annotations

import decimal
import functools
import math
from fractions import Fraction

_DIGITS = 70
_CONTEXT = decimal.Context(
    prec=_DIGITS, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, traps=[decimal.InvalidOperation]
)
_SMALL = Fraction(1, 1 << 80)
"""Below this two terms of a series are more exact than digits that cancel each other."""

_LARGEST_EXPONENT = 20_000
"""The exponential of more than this overflows every format; of less than minus this, underflows."""

_MOST_EXACT = 64
"""Up to this power a number of 64 bits is multiplied out."""

_BITS = 220


def _decimal(x: Fraction) -> decimal.Decimal:
    return _CONTEXT.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator))


def exponential(x: Fraction) -> Fraction:
    """E to the power of x; of a number beyond 20,000 that of 20,000."""
    if abs(x) < _SMALL:
        return 1 + x + x * x / 2
    limited = max(min(x, Fraction(_LARGEST_EXPONENT)), Fraction(-_LARGEST_EXPONENT))
    return Fraction(_CONTEXT.exp(_decimal(limited)))


def exponential_less_1(x: Fraction) -> Fraction:
    """E to the power of x, minus 1."""
    return x + x * x / 2 if abs(x) < _SMALL else exponential(x) - 1


def logarithm(x: Fraction) -> Fraction:
    """The natural logarithm of a positive number."""
    return Fraction(0) if x == 1 else Fraction(_CONTEXT.ln(_decimal(x)))


def logarithm_of_1_and(x: Fraction) -> Fraction:
    """The natural logarithm of 1 + x, for an x above -1."""
    return x - x * x / 2 if abs(x) < _SMALL else logarithm(1 + x)


@functools.cache
def logarithm_of_2() -> Fraction:
    """The natural logarithm of 2."""
    return logarithm(Fraction(2))


def power_of_2(x: Fraction) -> Fraction:
    """2 to the power of x, exact for whole numbers."""
    if x.denominator == 1 and abs(x) <= _LARGEST_EXPONENT:
        return Fraction(2) ** int(x)
    return exponential(x * logarithm_of_2())


def logarithm_to_base_2(x: Fraction) -> Fraction:
    """The logarithm to base 2 of a positive number, exact for powers of 2."""
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if Fraction(2) ** exponent == x:
        return Fraction(exponent)
    return logarithm(x) / logarithm_of_2()


def logarithm_to_base_2_of_1_and(x: Fraction) -> Fraction:
    """The logarithm to base 2 of 1 + x, for an x above -1."""
    if abs(x) < _SMALL:
        return logarithm_of_1_and(x) / logarithm_of_2()
    return logarithm_to_base_2(1 + x)


def power_of_2_less_1(x: Fraction) -> Fraction:
    """2 to the power of x, minus 1."""
    if abs(x) < _SMALL:
        return exponential_less_1(x * logarithm_of_2())
    return power_of_2(x) - 1


def power(x: Fraction, y: Fraction) -> Fraction:
    """A positive number to the power of another, exact for small whole powers."""
    if y.denominator == 1 and abs(y) <= _MOST_EXACT:
        return x ** int(y)
    return exponential(y * logarithm(x))


# -- angles ----------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=8)
def _pi(bits: int) -> int:
    """Pi times 2 to the power of so many bits, by Machin's formula."""

    def inverse_arc_tangent(n: int) -> int:
        term = (1 << bits + 20) // n
        total, divisor = 0, 1
        while term:
            total += term // divisor if divisor % 4 == 1 else -(term // divisor)
            term //= n * n
            divisor += 2
        return total

    return 4 * (4 * inverse_arc_tangent(5) - inverse_arc_tangent(239)) >> 20


def _reduced(x: Fraction) -> tuple[int, Fraction]:
    """How many quarter turns an angle has, and the rest, between minus and plus an eighth."""
    bits = _BITS + max(x.numerator.bit_length() - x.denominator.bit_length(), 0)
    bits += max(x.denominator.bit_length() - x.numerator.bit_length(), 0)
    quarter = Fraction(_pi(bits), 1 << bits + 1)
    turns = round(x / quarter)
    return turns, x - turns * quarter


def _series(x: Fraction, first: int) -> Fraction:
    """The sine (first 1) or the cosine (first 0) of at most an eighth of a turn."""
    if not x:
        return Fraction(1 - first)
    # So many further bits that those of a very small angle count too.
    bits = _BITS + max(x.denominator.bit_length() - x.numerator.bit_length(), 0)
    small = (x.numerator << bits) // x.denominator
    term, total, number = (small if first else 1 << bits), 0, first
    while term:
        total += term
        term = -(term * small >> bits) * small // ((number + 1) * (number + 2)) >> bits
        number += 2
        if term == -1:
            break
    return Fraction(total, 1 << bits)


def sine_and_cosine(x: Fraction) -> tuple[Fraction, Fraction]:
    """The sine and the cosine of an angle in radians."""
    if abs(x) < _SMALL:
        return x - x**3 / 6, 1 - x * x / 2
    turns, rest = _reduced(x)
    sine, cosine = _series(rest, 1), _series(rest, 0)
    for _ in range(turns % 4):
        sine, cosine = cosine, -sine
    return sine, cosine


def arc_tangent(x: Fraction) -> Fraction:
    """The angle in radians, between minus and plus a quarter turn, that has a tangent."""
    if abs(x) < _SMALL:
        return x - x**3 / 3
    if x < 0:
        return -arc_tangent(-x)
    if x > 1:
        return half_pi() - arc_tangent(1 / x)
    # A float has 53 bits of it; what is left is so small that two terms of its series do.
    angle = Fraction(math.atan(float(x)))
    sine, cosine = sine_and_cosine(angle)
    rest = (x * cosine - sine) / (cosine + x * sine)  # its tangent
    return angle + rest - rest**3 / 3


def half_pi() -> Fraction:
    """A quarter turn in radians."""
    return Fraction(_pi(_BITS), 1 << _BITS + 1)
