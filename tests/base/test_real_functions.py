"""Elementary functions of fractions: against identities, and against Python's floats."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base import real_functions as real

EXACT = Fraction(1, 10**40)
numbers = st.builds(
    lambda significand, exponent, sign: sign * significand * Fraction(2) ** exponent,
    st.integers(1, (1 << 64) - 1),
    st.integers(-150, 20),
    st.sampled_from([1, -1]),
)


@given(numbers)
def test_logarithms_take_back_exponentials(x: Fraction) -> None:
    x = max(min(x, Fraction(10_000)), Fraction(-10_000))
    assert abs(real.logarithm(real.exponential(x)) - x) <= EXACT * max(abs(x), 1)
    assert abs(real.logarithm_of_1_and(real.exponential_less_1(abs(x))) - abs(x)) <= EXACT * abs(x)
    assert abs(real.logarithm_to_base_2(real.power_of_2(x)) - x) <= EXACT * max(abs(x), 1)


@given(numbers)
def test_an_arc_tangent_takes_back_a_tangent(x: Fraction) -> None:
    sine, cosine = real.sine_and_cosine(real.arc_tangent(x))
    assert abs(sine / cosine - x) <= EXACT * abs(x)
    assert abs(sine**2 + cosine**2 - 1) <= EXACT


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_angles_of_any_size_are_those_of_floats(x: float) -> None:
    sine, cosine = real.sine_and_cosine(Fraction(x))
    assert float(sine) == pytest.approx(math.sin(x), rel=1e-15)
    assert float(cosine) == pytest.approx(math.cos(x), rel=1e-15)


def test_an_angle_close_to_half_a_turn_keeps_its_digits() -> None:
    near = Fraction(0xC90FDAA22168C235, 1 << 62)
    sine, _ = real.sine_and_cosine(near)
    pi = Fraction(314159265358979323846264338327950288419716939937510582097494459, 10**62)
    rest = pi - near
    assert abs(sine / (rest - rest**3 / 6) - 1) < EXACT


@pytest.mark.parametrize(
    ("found", "value"),
    [
        (real.exponential(Fraction(0)), 1),
        (real.exponential(Fraction(1, 1 << 16000)) > 1, True),
        (real.logarithm(Fraction(1)), 0),
        (real.power_of_2(Fraction(-3)), Fraction(1, 8)),
        (real.power_of_2_less_1(Fraction(4)), 15),
        (real.logarithm_to_base_2(Fraction(1, 1 << 16000)), -16000),
        (real.logarithm_to_base_2_of_1_and(Fraction(7)), 3),
        (real.power(Fraction(3, 2), Fraction(-2)), Fraction(4, 9)),
        (real.exponential(Fraction(10**9)), real.exponential(Fraction(20_000))),
    ],
)
def test_what_is_exact(found: Fraction, value: Fraction) -> None:
    assert found == value
