"""Exact numbers are rounded as this computer's own arithmetic and fractions say."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from emu.machine.cpu.float_rounding import (
    DOUBLE,
    SINGLE,
    ExactBinary,
    Rounding,
    exact,
    infinity,
    round_to,
    to_integer,
)

DOUBLES = st.floats(allow_nan=False, allow_infinity=False)
SINGLES = st.floats(allow_nan=False, allow_infinity=False, width=32)
LARGEST = 0x7FEFFFFFFFFFFFFF


def bits(number: float) -> int:
    return int(struct.unpack(">Q", struct.pack(">d", number))[0])


def number_of(value: int) -> float:
    return float(struct.unpack(">d", struct.pack(">Q", value))[0])


def value(number: ExactBinary) -> Fraction:
    return (-1) ** number.sign * number.mantissa * Fraction(2) ** number.exponent


@given(DOUBLES, DOUBLES)
@example(2.0**53 - 1, 2.0**-1)  # rounding makes the mantissa a power of two
@example(5e-324, -5e-324)
@example(1.7e308, 1.7e308)
def test_doubles_are_those_of_this_computer(first: float, second: float) -> None:
    one, other = exact(bits(first)), exact(bits(second))
    nearest = Rounding.NEAREST
    assert round_to(one.plus(other, nearest), DOUBLE, nearest).bits == bits(first + second)
    assert round_to(one.times(other), DOUBLE, nearest).bits == bits(first * second)
    if second:
        with np.errstate(all="ignore"):
            quotient = float(np.float64(first) / np.float64(second))
        assert round_to(one.over(other), DOUBLE, nearest).bits == bits(quotient)


@given(SINGLES, SINGLES)
@example(1e-40, 0.5)
@example(3e38, 3e38)
def test_singles_are_those_of_this_computer(first: float, second: float) -> None:
    product = exact(bits(first)).times(exact(bits(second)))
    with np.errstate(all="ignore"):
        wanted = float(np.float32(first) * np.float32(second))
    assert round_to(product, SINGLE, Rounding.NEAREST).bits == bits(wanted)


@given(DOUBLES, DOUBLES)
@example(1.0, 2.0**-53)
@example(-1.0, 2.0**-1074)
def test_directed_rounding_gives_the_neighbours(first: float, second: float) -> None:
    total = exact(bits(first)).plus(exact(bits(second)), Rounding.UP)
    below, above = (round_to(total, DOUBLE, each) for each in (Rounding.DOWN, Rounding.UP))
    toward = round_to(total, DOUBLE, Rounding.TO_ZERO)
    assert toward.bits == (above if total.sign else below).bits
    if above.has_overflowed or below.has_overflowed:
        return
    low, high = number_of(below.bits), number_of(above.bits)
    assert Fraction(low) <= value(total) <= Fraction(high)
    assert above.is_inexact == below.is_inexact == (low != high)
    assert high in (low, math.nextafter(low, math.inf))
    assert above.is_incremented == (low != high and not total.sign)


@pytest.mark.parametrize(
    ("rounding", "negative", "wanted"),
    [
        (Rounding.NEAREST, 0, infinity(0)),
        (Rounding.TO_ZERO, 0, LARGEST),
        (Rounding.UP, 0, infinity(0)),
        (Rounding.DOWN, 0, LARGEST),
        (Rounding.DOWN, 1, infinity(1)),
    ],
)
def test_what_is_too_large_is_infinite_or_the_largest(
    rounding: Rounding, negative: int, wanted: int
) -> None:
    result = round_to(ExactBinary(negative, 1, 1024), DOUBLE, rounding)
    assert (result.bits, result.has_overflowed, result.is_inexact) == (wanted, True, True)


def test_enabled_exceptions_wrap_the_exponent() -> None:
    large, small = ExactBinary(0, 3, 1024), ExactBinary(1, 3, -1200)
    wrapped = round_to(large, DOUBLE, Rounding.NEAREST, wraps_overflow=True)
    assert (number_of(wrapped.bits), wrapped.has_overflowed) == (3 * 2.0 ** (1024 - 1536), True)
    wrapped = round_to(small, DOUBLE, Rounding.NEAREST, wraps_underflow=True)
    assert (number_of(wrapped.bits), wrapped.is_tiny) == (-3 * 2.0 ** (1536 - 1200), True)
    assert not wrapped.is_inexact


def test_opposite_numbers_make_a_zero_whose_sign_is_that_of_the_direction() -> None:
    one, other = ExactBinary(0, 1, 0), ExactBinary(1, 1, 0)
    assert one.plus(other, Rounding.NEAREST).sign == 0
    assert one.plus(other, Rounding.DOWN).sign == 1


@pytest.mark.parametrize(
    ("rounding", "wanted"),
    [
        (Rounding.NEAREST, (-2, False, True)),
        (Rounding.TO_ZERO, (-2, False, True)),
        (Rounding.UP, (-2, False, True)),
        (Rounding.DOWN, (-3, True, True)),
    ],
)
def test_integers(rounding: Rounding, wanted: tuple[int, bool, bool]) -> None:
    assert to_integer(ExactBinary(1, 5, -1), rounding) == wanted
