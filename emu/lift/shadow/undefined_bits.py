"""Follows bits that nobody has stored through computations, as Valgrind's memcheck does.

Beside each value there is another of the same size, its *undefined bits*: a bit is 1 there if the
value's bit depends on something that nobody has stored. What is said here of a result is exact for
sums, comparisons and logic, so that code which masks undefined bits away gives no alarm.

Source: N. Nethercote, J. Seward, "Using Valgrind to detect undefined value errors with
bit-precision" (2005); sums and comparisons are those of its section 2.5, by the least and the
largest value that the undefined bits allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from emu.lift.native.assembler import SHADOW, Assembler
from emu.lift.native.computation import computed
from emu.lift.pcode.operations import Opcode, Operation

NONE = "0"


@dataclass(frozen=True, slots=True)
class InputBits:
    """An input of a computation.

    Attributes:
        value: its value, of type ``kind``.
        bits: its undefined bits, of the same type; `NONE` if there are none.
        size: its bytes.
    """

    value: str
    bits: str
    size: int

    @property
    def kind(self) -> str:
        """Its type: "i32"."""
        return f"i{8 * self.size}"

    def least(self, write: Assembler) -> str:
        """The least unsigned value that it can have: each undefined bit is 0."""
        if self.bits == NONE:
            return self.value
        kept = write.let(f"xor {self.kind} {self.bits}, -1")
        return write.let(f"and {self.kind} {self.value}, {kept}")

    def largest(self, write: Assembler) -> str:
        """The largest: each undefined bit is 1."""
        if self.bits == NONE:
            return self.value
        return write.let(f"or {self.kind} {self.value}, {self.bits}")


_Rule: TypeAlias = Callable[[Assembler, Operation, Sequence[InputBits]], str]


def undefined_bits(write: Assembler, operation: Operation) -> str:
    """The undefined bits of a computation's result, as a value of the size of its output.

    Args:
        write: appends the instructions that compute them.
        operation: a computation; its output still has the old value.
    """
    assert operation.output is not None
    operands = [
        InputBits(write.read(one), write.read(one, SHADOW), one.size) for one in operation.inputs
    ]
    if all(operand.bits == NONE for operand in operands):
        return NONE
    same = len(operation.inputs) == 2 and operation.inputs[0] == operation.inputs[1]
    if same and operation.opcode in _NOTHING_OF_ITSELF:
        return NONE
    rule = _RULES.get(operation.opcode, _any)
    if rule not in (_moved, _piece) and len({operand.size for operand in operands}) > 1:
        rule = _any
    return rule(write, operation, operands)


def any_undefined(write: Assembler, operands: Sequence[InputBits]) -> str:
    """Whether any bit of some operands is undefined, an i1."""
    tests = [write.let(f"icmp ne {one.kind} {one.bits}, 0") for one in operands if one.bits != NONE]
    found = tests[0]
    for test in tests[1:]:
        found = write.let(f"or i1 {found}, {test}")
    return found


def _size(operation: Operation) -> int:
    assert operation.output is not None
    return operation.output.size


def _any(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """The whole result is undefined if anything is; of a truth value, its one bit."""
    size = _size(operation)
    how = "zext" if operation.opcode in _TRUTHS else "sext"
    return write.let(f"{how} i1 {any_undefined(write, operands)} to i{8 * size}")


def _moved(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """The bits go where the value's bits go; how far a shift goes has to be defined."""
    first, others = operands[0], operands[1:]
    values = [first.bits, *(other.value for other in others)]
    sizes = [operand.size for operand in operands]
    size = _size(operation)
    moved = computed(write, operation.opcode, values, sizes, size)
    if all(other.bits == NONE for other in others):
        return moved
    spread = write.let(f"sext i1 {any_undefined(write, others)} to i{8 * size}")
    return write.let(f"or i{8 * size} {moved}, {spread}")


def _piece(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    values, sizes = [one.bits for one in operands], [one.size for one in operands]
    return computed(write, operation.opcode, values, sizes, _size(operation))


def _same(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    return write.resized(operands[0].bits, operands[0].size, _size(operation))


def _either(write: Assembler, operands: Sequence[InputBits]) -> str:
    """The bits that are undefined in one of two operands."""
    first, second = operands
    if NONE in (first.bits, second.bits):
        return second.bits if first.bits == NONE else first.bits
    return write.let(f"or {first.kind} {first.bits}, {second.bits}")


def _xor(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    return write.resized(_either(write, operands), operands[0].size, _size(operation))


def _logic(decides: int) -> _Rule:
    """AND and OR: where one input has the bit that decides, the other does not matter."""

    def write_bits(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
        kind, bits = operands[0].kind, _either(write, operands)
        for one in operands:
            # A bit of the result can be undefined only if this input's does not decide it.
            value = one.largest(write) if not decides else one.least(write)
            if decides:
                value = write.let(f"xor {kind} {value}, -1")
            bits = write.let(f"and {kind} {bits}, {value}")
        return write.resized(bits, operands[0].size, _size(operation))

    return write_bits


def _sum_bits(write: Assembler, opcode: Opcode, operands: Sequence[InputBits]) -> str:
    """The undefined bits of a sum or a difference of two operands of one size."""
    first, second = operands
    kind = first.kind
    low, high = second.least(write), second.largest(write)
    if opcode is Opcode.INT_ADD:
        ends = (("add", first.least(write), low), ("add", first.largest(write), high))
    else:
        ends = (("sub", first.least(write), high), ("sub", first.largest(write), low))
    least, most = (write.let(f"{how} {kind} {one}, {other}") for how, one, other in ends)
    changed = write.let(f"xor {kind} {least}, {most}")
    return write.let(f"or {kind} {changed}, {_either(write, operands)}")


def _sum(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    bits = _sum_bits(write, operation.opcode, operands)
    return write.resized(bits, operands[0].size, _size(operation))


def _negated(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    zero = InputBits("0", NONE, operands[0].size)
    bits = _sum_bits(write, Opcode.INT_SUB, [zero, operands[0]])
    return write.resized(bits, operands[0].size, _size(operation))


def _upwards(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """A product: all bits from the lowest undefined one on."""
    kind, bits = operands[0].kind, _either(write, operands)
    negated = write.let(f"sub {kind} 0, {bits}")
    spread = write.let(f"or {kind} {bits}, {negated}")
    return write.resized(spread, operands[0].size, _size(operation))


def _equal(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """Defined if two defined bits differ, whatever the others are."""
    first, second = operands
    kind, bits = first.kind, _either(write, operands)
    differ = write.let(f"xor {kind} {first.value}, {second.value}")
    certain = write.let(f"or {kind} {differ}, {bits}")
    is_certain = write.let(f"icmp ne {kind} {certain}, {bits}")
    some = write.let(f"icmp ne {kind} {bits}, 0")
    no = write.let(f"xor i1 {is_certain}, true")
    result = write.let(f"and i1 {some}, {no}")
    return write.let(f"zext i1 {result} to i{8 * _size(operation)}")


def _ordered(predicate: str, *, is_signed: bool) -> _Rule:
    """A comparison: defined if the least and the largest values compare alike."""

    def write_bits(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
        first, second = (_shifted(write, one) for one in operands) if is_signed else operands
        kind = first.kind
        pairs = (
            (first.least(write), second.largest(write)),
            (first.largest(write), second.least(write)),
        )
        one, other = (write.let(f"icmp {predicate} {kind} {a}, {b}") for a, b in pairs)
        result = write.let(f"xor i1 {one}, {other}")
        return write.let(f"zext i1 {result} to i{8 * _size(operation)}")

    return write_bits


def _shifted(write: Assembler, operand: InputBits) -> InputBits:
    """An operand with its sign bit inverted, so that unsigned order is its signed order."""
    sign = 1 << 8 * operand.size - 1
    value = write.let(f"xor {operand.kind} {operand.value}, {sign}")
    return InputBits(value, operand.bits, operand.size)


def _carry(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """Defined if the sums of the least and of the largest values carry alike."""
    kind, carries = operands[0].kind, []
    for ends in (
        [one.least(write) for one in operands],
        [one.largest(write) for one in operands],
    ):
        total = write.let(f"add {kind} {ends[0]}, {ends[1]}")
        carries.append(write.let(f"icmp ult {kind} {total}, {ends[0]}"))
    result = write.let(f"xor i1 {carries[0]}, {carries[1]}")
    return write.let(f"zext i1 {result} to i{8 * _size(operation)}")


def _overflow(opcode: Opcode) -> _Rule:
    """Defined if the signs of both operands and of the result are."""

    def write_bits(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
        kind = operands[0].kind
        bits = _sum_bits(write, opcode, operands)  # has the operands' undefined bits, too
        result = write.let(f"icmp slt {kind} {bits}, 0")
        return write.let(f"zext i1 {result} to i{8 * _size(operation)}")

    return write_bits


def _zeros_before(write: Assembler, operation: Operation, operands: Sequence[InputBits]) -> str:
    """Defined if the least and the largest value have as many zeros before their first one."""
    (operand,) = operands
    counts = [
        computed(write, Opcode.LZCOUNT, [value], [operand.size], operand.size)
        for value in (operand.least(write), operand.largest(write))
    ]
    differ = write.let(f"icmp ne {operand.kind} {counts[0]}, {counts[1]}")
    return write.let(f"sext i1 {differ} to i{8 * _size(operation)}")


_NOTHING_OF_ITSELF = (
    *(Opcode.INT_XOR, Opcode.INT_SUB, Opcode.BOOL_XOR, Opcode.INT_SBORROW, Opcode.INT_EQUAL),
    *(Opcode.INT_NOTEQUAL, Opcode.INT_LESS, Opcode.INT_LESSEQUAL, Opcode.INT_SLESS),
    Opcode.INT_SLESSEQUAL,
)
"""What gives the same for any value of an operand that stands on both sides."""

_TRUTHS = (
    *(Opcode.FLOAT_EQUAL, Opcode.FLOAT_NOTEQUAL, Opcode.FLOAT_LESS, Opcode.FLOAT_LESSEQUAL),
    Opcode.FLOAT_NAN,
)

_RULES: dict[Opcode, _Rule] = {
    Opcode.COPY: _same,
    Opcode.INT_ZEXT: _same,
    Opcode.INT_SEXT: _moved,
    Opcode.INT_NEGATE: _same,
    Opcode.BOOL_NEGATE: _same,
    Opcode.INT_XOR: _xor,
    Opcode.BOOL_XOR: _xor,
    Opcode.INT_AND: _logic(0),
    Opcode.BOOL_AND: _logic(0),
    Opcode.INT_OR: _logic(1),
    Opcode.BOOL_OR: _logic(1),
    Opcode.INT_ADD: _sum,
    Opcode.INT_SUB: _sum,
    Opcode.INT_2COMP: _negated,
    Opcode.INT_MULT: _upwards,
    Opcode.INT_LEFT: _moved,
    Opcode.INT_RIGHT: _moved,
    Opcode.INT_SRIGHT: _moved,
    Opcode.SUBPIECE: _moved,
    Opcode.PIECE: _piece,
    Opcode.INT_EQUAL: _equal,
    Opcode.INT_NOTEQUAL: _equal,
    Opcode.INT_LESS: _ordered("ult", is_signed=False),
    Opcode.INT_LESSEQUAL: _ordered("ule", is_signed=False),
    Opcode.INT_SLESS: _ordered("ult", is_signed=True),
    Opcode.INT_SLESSEQUAL: _ordered("ule", is_signed=True),
    Opcode.INT_CARRY: _carry,
    Opcode.INT_SCARRY: _overflow(Opcode.INT_ADD),
    Opcode.INT_SBORROW: _overflow(Opcode.INT_SUB),
    Opcode.LZCOUNT: _zeros_before,
}
"""What each operation does; all others make the whole result undefined."""
