"""Floating point of the 601 as it is lifted, against exact numbers that are rounded once."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator

import pytest

from emu.lift.interpreter import LeftError
from emu.machine.cpu import ppc_arithmetic as exact
from emu.machine.cpu.float_rounding import DOUBLE, SINGLE
from emu.machine.cpu.ppc_arithmetic import FloatOperands, Operation
from tests.lift.lifted_ppc import LiftedInstruction601

_OPERANDS = 1 << 21 | 2 << 16 | 3 << 11 | 4 << 6  # f1 <- f2, f3, f4
_DOUBLE, _SINGLE = 63 << 26, 59 << 26
_ARITHMETIC: dict[str, tuple[int, Operation]] = {
    "fdiv": (18, exact.divide),
    "fsub": (20, exact.subtract),
    "fadd": (21, exact.add),
    "fmul": (25, exact.multiply),
    "fmsub": (28, exact.multiply_subtract),
    "fmadd": (29, exact.multiply_add),
    "fnmsub": (30, exact.negated(exact.multiply_subtract)),
    "fnmadd": (31, exact.negated(exact.multiply_add)),
}
_UNUSED = {"fdiv": 31 << 6, "fsub": 31 << 6, "fadd": 31 << 6, "fmul": 31 << 11}
_CONVERSIONS: dict[str, tuple[int, Operation]] = {
    "frsp": (12, exact.round_to_single),
    "fctiw": (14, exact.convert_to_integer),
    "fctiwz": (15, exact.truncate_to_integer),
}
_EDGES = (
    *(0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x3FF0000000000000),
    *(0x7FF0000000000000, 0x7FF8000000000000, 0x7FF4000000000001, 0x7FF8000000000123),
    *(0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41E0000000100000, 0x3FE0000000000000),
    *(0x3FF0000010000000, 0x3FF0000010000001, 0x3FF0000030000000, 0x47EFFFFFEFFFFFFF),
    *(0x47EFFFFFF0000000, 0x3690000000000000, 0x3690000000000001, 0x36A0000000000000),
    *(0x380FFFFFFFFFFFFF, 0x380FFFFFE0000000, 0x4338000000000000, 0x4320000000000000),
)
_SIGN = 1 << 63


def _doubles(dice: random.Random) -> Iterator[int]:
    """Numbers of which a half are special."""
    while True:
        kind = dice.randrange(4)
        if kind < 2:
            yield dice.choice(_EDGES) | dice.choice((0, _SIGN))
        elif kind == 2:
            yield dice.getrandbits(64)
        else:
            yield (1023 + dice.randint(-40, 40)) << 52 | dice.getrandbits(52)


def _singles(dice: random.Random) -> Iterator[int]:
    """The same of single precision, with few bits in most, so that sums lie half way."""
    while True:
        kind = dice.randrange(4)
        if kind == 0:
            bits = dice.choice((0, 1, 0x7FFFFF, 0x800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000))
        elif kind == 1:
            bits = (127 + dice.randint(-25, 25)) << 23 | dice.choice((0, 1, 0x7FFFFF, 0x400000))
        else:
            bits = dice.getrandbits(31)
            if bits > 0x7F800000:
                bits = 0x7FC00000
        (number,) = struct.unpack(">f", (bits | dice.choice((0, 1 << 31))).to_bytes(4, "big"))
        yield int.from_bytes(struct.pack(">d", number), "big")


def _check(name: str, word: int, operation: Operation, numbers: Iterator[int], count: int) -> None:
    lifted = LiftedInstruction601(word)
    precision = SINGLE if word >> 26 == 59 or name == "frsp" else DOUBLE
    asked = 0
    for _ in range(count):
        a, b, c = next(numbers), next(numbers), next(numbers)
        lifted.set({"f2": a, "f3": b, "f4": c})
        try:
            lifted.step()
        except LeftError:
            continue
        asked += 1
        wanted = operation(FloatOperands(a, b, c, 0, precision)).bits
        found = lifted.get("f1")
        if name.startswith("fctiw"):  # the upper half is undefined
            found &= 0xFFFFFFFF
        assert wanted is not None
        assert f"{found:016x}" == f"{wanted:016x}", f"{name} {a:016x} {b:016x} {c:016x}"
    assert asked > 0.9 * count


@pytest.mark.parametrize("name", _ARITHMETIC)
def test_double_precision(name: str) -> None:
    second, operation = _ARITHMETIC[name]
    word = (_DOUBLE | _OPERANDS | second << 1) & ~_UNUSED.get(name, 0)
    _check(name, word, operation, _doubles(random.Random(name)), 400)


@pytest.mark.parametrize("name", _ARITHMETIC)
def test_single_precision(name: str) -> None:
    second, operation = _ARITHMETIC[name]
    word = (_SINGLE | _OPERANDS | second << 1) & ~_UNUSED.get(name, 0)
    _check(name, word, operation, _singles(random.Random(name)), 400)


@pytest.mark.parametrize("name", _CONVERSIONS)
def test_conversions(name: str) -> None:
    second, operation = _CONVERSIONS[name]
    word = _DOUBLE | 1 << 21 | 3 << 11 | second << 1
    _check(name, word, operation, _doubles(random.Random(name)), 800)
