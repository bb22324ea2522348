"""MathLib: functions of numbers in f1 and f2, and numbers as digits."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.macintosh import Macintosh
from tests.toolbox.conftest import do, make_mac, run_code

MAC = make_mac("601")
ROOM = MAC.memory.new_pointer(512)
FORM, NUMBER, TEXT, INDEX, VALID = ROOM, ROOM + 8, ROOM + 64, ROOM + 400, ROOM + 402


def result(name: str, *numbers: float, words: tuple[int, ...] = ()) -> float:
    """What a function leaves in f1."""
    for register, number in enumerate(numbers, 1):
        MAC.engine.register_file.set_double(register, number)
    do(MAC, name, *words)
    return MAC.engine.register_file.double(1)


@pytest.mark.parametrize(
    ("name", "numbers", "expected"),
    [
        ("sin", (1.0,), math.sin(1)),
        ("acos", (0.5,), math.acos(0.5)),
        ("atanh", (0.5,), math.atanh(0.5)),
        ("exp", (1000.0,), math.inf),
        ("log", (0.0,), -math.inf),
        ("log10", (1000.0,), 3.0),
        ("sqrt", (2.0,), math.sqrt(2)),
        ("fabs", (-2.5,), 2.5),
        ("ceil", (-2.5,), -2.0),
        ("floor", (-2.5,), -3.0),
        ("rint", (2.5,), 2.0),
        ("round", (2.5,), 3.0),
        ("round", (0.49999999999999994,), 0.0),
        ("round", (-2.5,), -3.0),
        ("trunc", (-2.5,), -2.0),
        ("logb", (10.0,), 3.0),
        ("logb", (0.0,), -math.inf),
        ("pow", (2.0, 0.5), math.sqrt(2)),
        ("atan2", (1.0, -1.0), math.atan2(1, -1)),
        ("fmod", (-7.0, 3.0), -1.0),
        ("remainder", (7.0, 4.0), -1.0),
        ("fdim", (1.0, 3.0), 0.0),
        ("copysign", (3.0, -0.0), -3.0),
        ("compound", (0.1, 2.0), 1.21),
        ("annuity", (0.1, 2.0), 1 / 1.1 + 1 / 1.21),
        ("annuity", (0.0, 5.0), 5.0),
        ("__inf", (), math.inf),
    ],
)
def test_functions(name: str, numbers: tuple[float, ...], expected: float) -> None:
    assert result(name, *numbers) == pytest.approx(expected, rel=1e-15)


def test_what_has_no_result_is_no_number() -> None:
    for name, *numbers in (("sqrt", -1.0), ("acos", 2.0), ("remainder", math.inf, 1.0)):
        assert math.isnan(result(name, *numbers))


@pytest.mark.parametrize(
    ("name", "numbers", "code"),
    [
        ("sqrt", (-1.0,), 1),
        ("remainder", (1.0, 0.0), 9),
        ("fmod", (math.inf, 1.0), 9),
        ("sin", (math.inf,), 33),
        ("acos", (2.0,), 34),
        ("log", (-1.0,), 36),
        ("log1p", (-2.0,), 36),
        ("pow", (-1.0, 0.5), 37),
        ("acosh", (0.0,), 40),
        ("compound", (-2.0, 0.5), 38),
    ],
)
def test_a_nan_tells_which_function_made_it(
    name: str, numbers: tuple[float, ...], code: int
) -> None:
    result(name, *numbers)
    (raw,) = struct.unpack(">Q", struct.pack(">d", MAC.engine.register_file.double(1)))
    assert raw == 0x7FF8 << 48 | code << 37
    assert math.isnan(result(name, *(math.nan for _ in numbers)))


def test_the_next_number_and_the_quotients_low_bits() -> None:
    assert result("nextafterd", 1.0, 2.0) == 1.0 + 2.0**-52
    assert result("nextafterd", 0.0, -1.0) == -(2.0**-1074)
    for number, quotient, rest in ((11.0, 4, -1.0), (-11.0, -4, 1.0), (3.0 * 130, 2, 0.0)):
        assert result("remquo", number, 3.0, words=(0, 0, 0, 0, NUMBER)) == rest
        assert MAC.guest.i32(NUMBER) == quotient


def test_functions_with_other_arguments() -> None:
    assert result("frexp", 12.0, words=(0, 0, NUMBER)) == 0.75
    assert MAC.guest.u32(NUMBER) == 4
    assert result("ldexp", 0.75, words=(0, 0, 4)) == 12.0
    assert result("modf", -2.75, words=(0, 0, NUMBER)) == -0.75
    assert struct.unpack(">d", MAC.guest.read(NUMBER, 8)) == (-2.0,)
    for value, even, away in ((2.5, 2, 3), (-2.5, -2, -3), (1e20, 2**31 - 1, 2**31 - 1)):
        MAC.engine.register_file.set_double(1, value)
        assert (do(MAC, "rinttol"), do(MAC, "roundtol")) == (even, away)
    MAC.guest.write(TEXT, b"37\0")
    assert math.isnan(result("nan", words=(TEXT,)))
    assert MAC.engine.register_file.read("fpr1") == 0x7FF8 << 48 | 37 << 37


def decimal(value: float, style: int, digits: int) -> tuple[int, int, bytes]:
    """Sign, exponent and digits of a number."""
    MAC.guest.write(FORM, struct.pack(">BBh", style, 0, digits))
    result("num2dec", value, words=(FORM, 0, 0, NUMBER))
    return (
        MAC.guest.u8(NUMBER),
        MAC.guest.i16(NUMBER + 2),
        MAC.guest.pascal_string(NUMBER + 4),
    )


def text() -> bytes:
    do(MAC, "dec2str", FORM, NUMBER, TEXT)
    return MAC.guest.c_string(TEXT)


@pytest.mark.parametrize(
    ("value", "style", "digits", "record", "shown"),
    [
        (1250.0, 0, 3, (0, 1, b"125"), b" 1.25e+3"),
        (-1250.0, 1, 2, (1, -2, b"125000"), b"-1250.00"),
        (0.0, 0, 5, (0, 0, b"0"), b" 0e+0"),
        (0.0, 1, 2, (0, 0, b"0"), b"0.00"),
        (0.001, 1, 2, (0, 0, b"0"), b"0.00"),
        (0.05, 1, 2, (0, -2, b"5"), b"0.05"),
        (9.996, 0, 3, (0, -1, b"100"), b" 1.00e+1"),
        (1e60, 1, 2, (0, 0, b"?"), b"?"),
        (math.inf, 0, 3, (0, 0, b"I"), b"INF"),
        (-math.inf, 0, 3, (1, 0, b"I"), b"-INF"),
        (math.nan, 0, 3, (0, 0, b"N"), b"NAN(000)"),
    ],
)
def test_numbers_as_digits(
    value: float, style: int, digits: int, record: tuple[int, int, bytes], shown: bytes
) -> None:
    assert decimal(value, style, digits) == record
    assert text() == shown


@given(st.floats(allow_nan=False))
def test_seventeen_digits_are_the_number(value: float) -> None:
    decimal(value, 0, 17)
    back = result("dec2num", words=(NUMBER,))
    assert struct.pack(">d", back) == struct.pack(">d", value)
    shown = text()
    MAC.guest.put16(INDEX, 0)
    do(MAC, "str2dec", TEXT, INDEX, NUMBER, VALID)
    assert (MAC.guest.i16(INDEX), MAC.guest.i16(VALID)) == (len(shown), 1)
    assert result("dec2num", words=(NUMBER,)) == value


@pytest.mark.parametrize(
    ("written", "end", "valid", "value"),
    [
        (b"xx 12.5e1,", 9, 0, 125.0),
        (b"xx.5", 4, 1, 0.5),
        (b"xx-7", 4, 1, -7.0),
        (b"xxabc", 2, 0, math.nan),
        (b"xx1e", 3, 0, 1.0),
        (b"xxINF", 5, 1, math.inf),
        (b"xx" + b"1" * 50, 52, 1, float("1" * 50)),
    ],
)
def test_a_number_in_a_text(written: bytes, end: int, valid: int, value: float) -> None:
    MAC.guest.write(TEXT, written + b"\0")
    MAC.guest.put16(INDEX, 2)
    do(MAC, "str2dec", TEXT, INDEX, NUMBER, VALID)
    assert (MAC.guest.i16(INDEX), MAC.guest.i16(VALID)) == (end, valid)
    assert result("dec2num", words=(NUMBER,)) == pytest.approx(value, rel=1e-15, nan_ok=True)


def test_random_numbers_are_park_and_millers() -> None:
    """The ten thousandth after 1 is 1043618065 (Communications of the ACM 31, p. 1195)."""
    MAC.guest.write(NUMBER, struct.pack(">d", 1.0))
    for _ in range(10_000):
        last = result("randomx", words=(NUMBER,))
    assert last == 1043618065.0
    assert struct.unpack(">d", MAC.guest.read(NUMBER, 8)) == (last,)


@pytest.mark.parametrize(
    ("bits", "kind", "of_float", "sign"),
    [
        (0x7FF0000000000001, 0, 0, False),
        (0xFFF8000000000000, 1, 1, True),
        (0xFFF0000000000000, 2, 2, True),
        (0x8000000000000000, 3, 3, True),
        (0x3FF0000000000000, 4, 4, False),
        (0x0010000000000000, 4, 5, False),
        (0x000FFFFFFFFFFFFF, 5, 5, False),
    ],
)
def test_the_kinds_of_numbers(bits: int, kind: int, of_float: int, sign: bool) -> None:
    MAC.engine.register_file.write("fpr1", bits)
    assert (do(MAC, "__fpclassifyd"), do(MAC, "__fpclassifyf")) == (kind, of_float)
    assert (do(MAC, "__isnormald"), do(MAC, "__isnormalf")) == (kind == 4, of_float == 4)
    assert (do(MAC, "__isnand"), do(MAC, "__isfinited")) == (kind < 2, kind > 2)
    assert do(MAC, "__signbitd") == sign


@given(st.floats(allow_nan=False, allow_subnormal=True))
def test_a_double_is_an_extended_number_and_back(value: float) -> None:
    MAC.guest.write(NUMBER, struct.pack(">d", value))
    do(MAC, "dtox80", NUMBER, TEXT)
    assert struct.pack(">d", result("x80tod", words=(TEXT,))) == struct.pack(">d", value)


@pytest.mark.parametrize(
    ("extended", "head", "tail"),
    [
        ("3fff8000000000000001", 1.0, 2.0**-63),  # one and the last of 64 bits
        ("bfff8000000000000001", -1.0, -(2.0**-63)),
        ("80000000000000000000", -0.0, 0.0),
        ("7fff0000000000000000", math.inf, 0.0),
    ],
)
def test_a_long_double_is_the_sum_of_two(extended: str, head: float, tail: float) -> None:
    MAC.guest.write(TEXT, bytes.fromhex(extended))
    do(MAC, "x80told", TEXT, NUMBER)
    assert struct.pack(">dd", head, tail) == MAC.guest.read(NUMBER, 16)
    MAC.guest.write(TEXT, bytes(10))
    do(MAC, "ldtox80", NUMBER, TEXT)
    assert MAC.guest.read(TEXT, 10).hex() == extended


def test_fixed_point_numbers() -> None:
    assert result("Fix2X", words=(-0x18000,)) == -1.5
    assert result("Frac2X", words=(0x60000000,)) == 1.5
    for value, fix, frac in ((1.5, 0x18000, 0x60000000), (math.inf, 2**31 - 1, 2**31 - 1)):
        MAC.engine.register_file.set_double(1, value)
        assert (do(MAC, "X2Fix"), do(MAC, "X2Frac")) == (fix, frac)


def test_the_rounding_direction_is_the_processors() -> None:
    mac = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    get, put = (
        mac.guest.u32(mac.dispatcher.import_address(name)) for name in ("fegetround", "fesetround")
    )

    def call(code: int, argument: int = 0) -> int:
        return run_code(mac, "7d8903a6 4e800420", r3=argument, r12=code)["r3"]

    assert call(get) == 0
    for direction, established in ((2, 1), (7, 0), (1, 1)):
        assert call(put, direction) == established
        assert call(get) == (direction if established else 2)
    mac.engine.register_file.set_double(1, 2.0**60)
    mac.engine.register_file.set_double(2, -1.0)
    run_code(mac, "fc01102a 4e800020")  # fadd f0,f1,f2, towards zero
    assert mac.engine.register_file.double(0) == 2.0**60 - 128


def test_flags_of_instructions_are_tested_and_cleared() -> None:
    mac: Macintosh = make_mac("601")
    assert isinstance(mac.dispatcher, PowerPcDispatcher)
    code = {
        name: mac.guest.u32(mac.dispatcher.import_address(name))
        for name in ("fetestexcept", "feclearexcept")
    }
    mac.engine.register_file.set_double(1, 1.0)
    mac.engine.register_file.set_double(2, 0.0)

    def flags() -> int:
        call = "7d8903a6 4e800420"  # mtctr r12; bctr
        return run_code(mac, call, r3=0x3E000000, r12=code["fetestexcept"])["r3"]

    run_code(mac, "fc011024 4e800020")  # fdiv f0,f1,f2
    assert flags() == 0x04000000
    run_code(mac, "fc021024 4e800020")  # fdiv f0,f2,f2
    assert flags() == 0x24000000
    for mask, left in ((0x20000000, 0x04000000), (0x3E000000, 0)):
        run_code(mac, "7d8903a6 4e800420", r3=mask, r12=code["feclearexcept"])
        assert flags() == left
