"""Fixed-point arithmetic and SANE, against exact arithmetic done another way."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.base import exact_numbers as sane
from emu.base.errors import GuestError
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.mathematics import fixed_point as fixed
from emu.toolbox.records.system import DecForm, Decimal
from tests.toolbox.conftest import do, make_mac, run_code

LONGS = st.integers(-(1 << 31), (1 << 31) - 1)
WORDS = st.integers(-(1 << 15), (1 << 15) - 1)
ONE, HALF = 0x10000, 0x8000


# -- fixed point, against fractions ----------------------------------------------------------------


def nearest(value: Fraction, *, upwards: bool) -> int:
    below = math.floor(value)
    left = value - below
    if left == Fraction(1, 2):
        return below + 1 if upwards or value > 0 else below
    return below + (left > Fraction(1, 2))


def pinned(value: int) -> int:
    return max(-(1 << 31), min((1 << 31) - 1, value))


@given(a=LONGS, b=LONGS, upwards=st.booleans())
def test_products_and_quotients_are_rounded_once(a: int, b: int, upwards: bool) -> None:
    for bits, multiply, divide in (
        (16, fixed.fix_multiply, fixed.fix_divide),
        (30, fixed.fract_multiply, fixed.fract_divide),
    ):
        scale = Fraction(1 << bits)
        product = pinned(nearest(a * b / scale, upwards=upwards))
        assert multiply(a, b, upwards=upwards) == product
        if b:
            quotient = pinned(nearest(a * scale / b, upwards=upwards))
            assert divide(a, b, upwards=upwards) == quotient


def test_halves_are_rounded_as_on_each_processor() -> None:
    """The example of Technical Q&A OPS20."""
    for cpu, result in (("68040", -2), ("601", -1)):
        mac = make_mac(cpu)
        assert do(mac, "FixMul", 3, HALF) == 2
        assert do(mac, "FixMul", -3, HALF) == result


def test_division_by_zero_and_overflow_are_pinned(mac: Macintosh) -> None:
    for routine in ("FixDiv", "FracDiv", "FixRatio"):
        assert [do(mac, routine, n, 0) for n in (1, 0, -1)] == [0x7FFFFFFF, 0x7FFFFFFF, -(1 << 31)]
    assert do(mac, "FixMul", 0x7FFFFFFF, 0x7FFFFFFF) == 0x7FFFFFFF
    assert do(mac, "FixMul", -0x7FFFFFFF, 0x7FFFFFFF) == -(1 << 31)
    assert do(mac, "FixRatio", 42, 5) == 0x86666
    assert do(mac, "Long2Fix", 40000) == 0x7FFFFFFF
    assert do(mac, "Fix2Frac", -3 * ONE) == -(1 << 31)


@given(x=LONGS)
def test_conversions(x: int) -> None:
    as_fraction = Fraction(x, ONE)
    assert fixed.fix_to_integer(x) == min(nearest(as_fraction, upwards=True), 32767)
    assert fixed.fix_to_long(x) == nearest(as_fraction, upwards=False)
    assert fixed.fix_to_fract(x) == pinned(x << 14)
    for upwards in (False, True):
        expected = nearest(Fraction(x, 1 << 14), upwards=upwards)
        assert fixed.fract_to_fix(x, upwards=upwards) == expected


def test_fix_round_of_halves(mac: Macintosh) -> None:
    """Inside Macintosh: 4.5 becomes 5, and -3.5 becomes -3."""
    assert do(mac, "FixRound", 4 * ONE + HALF) == 5
    assert do(mac, "FixRound", -3 * ONE - HALF) == -3
    assert do(mac, "FixRound", 0x7FFFFFFF) == 32767
    assert do(mac, "Fix2Long", -3 * ONE - HALF) == -4


@given(x=st.integers(0, (1 << 32) - 1))
def test_square_roots(x: int) -> None:
    root = fixed.fract_square_root(x)
    assert (2 * root - 1) ** 2 <= 4 * (x << 30) < (2 * root + 1) ** 2 or x == root == 0


def test_sines_and_angles(mac: Macintosh) -> None:
    assert do(mac, "FracSin", 0) == 0
    assert do(mac, "FracCos", 0) == 1 << 30
    half_pi = round(math.pi / 2 * ONE)
    assert do(mac, "FracSin", half_pi) == 1 << 30
    assert abs(do(mac, "FracCos", half_pi)) < 1 << 14
    assert do(mac, "FixATan2", 1, 1) == 51472
    assert do(mac, "FixATan2", -1, 0) == 205887
    assert do(mac, "FracSqrt", 1 << 30) == 1 << 30


def test_slopes_and_angles(mac: Macintosh) -> None:
    assert do(mac, "SlopeFromAngle", 0) == 0
    assert do(mac, "SlopeFromAngle", 45) == -ONE
    assert do(mac, "SlopeFromAngle", 135) == ONE
    assert do(mac, "SlopeFromAngle", 225) == -ONE
    assert do(mac, "AngleFromSlope", 0) == 180
    for angle in range(1, 181):
        assert do(mac, "AngleFromSlope", do(mac, "SlopeFromAngle", angle)) == angle


# -- bits ------------------------------------------------------------------------------------------


@given(a=LONGS, count=WORDS)
def test_shifts(a: int, count: int) -> None:
    mac = MAC
    word = a & 0xFFFFFFFF
    expected = word << count % 32 & 0xFFFFFFFF if count >= 0 else word >> -count % 32
    assert do(mac, "BitShift", a, count) & 0xFFFFFFFF == expected


MAC = make_mac("68040")


def test_bits_count_from_the_highest_of_the_first_byte(mac: Macintosh) -> None:
    place = mac.memory.new_pointer(8, clear=True)
    do(mac, "BitSet", place, 0)
    do(mac, "BitSet", place, 17)
    assert mac.guest.read(place, 4) == b"\x80\x00\x40\x00"
    assert do(mac, "BitTst", place, 17)
    assert not do(mac, "BitTst", place, 16)
    do(mac, "BitClr", place, 0)
    assert mac.guest.u8(place) == 0
    do(mac, "BitSet", place + 4, -1)
    assert mac.guest.u8(place + 3) == 1


def test_words_and_long_products(mac: Macintosh) -> None:
    assert do(mac, "HiWord", 0x1234FFFF) == 0x1234
    assert do(mac, "LoWord", 0x1234FFFF) == -1
    place = mac.memory.new_pointer(8)
    do(mac, "LongMul", -2, 0x7FFFFFFF, place)
    assert int.from_bytes(mac.guest.read(place, 8), "big", signed=True) == -2 * 0x7FFFFFFF
    assert do(mac, "BitAnd", -1, 6) == 6
    assert do(mac, "BitOr", 1, 6) == 7
    assert do(mac, "BitXor", 3, 6) == 5
    assert do(mac, "BitNot", 0) == -1


def test_a_trap_passes_fixed_numbers_on_the_stack() -> None:
    """SUBQ #4,A7; PEA 3*65536; PEA 0.5; _FixMul; MOVE.L (A7)+,D3; RTS."""
    code = "598f 4879 00030000 4879 00008000 a868 261f 4e75"
    assert run_code(MAC, code)["d3"] == 0x18000


# -- Munger ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offset", "target", "new", "result", "text"),
    [
        (0, b"cd", b"xyz", 5, b"abxyzefcd"),
        (3, b"cd", b"xyz", 9, b"abcdefxyz"),
        (0, b"cd", None, 2, b"abcdefcd"),
        (0, b"nowhere", b"x", -1, b"abcdefcd"),
        (0, b"cd", b"", 2, b"abefcd"),
        (2, 3, b"-", 3, b"ab-fcd"),
        (2, 0, b"-", 3, b"ab-cdefcd"),
        (2, -1, b"-", 3, b"ab-"),
        (6, b"cdef", b"!", 7, b"abcdef!"),
        (9, b"c", b"x", -1, b"abcdefcd"),
    ],
)
def test_munger(
    mac: Macintosh,
    offset: int,
    target: bytes | int,
    new: bytes | None,
    result: int,
    text: bytes,
) -> None:
    handle = mac.memory.handle_from(b"abcdefcd")
    first, second = mac.memory.new_pointer(16), mac.memory.new_pointer(16)
    arguments: list[int]
    if isinstance(target, bytes):
        mac.guest.write(first, target)
        arguments = [first, len(target)]
    else:
        arguments = [0, target]
    if new is None:
        arguments += [0, 0]
    else:
        mac.guest.write(second, new)
        arguments += [second, len(new)]
    assert do(mac, "Munger", handle, offset, *arguments) == result
    assert mac.memory.contents(handle) == text


@pytest.mark.parametrize(("new", "moves"), [(None, False), (b"xy", False), (b"xyz", True)])
def test_munger_moves_memory_only_if_the_size_changes(
    mac: Macintosh, new: bytes | None, moves: bool
) -> None:
    handle, other = mac.memory.handle_from(b"abcdefcd"), mac.memory.new_handle(100)
    target, place = mac.memory.new_pointer(2), mac.memory.new_pointer(4)
    mac.guest.write(target, b"cd")
    mac.guest.write(place, new or b"")
    before = mac.memory.address(other)
    do(mac, "Munger", handle, 0, target, 2, place if new else 0, len(new or b""))
    assert (mac.memory.address(other) != before) == moves


# -- SANE ------------------------------------------------------------------------------------------

FLOATS = st.floats(width=64)
FINITE = st.floats(allow_nan=False, allow_infinity=False)


def bits(value: float) -> bytes:
    return struct.pack(">d", value)


@given(x=FLOATS)
def test_doubles_come_back_through_extended(x: float) -> None:
    wide = sane.unpack(sane.pack(sane.from_float(x), "extended"), "extended")
    back = sane.pack(wide, "double")
    if math.isnan(x):
        assert math.isnan(struct.unpack(">d", back)[0])
    else:
        assert back == bits(x)


@given(x=FINITE)
def test_singles_are_rounded_as_the_host_rounds(x: float) -> None:
    try:
        expected = struct.pack(">f", x)
    except OverflowError:
        expected = struct.pack(">f", math.copysign(math.inf, x))
    assert sane.pack(sane.from_float(x), "single") == expected


@given(a=FINITE, b=FINITE)
def test_arithmetic_rounded_to_double_is_the_hosts(a: float, b: float) -> None:
    x, y = sane.from_float(a), sane.from_float(b)
    assert sane.pack(sane.add(x, y), "double") == bits(a + b)
    assert sane.pack(sane.multiply(x, y), "double") == bits(a * b)
    if b:
        assert sane.pack(sane.remainder(x, y)[0], "double") == bits(math.remainder(a, b))
        try:
            assert sane.pack(sane.divide(x, y), "double") == bits(a / b)
        except OverflowError:
            pytest.fail("Python divides to infinity")
    if a >= 0:
        assert sane.pack(sane.square_root(x), "double") == bits(math.sqrt(a))
    assert sane.compare(x, y) == (a > b) - (a < b)


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        (1.0, "3fff8000000000000000"),
        (-2.5, "c000a000000000000000"),
        (0.0, "00000000000000000000"),
        (-0.0, "80000000000000000000"),
        (math.inf, "7fff0000000000000000"),
        (0.1, "3ffbccccccccccccd000"),
    ],
)
def test_extended_numbers_look_as_the_manual_says(value: float, raw: str) -> None:
    assert sane.pack(sane.from_float(value), "extended").hex() == raw
    assert sane.unpack(bytes.fromhex(raw), "extended") == sane.from_float(value)


@pytest.mark.parametrize(
    ("value", "results"),
    [
        (Fraction(5, 2), (2, 3, 2, 2)),
        (Fraction(-5, 2), (-2, -2, -3, -2)),
        (Fraction(7, 2), (4, 4, 3, 3)),
        (Fraction(40000), (-32768,) * 4),
    ],
)
def test_integers_are_rounded_in_each_direction(value: Fraction, results: tuple[int, ...]) -> None:
    for direction, result in enumerate(results):
        raw = sane.pack(sane.number(value), "integer", direction)
        assert int.from_bytes(raw, "big", signed=True) == result


@given(raw=st.binary(min_size=10, max_size=10), form=st.sampled_from(list(sane.FORMATS)))
def test_any_ten_bytes_are_a_number_and_fit_every_format(raw: bytes, form: str) -> None:
    value = sane.unpack(raw, "extended")
    packed = sane.pack(value, form)
    assert len(packed) == sane.FORMATS[form]
    if not value.nan:
        again = sane.unpack(sane.pack(value, "extended"), "extended")
        assert again == value, "extended holds what it held"


class Numbers:
    """Numbers in the memory of a 68K Macintosh, and SANE's traps on them."""

    def __init__(self) -> None:
        self.mac = make_mac("68040")
        self.a = self.mac.memory.new_pointer(32, clear=True)
        self.b = self.mac.memory.new_pointer(32, clear=True)
        self.c = self.mac.memory.new_pointer(32, clear=True)

    def put(self, place: int, value: float, form: str = "extended") -> None:
        self.mac.guest.write(place, sane.pack(sane.from_float(value), form))

    def get(self, place: int, form: str = "extended") -> float:
        raw = self.mac.guest.read(place, sane.FORMATS[form])
        return sane.unpack(raw, form).approximate

    def call(self, word: int, *addresses: int, trap: int = 0xA9EB) -> dict[str, int]:
        code = b"".join(b"\x48\x79" + address.to_bytes(4, "big") for address in addresses)
        code += b"\x3f\x3c" + word.to_bytes(2, "big") + trap.to_bytes(2, "big")
        # MOVE CCR is not on every 68K: SVS D4, SEQ D5, SMI D6, then return.
        return run_code(self.mac, code + bytes.fromhex("59c457c55bc64e75"))


@pytest.fixture
def numbers() -> Numbers:
    return Numbers()


def test_sane_adds_what_is_on_the_stack(numbers: Numbers) -> None:
    for word, form, expected in (
        (0x0000, "extended", 9.5),
        (0x0802, "double", 7.0),
        (0x1004, "single", 17.5),
        (0x2006, "integer", 7.0),
        (0x2800, "long", 9.0),
        (0x3002, "comp", 7.0),
    ):
        source = 2.0 if form in ("integer", "long", "comp") else 2.5
        if form == "double":
            source = 2.5
        numbers.put(numbers.a, source, form)
        numbers.put(numbers.b, 14.0 if word & 0xFF == 6 else 9.5 if word == 0x0802 else 7.0)
        if word == 0x3002:
            numbers.put(numbers.b, 9.0)
        numbers.call(word, numbers.a, numbers.b)
        assert numbers.get(numbers.b) == expected, form


def test_sane_compares_into_the_condition_codes(numbers: Numbers) -> None:
    for a, b, flags in (
        (1.0, 2.0, (0, 0, 0)),
        (2.0, 1.0, (0, 0, 0xFF)),
        (1.0, 1.0, (0, 0xFF, 0)),
        (math.nan, 1.0, (0xFF, 0, 0)),
    ):
        numbers.put(numbers.a, a)
        numbers.put(numbers.b, b)
        registers = numbers.call(0x0008, numbers.a, numbers.b)
        assert tuple(registers[name] & 0xFF for name in ("d4", "d5", "d6")) == flags


def test_sane_remainder_gives_the_quotient_too(numbers: Numbers) -> None:
    numbers.put(numbers.a, 3.0)
    numbers.put(numbers.b, -11.0)
    registers = numbers.call(0x000C, numbers.a, numbers.b)
    assert numbers.get(numbers.b) == 1.0
    assert registers["d0"] == -4 & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("word", "before", "after"),
    [
        (0x12, 2.25, 1.5),
        (0x14, 2.5, 2.0),
        (0x16, -2.9, -2.0),
        (0x1A, 10.0, 3.0),
        (0x0D, 2.0, -2.0),
        (0x0F, -2.0, 2.0),
    ],
)
def test_sane_on_one_number(numbers: Numbers, word: int, before: float, after: float) -> None:
    numbers.put(numbers.a, before)
    numbers.call(word, numbers.a)
    assert numbers.get(numbers.a) == after


def test_sane_rounds_in_the_direction_of_the_environment(numbers: Numbers) -> None:
    guest = numbers.mac.guest
    guest.put16(numbers.c, 1 << 13)
    numbers.call(0x01, numbers.c)
    numbers.put(numbers.a, 2.1)
    numbers.call(0x14, numbers.a)
    assert numbers.get(numbers.a) == 3.0
    upward_and_inexact = 1 << 13 | 1 << 12
    numbers.call(0x17, numbers.b)
    assert guest.u16(numbers.b) == upward_and_inexact
    numbers.call(0x03, numbers.c)
    assert guest.u16(numbers.c) == 0
    numbers.call(0x19, numbers.b)
    assert numbers.mac.numerics.environment == upward_and_inexact


def test_a_precision_that_there_is_not_is_named(numbers: Numbers) -> None:
    numbers.mac.guest.put16(numbers.a, 0x60)
    with pytest.raises(GuestError, match="precision"):
        numbers.call(0x01, numbers.a)


@pytest.mark.parametrize(
    ("word", "third", "large"),
    [(0x00, Fraction(1, 3), 2.0**400), (0x20, 1 / 3, 2.0**400), (0x40, 11184811 / 2**25, math.inf)],
    ids=["extended", "double", "single"],
)
def test_results_have_the_precision_and_the_range_of_the_environment(
    numbers: Numbers, word: int, third: Fraction | float, large: float
) -> None:
    numbers.mac.guest.put16(numbers.c, word)
    numbers.call(0x01, numbers.c)
    numbers.put(numbers.a, 3.0)
    numbers.put(numbers.b, 1.0)
    numbers.call(DIVIDE, numbers.a, numbers.b)
    expected = sane.unpack(sane.pack(sane.number(Fraction(third)), "extended"), "extended")
    assert sane.unpack(numbers.mac.guest.read(numbers.b, 10), "extended") == expected
    numbers.mac.numerics.environment &= 0xFF
    numbers.put(numbers.a, 2.0**200)
    numbers.put(numbers.b, 2.0**200)
    numbers.call(MULTIPLY, numbers.a, numbers.b)
    assert numbers.get(numbers.b) == large
    overflow = 1 << OVERFLOW | 1 << INEXACT
    assert numbers.mac.numerics.environment >> 8 == (overflow if math.isinf(large) else 0)


INVALID, UNDERFLOW, OVERFLOW, DIVIDE_BY_ZERO, INEXACT = range(5)
ADD, MULTIPLY, DIVIDE, ROOT, TO_WHOLE, TO_DOUBLE, TO_INTEGER = 0, 4, 6, 0x12, 0x14, 0x810, 0x2010


@pytest.mark.parametrize(
    ("word", "operands", "raised"),
    [
        (ADD, (1.0, 2.0), ()),
        (ADD, (1.0, 2.0**-80), (INEXACT,)),
        (ADD, (math.inf, -math.inf), (INVALID,)),
        (ADD, (math.nan, 1.0), ()),
        (DIVIDE, (3.0, 1.0), (INEXACT,)),
        (DIVIDE, (0.0, 1.0), (DIVIDE_BY_ZERO,)),
        (DIVIDE, (0.0, 0.0), (INVALID,)),
        (ROOT, (-1.0,), (INVALID,)),
        (TO_WHOLE, (1.5,), (INEXACT,)),
        (TO_WHOLE, (2.0,), ()),
        (TO_INTEGER, (2.0, 0.0), ()),
        (TO_INTEGER, (2.5, 0.0), (INEXACT,)),
        (TO_INTEGER, (1e6, 0.0), (INVALID,)),
    ],
)
def test_sane_signals_exceptions(
    numbers: Numbers, word: int, operands: tuple[float, ...], raised: tuple[int, ...]
) -> None:
    guest, places = numbers.mac.guest, (numbers.a, numbers.b)
    for place, value in zip(places, operands, strict=False):
        numbers.put(place, value)
    numbers.call(word, *places[: len(operands)])
    for exception in range(5):
        guest.put16(numbers.c, exception)
        numbers.call(0x1B, numbers.c)
        assert guest.u8(numbers.c) == (exception in raised), exception


def test_sane_signals_overflow_and_underflow(numbers: Numbers) -> None:
    for power, exceptions in ((2000, {OVERFLOW, INEXACT}), (-2000, {UNDERFLOW, INEXACT})):
        numbers.put(numbers.a, 3.0)
        numbers.mac.guest.put16(numbers.b, power)
        numbers.call(0x18, numbers.b, numbers.a)
        numbers.mac.numerics.environment = 0
        numbers.call(TO_DOUBLE, numbers.a, numbers.b)
        flags = numbers.mac.numerics.environment >> 8
        assert flags == sum(1 << exception for exception in exceptions)


def test_exceptions_of_a_procedure_are_signalled_when_it_is_left(numbers: Numbers) -> None:
    numbers.call(0x17, numbers.c)
    numbers.mac.guest.put16(numbers.b, INEXACT)
    numbers.call(0x15, numbers.b)
    numbers.call(0x19, numbers.c)
    assert numbers.mac.numerics.environment == 1 << 8 + INEXACT


def test_a_halt_procedure_is_refused_when_it_is_due(numbers: Numbers) -> None:
    guest = numbers.mac.guest
    guest.put32(numbers.c, 0x1234)
    numbers.call(0x05, numbers.c)
    numbers.call(0x07, numbers.b)
    assert guest.u32(numbers.b) == 0x1234
    guest.put16(numbers.c, 1 << DIVIDE_BY_ZERO)
    numbers.call(0x01, numbers.c)
    numbers.put(numbers.a, 0.0)
    numbers.put(numbers.b, 1.0)
    with pytest.raises(GuestError, match="halt procedure"):
        numbers.call(DIVIDE, numbers.a, numbers.b)


def test_sane_classes_and_signs(numbers: Numbers) -> None:
    guest = numbers.mac.guest
    for value, kind in ((1.0, 5), (-1.0, -5), (0.0, 4), (-math.inf, -3), (math.nan, 2)):
        numbers.put(numbers.a, value)
        numbers.call(0x1C, numbers.a, numbers.b)
        assert guest.i16(numbers.b) == kind
    guest.write(numbers.a, bits(5e-324))
    numbers.call(0x081C, numbers.a, numbers.b)
    assert guest.i16(numbers.b) == 6
    numbers.put(numbers.a, 3.0)
    numbers.put(numbers.b, -1.0)
    numbers.call(0x11, numbers.a, numbers.b)
    assert numbers.get(numbers.a) == -3.0
    guest.put16(numbers.b, -2)
    numbers.call(0x18, numbers.b, numbers.a)
    assert numbers.get(numbers.a) == -0.75


@pytest.mark.parametrize(
    ("value", "style", "digits", "record"),
    [
        (1234.5, 0, 3, (0, 1, b"123")),
        (-0.1, 1, 2, (1, -2, b"10")),
        (999.6, 0, 3, (0, 1, b"100")),
        (0.0, 0, 5, (0, 0, b"0")),
        (math.inf, 0, 5, (0, 0, b"I")),
        (1e300, 1, 2, (0, 0, b"?")),
        (1e-300, 0, 2, (0, -301, b"10")),
    ],
)
def test_numbers_to_decimal_and_back(
    numbers: Numbers, value: float, style: int, digits: int, record: tuple[int, int, bytes]
) -> None:
    guest = numbers.mac.guest
    numbers.put(numbers.a, value)
    guest.put16(numbers.c, style << 8)
    DecForm(guest, numbers.c).digits = digits
    numbers.call(0x0B, numbers.c, numbers.a, numbers.b)
    sign, exponent, text = record
    decimal = Decimal(guest, numbers.b)
    found = (decimal.sgn, decimal.exp, decimal.sig)
    assert found == (sign, exponent, text)
    numbers.call(0x09, numbers.b, numbers.a)
    if text.isdigit():
        assert numbers.get(numbers.a) == float(f"{'-' * sign}{text.decode()}e{exponent}")


@pytest.mark.parametrize(
    ("word", "before", "after"),
    [
        (0x00, math.e, 1.0),
        (0x02, 8.0, 3.0),
        (0x00, 0.0, -math.inf),
        (0x08, 0.0, 1.0),
        (0x08, 1e6, math.inf),
        (0x0A, 3.0, 8.0),
        (0x18, 0.0, 0.0),
        (0x1A, 0.0, 1.0),
        (0x1E, 1.0, math.pi / 4),
        (0x20, 1.0, 16807.0),
    ],
)
def test_elementary_functions(numbers: Numbers, word: int, before: float, after: float) -> None:
    numbers.put(numbers.a, before)
    numbers.call(word, numbers.a, trap=0xA9EC)
    assert numbers.get(numbers.a) == after


def test_powers_and_interest(numbers: Numbers) -> None:
    guest = numbers.mac.guest
    numbers.put(numbers.b, 2.0)
    guest.put16(numbers.a, -3)
    numbers.call(0x8010, numbers.a, numbers.b, trap=0xA9EC)
    assert numbers.get(numbers.b) == 0.125
    numbers.put(numbers.a, 2.0)
    numbers.call(0x8012, numbers.a, numbers.b, trap=0xA9EC)
    assert numbers.get(numbers.b) == 0.015625
    numbers.put(numbers.a, 0.5)
    numbers.put(numbers.b, 2.0)
    numbers.call(0xC014, numbers.a, numbers.b, numbers.c, trap=0xA9EC)
    assert numbers.get(numbers.c) == pytest.approx(2.25)
    numbers.call(0xC016, numbers.a, numbers.b, numbers.c, trap=0xA9EC)
    assert numbers.get(numbers.c) == pytest.approx((1 - 1 / 2.25) / 0.5)
