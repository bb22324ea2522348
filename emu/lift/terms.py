"""Computes operations on terms of z3: bit vectors of any inputs at once.

A value is a whole number of Python where it is known, else a bit vector of 8 bits a byte. Meanings
are those of `emu.lift.pcode.integers`, which computes every operation whose inputs are all known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import z3

from emu.lift.pcode.integers import COMPUTE, UnknownOperationError
from emu.lift.pcode.operations import Opcode

Value: TypeAlias = "int | z3.BitVecRef"
"""A number that is known, or a term; the size in bytes is known where it is used."""

Condition: TypeAlias = "bool | z3.BoolRef"
"""A truth value that is known, or a term."""

DIVISIONS = frozenset({Opcode.INT_DIV, Opcode.INT_REM, Opcode.INT_SDIV, Opcode.INT_SREM})


def term(value: Value, size: int) -> z3.BitVecRef:
    """A value as a bit vector of some bytes."""
    return z3.BitVecVal(value, 8 * size) if isinstance(value, int) else value


def plain(value: z3.BitVecRef) -> Value:
    """A term made simpler; a number if it is known."""
    simple = z3.simplify(value)
    return simple.as_long() if z3.is_bv_value(simple) else simple


def condition(value: Value, size: int) -> Condition:
    """Whether a value is not 0."""
    if isinstance(value, int):
        return value != 0
    return value.arg(0) if _is_flag(value) else simple_condition(value != z3.BitVecVal(0, 8 * size))


def simple_condition(truth: z3.BoolRef) -> Condition:
    """A truth value made simpler; a bool if it is known."""
    simple = z3.simplify(truth)
    if z3.is_true(simple) or z3.is_false(simple):
        return bool(z3.is_true(simple))
    return simple


def joined(values: Sequence[tuple[Value, int]]) -> Value:
    """Values one behind another, each with its size, as one value."""
    if all(isinstance(value, int) for value, _ in values):
        whole = 0
        for value, size in values:
            assert isinstance(value, int)
            whole = whole << 8 * size | value
        return whole
    terms = [term(value, size) for value, size in values]
    return terms[0] if len(terms) == 1 else z3.Concat(*terms)


def part(value: Value, size: int, start: int, count: int) -> Value:
    """Some bytes of a value; the first byte, 0, is the most significant."""
    low = 8 * (size - start - count)
    if isinstance(value, int):
        return value >> low & (1 << 8 * count) - 1
    return value if count == size else z3.Extract(low + 8 * count - 1, low, value)


def compute(opcode: Opcode, values: Sequence[Value], sizes: Sequence[int], size: int) -> Value:
    """The result of an operation, as so many bytes.

    Args:
        opcode: the operation.
        values: its inputs.
        sizes: their sizes in bytes.
        size: the size of the result in bytes.

    Raises:
        UnknownOperationError: it is not computed on terms, as floating point is not.
        ZeroDivisionError: a divisor is 0 for certain. Where it may be 0, the caller has excluded
            that.
    """
    if all(isinstance(value, int) for value in values):
        if opcode not in COMPUTE:
            raise UnknownOperationError(opcode)
        return int(COMPUTE[opcode](values, sizes, size)) & (1 << 8 * size) - 1
    if opcode not in _ON_TERMS:
        raise UnknownOperationError(f"{opcode} of what is not known")
    terms = [term(value, given) for value, given in zip(values, sizes, strict=True)]
    result = _ON_TERMS[opcode](terms, 8 * size)
    return result if isinstance(result, z3.BitVecRef) else _flag(result, 8 * size)


def _flag(truth: z3.BoolRef, bits: int) -> z3.BitVecRef:
    return z3.If(truth, z3.BitVecVal(1, bits), z3.BitVecVal(0, bits))


def _is_flag(value: z3.BitVecRef) -> bool:
    """Whether a term is 1 if something is true, and else 0."""
    if not z3.is_app_of(value, z3.Z3_OP_ITE):
        return False
    yes, no = value.arg(1), value.arg(2)
    both = z3.is_bv_value(yes) and z3.is_bv_value(no)
    return bool(both and yes.as_long() == 1 and no.as_long() == 0)


def _truth(value: z3.BitVecRef) -> z3.BoolRef:
    return value.arg(0) if _is_flag(value) else value != 0


def _wide(value: z3.BitVecRef, bits: int) -> z3.BitVecRef:
    """The lower bits of a value, or the value with zeros in front."""
    own = value.size()
    if own > bits:
        return z3.Extract(bits - 1, 0, value)
    return value if own == bits else z3.ZeroExt(bits - own, value)


def _shift(shift: Callable[[Any, Any], Any], *, signed: bool = False) -> Any:
    """A shift whose count may have another size than the value."""

    def compute(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
        value, count = terms
        own = value.size()
        most = max(own, count.size())
        widened = z3.SignExt(most - own, value) if signed else z3.ZeroExt(most - own, value)
        shifted = shift(widened, z3.ZeroExt(most - count.size(), count))
        return _wide(z3.Extract(own - 1, 0, shifted), bits)

    return compute


def _overflow(compute: Callable[[Any, Any], Any]) -> Any:
    """Whether a signed result does not fit: it is computed with one more bit."""

    def test(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BoolRef:
        result = compute(z3.SignExt(1, terms[0]), z3.SignExt(1, terms[1]))
        top = terms[0].size()
        return z3.Extract(top, top, result) != z3.Extract(top - 1, top - 1, result)

    return test


def _carry(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BoolRef:
    top = terms[0].size()
    return z3.Extract(top, top, z3.ZeroExt(1, terms[0]) + z3.ZeroExt(1, terms[1])) == 1


def _signed(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
    own = terms[0].size()
    return z3.SignExt(bits - own, terms[0]) if bits > own else _wide(terms[0], bits)


def _population(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
    own = terms[0].size()
    count = z3.BitVecVal(0, bits)
    for bit in range(own):
        count += _wide(z3.Extract(bit, bit, terms[0]), bits)
    return count


def _leading_zeros(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
    own = terms[0].size()
    count = z3.BitVecVal(own, bits)
    for bit in range(own):  # the highest bit that is set comes last, and so counts
        is_set = z3.Extract(bit, bit, terms[0]) == 1
        count = z3.If(is_set, z3.BitVecVal(own - 1 - bit, bits), count)
    return count


def _piece(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
    return _wide(z3.Concat(*terms), bits)


def _subpiece(terms: Sequence[z3.BitVecRef], bits: int) -> z3.BitVecRef:
    return _wide(z3.LShR(terms[0], 8 * terms[1].as_long()), bits)


_OnTerms: TypeAlias = Callable[[Sequence[Any], int], Any]

_ON_TERMS: dict[Opcode, _OnTerms] = {
    Opcode.COPY: lambda terms, bits: terms[0],
    Opcode.INT_ZEXT: lambda terms, bits: _wide(terms[0], bits),
    Opcode.INT_SEXT: _signed,
    Opcode.INT_EQUAL: lambda terms, bits: terms[0] == terms[1],
    Opcode.INT_NOTEQUAL: lambda terms, bits: terms[0] != terms[1],
    Opcode.INT_LESS: lambda terms, bits: z3.ULT(terms[0], terms[1]),
    Opcode.INT_LESSEQUAL: lambda terms, bits: z3.ULE(terms[0], terms[1]),
    Opcode.INT_SLESS: lambda terms, bits: terms[0] < terms[1],
    Opcode.INT_SLESSEQUAL: lambda terms, bits: terms[0] <= terms[1],
    Opcode.INT_ADD: lambda terms, bits: terms[0] + terms[1],
    Opcode.INT_SUB: lambda terms, bits: terms[0] - terms[1],
    Opcode.INT_MULT: lambda terms, bits: terms[0] * terms[1],
    Opcode.INT_CARRY: _carry,
    Opcode.INT_SCARRY: _overflow(lambda one, other: one + other),
    Opcode.INT_SBORROW: _overflow(lambda one, other: one - other),
    Opcode.INT_2COMP: lambda terms, bits: -terms[0],
    Opcode.INT_NEGATE: lambda terms, bits: ~terms[0],
    Opcode.INT_XOR: lambda terms, bits: terms[0] ^ terms[1],
    Opcode.INT_AND: lambda terms, bits: terms[0] & terms[1],
    Opcode.INT_OR: lambda terms, bits: terms[0] | terms[1],
    Opcode.INT_LEFT: _shift(lambda value, count: value << count),
    Opcode.INT_RIGHT: _shift(z3.LShR),
    Opcode.INT_SRIGHT: _shift(lambda value, count: value >> count, signed=True),
    Opcode.INT_DIV: lambda terms, bits: z3.UDiv(terms[0], terms[1]),
    Opcode.INT_REM: lambda terms, bits: z3.URem(terms[0], terms[1]),
    Opcode.INT_SDIV: lambda terms, bits: terms[0] / terms[1],
    Opcode.INT_SREM: lambda terms, bits: z3.SRem(terms[0], terms[1]),
    Opcode.BOOL_NEGATE: lambda terms, bits: z3.Not(_truth(terms[0])),
    Opcode.BOOL_XOR: lambda terms, bits: z3.Xor(_truth(terms[0]), _truth(terms[1])),
    Opcode.BOOL_AND: lambda terms, bits: z3.And(_truth(terms[0]), _truth(terms[1])),
    Opcode.BOOL_OR: lambda terms, bits: z3.Or(_truth(terms[0]), _truth(terms[1])),
    Opcode.PIECE: _piece,
    Opcode.SUBPIECE: _subpiece,
    Opcode.POPCOUNT: _population,
    Opcode.LZCOUNT: _leading_zeros,
}
