"""A product plus a number, rounded once."""

from __future__ import annotations

import random
import struct

import pytest

from emu.lift.pcode.integers import COMPUTE
from emu.lift.pcode.operations import Opcode
from emu.machine.cpu.float_rounding import DOUBLE
from emu.machine.cpu.ppc_arithmetic import FloatOperands, multiply_add

_EDGES = (0.0, 1.0, 1.5, 5e-324, 2.0**-1022, 2.0**-600, 2.0**600, 1.7976931348623157e308)
_INFINITE = float("inf")


def _bits(number: float) -> int:
    return int.from_bytes(struct.pack(">d", number), "big")


def _fused(one: float, other: float, addend: float) -> int:
    values = [_bits(one), _bits(other), _bits(addend)]
    return COMPUTE[Opcode.FLOAT_FMA](values, (8, 8, 8), 8)


def _exact(one: float, other: float, addend: float) -> int | None:
    operands = FloatOperands(_bits(one), _bits(addend), _bits(other), 0, DOUBLE)
    return multiply_add(operands).bits


def test_edges_agree_with_exact_numbers() -> None:
    numbers = [*_EDGES, *(-number for number in _EDGES), _INFINITE, -_INFINITE]
    for one in numbers:
        for other in numbers:
            for addend in numbers:
                wanted = _exact(one, other, addend)
                found = _fused(one, other, addend)
                if wanted is not None and wanted & 0x7FFFFFFFFFFFFFFF > _bits(_INFINITE):
                    assert found & 0x7FFFFFFFFFFFFFFF > _bits(_INFINITE)
                else:
                    assert found == wanted, (one, other, addend)


@pytest.mark.parametrize("seed", range(4))
def test_numbers_that_nearly_cancel_out_agree(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(200):
        one, other = dice.uniform(-2, 2), dice.uniform(-2, 2)
        addend = -one * other * dice.choice((1.0, 1.0, 2.0**-53, 1 + 2.0**-52))
        assert _fused(one, other, addend) == _exact(one, other, addend)
