"""Instructions of the 601 on floating point, numbers that go wrong easily, and what must follow."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from emu.machine.cpu import ppc_arithmetic as exact
from emu.machine.cpu.float_rounding import DOUBLE, SINGLE
from emu.machine.cpu.ppc_arithmetic import FloatOperands, Operation

_A, _B, _C = 2 << 16, 3 << 11, 4 << 6
_DOUBLE, _SINGLE, _TARGET = 63 << 26, 59 << 26, 1 << 21
_ARITHMETIC: tuple[tuple[str, int, Operation], ...] = (
    ("fdiv", _A | _B | 18 << 1, exact.divide),
    ("fsub", _A | _B | 20 << 1, exact.subtract),
    ("fadd", _A | _B | 21 << 1, exact.add),
    ("fmul", _A | _C | 25 << 1, exact.multiply),
    ("fmsub", _A | _B | _C | 28 << 1, exact.multiply_subtract),
    ("fmadd", _A | _B | _C | 29 << 1, exact.multiply_add),
    ("fnmsub", _A | _B | _C | 30 << 1, exact.negated(exact.multiply_subtract)),
    ("fnmadd", _A | _B | _C | 31 << 1, exact.negated(exact.multiply_add)),
)
_CONVERSIONS: tuple[tuple[str, int, Operation], ...] = (
    ("frsp", _B | 12 << 1, exact.round_to_single),
    ("fctiw", _B | 14 << 1, exact.convert_to_integer),
    ("fctiwz", _B | 15 << 1, exact.truncate_to_integer),
)
_EDGES = (
    *(0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF, 0x3FF0000000000000),
    *(0x7FF0000000000000, 0x7FF8000000000000, 0x7FF4000000000001, 0x7FF8000000000123),
    *(0x41DFFFFFFFC00000, 0x41E0000000000000, 0x41E0000000100000, 0x3FE0000000000000),
    *(0x3FF0000010000000, 0x3FF0000010000001, 0x3FF0000030000000, 0x47EFFFFFEFFFFFFF),
    *(0x47EFFFFFF0000000, 0x3690000000000000, 0x3690000000000001, 0x36A0000000000000),
    *(0x380FFFFFFFFFFFFF, 0x380FFFFFE0000000, 0x4338000000000000, 0x4320000000000000),
)
_SIGN = 1 << 63


def doubles(dice: random.Random) -> Iterator[int]:
    """Numbers of which a half are special."""
    while True:
        kind = dice.randrange(4)
        if kind < 2:
            yield dice.choice(_EDGES) | dice.choice((0, _SIGN))
        elif kind == 2:
            yield dice.getrandbits(64)
        else:
            yield (1023 + dice.randint(-40, 40)) << 52 | dice.getrandbits(52)


def singles(dice: random.Random) -> Iterator[int]:
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


@dataclass(frozen=True, slots=True)
class FloatCase:
    """An instruction that takes f2, f3 and f4 and leaves its result in f1.

    Attributes:
        name: its mnemonic.
        word: the instruction.
        operation: what it computes.
    """

    name: str
    word: int
    operation: Operation

    @property
    def is_single(self) -> bool:
        """Whether its operands have to be of single precision."""
        return self.word >> 26 == _SINGLE >> 26

    @property
    def decided(self) -> int:
        """The bits of the result that the manual decides."""
        return 0xFFFFFFFF if self.name.startswith("fctiw") else (1 << 64) - 1

    def wanted(self, a: int, b: int, c: int) -> int:
        """What must follow of the numbers in frA, frB and frC, where it is decided."""
        precision = SINGLE if self.is_single or self.name == "frsp" else DOUBLE
        bits = self.operation(FloatOperands(a, b, c, 0, precision)).bits
        assert bits is not None
        return bits & self.decided

    def numbers(self) -> Iterator[int]:
        """Numbers that it takes, the same in each run."""
        dice = random.Random(self.name)
        return singles(dice) if self.is_single else doubles(dice)


FLOAT_CASES = (
    *(FloatCase(name, _DOUBLE | _TARGET | fields, run) for name, fields, run in _ARITHMETIC),
    *(FloatCase(f"{name}s", _SINGLE | _TARGET | fields, run) for name, fields, run in _ARITHMETIC),
    *(FloatCase(name, _DOUBLE | _TARGET | fields, run) for name, fields, run in _CONVERSIONS),
)
