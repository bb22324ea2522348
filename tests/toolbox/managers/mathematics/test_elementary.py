"""SANE at its edges: invalid arguments, codes of NaNs, poles, extremes, and the next number.

The codes are those of the Apple Numerics Manual.
"""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from emu.base import exact_numbers as sane
from emu.base.exact_numbers import ExactNumber
from emu.toolbox.managers.mathematics.exceptions import Exceptions
from tests.toolbox.test_mathematics import Numbers

PACK_5 = 0xA9EC
LN, LOG_2, LN_1, EXP, EXP_1, WHOLE_POWER, POWER = 0x00, 0x02, 0x04, 0x08, 0x0C, 0x8010, 0x8012
COMPOUND, ANNUITY, SINE, COSINE, TANGENT, ARC_TANGENT = 0xC014, 0xC016, 0x18, 0x1A, 0x1C, 0x1E
INFINITY = math.inf
POLE, INVALID, NOTHING = Exceptions.DIVIDE_BY_ZERO, Exceptions.INVALID, Exceptions(0)


@pytest.fixture(scope="module")
def numbers() -> Numbers:
    return Numbers()


def result(numbers: Numbers, word: int, *operands: float) -> tuple[ExactNumber, Exceptions]:
    """What an operation of Pack5 stores, and the exceptions that it signals."""
    places = (numbers.a, numbers.b, numbers.c)[: len(operands)]
    for place, value in zip(places, operands, strict=True):
        numbers.put(place, value)
    if word == WHOLE_POWER:
        numbers.put(numbers.a, operands[0], "integer")
    if word in (COMPOUND, ANNUITY):
        places = (*places, numbers.c)
    numbers.mac.numerics.environment = 0
    numbers.call(word, *places, trap=PACK_5)
    raw = numbers.mac.guest.read(places[-1], 10)
    return sane.unpack(raw, "extended"), Exceptions(numbers.mac.numerics.environment >> 8)


@pytest.mark.parametrize(
    ("word", "operands", "code"),
    [
        (LN, (-1.0,), 36),
        (LN, (-INFINITY,), 36),
        (LOG_2, (-1.0,), 36),
        (LN_1, (-2.0,), 36),
        (SINE, (INFINITY,), 33),
        (TANGENT, (-INFINITY,), 33),
        (POWER, (0.5, -2.0), 37),
        (POWER, (0.0, 0.0), 37),
        (POWER, (0.0, INFINITY), 37),
        (POWER, (INFINITY, 1.0), 37),
        (COMPOUND, (-2.0, 1.0), 38),
        (COMPOUND, (0.0, INFINITY), 38),
        (ANNUITY, (-2.0, 1.0), 38),
    ],
)
def test_invalid_arguments_have_codes(
    numbers: Numbers, word: int, operands: tuple[float, ...], code: int
) -> None:
    value, exceptions = result(numbers, word, *operands)
    assert (value.nan, exceptions) == (code, INVALID)


@pytest.mark.parametrize(
    ("word", "operands", "value", "exceptions"),
    [
        (LN, (0.0,), -INFINITY, POLE),
        (LN, (INFINITY,), INFINITY, NOTHING),
        (LN, (1.0,), 0.0, NOTHING),
        (LN_1, (-1.0,), -INFINITY, POLE),
        (EXP, (-INFINITY,), 0.0, NOTHING),
        (EXP, (12000.0,), INFINITY, Exceptions.OVERFLOW | Exceptions.INEXACT),
        (EXP, (-12000.0,), 0.0, Exceptions.UNDERFLOW | Exceptions.INEXACT),
        (EXP_1, (-INFINITY,), -1.0, NOTHING),
        (ARC_TANGENT, (INFINITY,), math.pi / 2, Exceptions.INEXACT),
        (COSINE, (0.0,), 1.0, NOTHING),
        (WHOLE_POWER, (0, INFINITY), 1.0, NOTHING),
        (WHOLE_POWER, (-3, -INFINITY), -0.0, NOTHING),
        (WHOLE_POWER, (-1, 0.0), INFINITY, POLE),
        (POWER, (3.0, -2.0), -8.0, NOTHING),
        (POWER, (-0.5, 0.0), INFINITY, POLE),
        (POWER, (-INFINITY, 2.0), 0.0, NOTHING),
        (POWER, (0.5, 2.0), math.sqrt(2.0), Exceptions.INEXACT),
        (COMPOUND, (-1.0, -2.0), INFINITY, POLE),
        (ANNUITY, (0.0, 5.0), 5.0, NOTHING),
        (ANNUITY, (-1.0, 2.0), INFINITY, POLE),
    ],
)
def test_values_at_the_edges(
    numbers: Numbers,
    word: int,
    operands: tuple[float, ...],
    value: float,
    exceptions: Exceptions,
) -> None:
    found, signalled = result(numbers, word, *operands)
    assert (found.approximate, signalled) == (value, exceptions)
    assert math.copysign(1, found.approximate) == math.copysign(1, value)


def test_an_exponential_beyond_doubles_is_a_number(numbers: Numbers) -> None:
    found, exceptions = result(numbers, EXP, 710.0)
    assert found.magnitude is not None
    assert exceptions == Exceptions.INEXACT
    # e^710 = 2.2339948...e308; the largest double is 1.797e308.
    assert found.magnitude // 10**300 == 223399476


def test_results_have_all_bits_of_the_format(numbers: Numbers) -> None:
    numbers.put(numbers.a, 2.0)
    numbers.call(LN, numbers.a, trap=PACK_5)
    assert numbers.mac.guest.read(numbers.a, 10).hex() == "3ffeb17217f7d1cf79ac"


@pytest.mark.parametrize(
    ("form", "word", "value", "toward", "expected", "exceptions"),
    [
        ("single", 0x1013, "3f800000", "40000000", "3f800001", NOTHING),
        ("single", 0x1013, "3f800000", "00000000", "3f7fffff", NOTHING),
        ("single", 0x1013, "bf800000", "00000000", "bf7fffff", NOTHING),
        ("single", 0x1013, "3f800000", "3f800000", "3f800000", NOTHING),
        ("single", 0x1013, "00000000", "bf800000", "80000001", Exceptions.UNDERFLOW),
        ("single", 0x1013, "80000001", "3f800000", "80000000", Exceptions.UNDERFLOW),
        ("single", 0x1013, "7f7fffff", "7f800000", "7f800000", Exceptions.OVERFLOW),
        ("single", 0x1013, "ff800000", "00000000", "ff7fffff", NOTHING),
        ("double", 0x0813, "3ff0000000000000", "7ff0000000000000", "3ff0000000000001", NOTHING),
        ("extended", 0x13, "3fff" + "8" + "0" * 15, "0" * 20, "3ffe" + "f" * 16, NOTHING),
    ],
)
def test_the_next_number_replaces_the_source(
    numbers: Numbers,
    form: str,
    word: int,
    value: str,
    toward: str,
    expected: str,
    exceptions: Exceptions,
) -> None:
    guest = numbers.mac.guest
    guest.write(numbers.a, bytes.fromhex(value))
    guest.write(numbers.b, bytes.fromhex(toward))
    numbers.mac.numerics.environment = 0
    numbers.call(word, numbers.a, numbers.b)
    assert guest.read(numbers.a, sane.FORMATS[form]).hex() == expected
    assert guest.read(numbers.b, sane.FORMATS[form]).hex() == toward
    if exceptions:
        exceptions |= Exceptions.INEXACT
    assert numbers.mac.numerics.environment >> 8 == exceptions


@pytest.mark.parametrize(
    ("direction", "value", "word", "size", "expected", "exceptions"),
    [
        (sane.TOWARD_ZERO, Fraction(1 << 2000), 0x1010, 4, "7f7fffff", Exceptions.OVERFLOW),
        (sane.DOWNWARD, Fraction(1 << 2000), 0x0810, 8, "7fefffffffffffff", Exceptions.OVERFLOW),
        (sane.DOWNWARD, -(2**31) - Fraction(1, 4), 0x2810, 4, "80000000", INVALID),
        (sane.NEAREST, -(2**31) - Fraction(1, 4), 0x2810, 4, "80000000", Exceptions.INEXACT),
    ],
)
def test_what_does_not_fit_is_an_exception_in_every_direction(
    numbers: Numbers,
    direction: int,
    value: Fraction,
    word: int,
    size: int,
    expected: str,
    exceptions: Exceptions,
) -> None:
    numbers.mac.guest.write(numbers.a, sane.pack(sane.number(value), "extended"))
    numbers.mac.numerics.environment = direction << 13
    numbers.call(word, numbers.a, numbers.b)
    assert numbers.mac.guest.read(numbers.b, size).hex() == expected
    signalled = Exceptions(numbers.mac.numerics.environment >> 8 & 0x1F)
    if exceptions is Exceptions.OVERFLOW:
        exceptions |= Exceptions.INEXACT
    assert signalled == exceptions


def test_zeros_keep_their_sign_when_they_are_added() -> None:
    plus, minus = sane.number(0), sane.number(0, negative_zero=True)
    for direction in (sane.NEAREST, sane.DOWNWARD):
        assert sane.add(plus, plus, direction) == plus
        assert sane.add(minus, minus, direction) == minus
    assert sane.add(plus, minus, sane.DOWNWARD) == minus
    assert sane.add(plus, minus) == plus


@pytest.mark.parametrize(
    ("raw", "form", "code"),
    [
        ("8000000000000000", "comp", 20),
        ("7fffc000000000000000", "extended", 21),
        ("7fc00000", "single", 21),
        ("7fffc024000000000000", "extended", 36),
    ],
)
def test_codes_of_nans_that_are_read(raw: str, form: str, code: int) -> None:
    assert sane.unpack(bytes.fromhex(raw), form).nan == code
