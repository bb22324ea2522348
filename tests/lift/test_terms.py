"""Operations on terms mean what they mean on numbers."""

from __future__ import annotations

import random

import pytest

from emu.lift.pcode.integers import COMPUTE
from emu.lift.pcode.operations import Opcode

z3 = pytest.importorskip("z3")

from emu.lift import terms  # noqa: E402 - it needs z3

_BOOLEAN = [opcode for opcode in COMPUTE if opcode.startswith("BOOL_")]
_TWO = {Opcode.PIECE, *(o for o in COMPUTE if o.startswith("INT_"))} - {
    Opcode.INT_2COMP,
    Opcode.INT_NEGATE,
    Opcode.INT_ZEXT,
    Opcode.INT_SEXT,
}
_SIZES = {
    Opcode.PIECE: (2, 1, 3),
    Opcode.INT_ZEXT: (2, 0, 4),
    Opcode.INT_SEXT: (2, 0, 4),
    Opcode.POPCOUNT: (2, 0, 1),
    Opcode.LZCOUNT: (2, 0, 1),
}
_TESTS = {Opcode.INT_CARRY, Opcode.INT_SCARRY, Opcode.INT_SBORROW, Opcode.INT_EQUAL}
_TESTS |= {Opcode.INT_NOTEQUAL} | {opcode for opcode in COMPUTE if "LESS" in opcode}
_COMPUTED = [opcode for opcode in COMPUTE if not opcode.startswith("FLOAT_")]
_EDGES = (0, 1, 2, 7, 15, 16, 17, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF)


def _inputs(opcode: Opcode) -> list[tuple[int, ...]]:
    chance = random.Random(opcode)
    if opcode in _BOOLEAN:
        return [(one, other) for one in (0, 1) for other in (0, 1)]
    drawn = [(chance.getrandbits(16), chance.getrandbits(16)) for _ in range(20)]
    return [*((one, other) for one in _EDGES for other in _EDGES), *drawn]


@pytest.mark.parametrize("opcode", _COMPUTED)
def test_terms_mean_what_numbers_do(opcode: Opcode):
    first, second, size = _SIZES.get(opcode, (2, 2, 1 if opcode in _TESTS else 2))
    if opcode in _BOOLEAN:
        first = second = size = 1
    if opcode is Opcode.SUBPIECE:
        size = 1
    count = 1 + (opcode in _TWO or opcode in _BOOLEAN[1:] or opcode is Opcode.SUBPIECE)
    sizes = (first, second)[:count]
    symbols = [z3.BitVec(f"in{n}", 8 * given) for n, given in enumerate(sizes)]
    for values in _inputs(opcode):
        given = [value & (1 << 8 * width) - 1 for value, width in zip(values, sizes, strict=False)]
        if opcode in terms.DIVISIONS and not given[1]:
            continue
        inputs: list[terms.Value] = list(symbols)
        if opcode is Opcode.SUBPIECE:
            given[1] = inputs[1] = 1
        result = terms.compute(opcode, inputs, sizes, size)
        pairs = [
            (symbol, z3.BitVecVal(value, 8 * width))
            for symbol, value, width in zip(symbols, given, sizes, strict=True)
        ]
        got = z3.simplify(z3.substitute(result, *pairs)).as_long()
        assert got == int(COMPUTE[opcode](given, sizes, size)) & (1 << 8 * size) - 1, given


def test_a_shift_count_may_be_wider_than_the_value():
    count = z3.BitVec("count", 32)
    shifted = terms.compute(Opcode.INT_RIGHT, [0xFF, count], (1, 4), 1)
    assert z3.simplify(z3.substitute(shifted, (count, z3.BitVecVal(256, 32)))).as_long() == 0


def test_floating_point_is_refused():
    with pytest.raises(terms.UnknownOperationError, match="FLOAT_ADD"):
        terms.compute(Opcode.FLOAT_ADD, [z3.BitVec("x", 64), 0], (8, 8), 8)


def test_a_part_of_joined_values_is_one_of_them():
    symbol = z3.BitVec("x", 8)
    whole = terms.joined([(symbol, 1), (0x34, 1)])
    assert terms.part(0x1234, 2, 1, 1) == 0x34
    assert terms.plain(terms.term(terms.part(whole, 2, 1, 1), 1)) == 0x34
    assert z3.simplify(terms.part(whole, 2, 0, 1)).eq(symbol)
