"""The condition register of the PowerPC, and traps, which leave.

SLEIGH's descriptions are right, but two or three times as long as these.
"""

from __future__ import annotations

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Operation, Varnode, constant
from emu.lift.powerpc.registers import SUMMARY_OVERFLOW, Word, condition, general

_CMPI, _REGISTERS = 11, 31  # opcodes; the second one of CMP is 0
_RECORD_OF_SLEIGH = 28
"""So many operations SLEIGH has to record a result, at the end of an instruction."""
_FIRST = Opcode.INT_SLESS


def record(build: OperationBuilder, result: Varnode) -> None:
    """Compare a result with 0 and put the outcome into field 0 of the condition register."""
    _compare(build, 0, result, constant(0, 4), Opcode.INT_SLESS)


def compare(build: OperationBuilder, word: Word) -> None:
    """CMP, CMPI, CMPL and CMPLI."""
    is_signed = word.primary == _CMPI or (word.primary == _REGISTERS and not word.extended)
    other = general(word.b)
    if word.primary != _REGISTERS:
        other = constant(word.immediate if is_signed else word.bits & 0xFFFF, 4)
    less = Opcode.INT_SLESS if is_signed else Opcode.INT_LESS
    _compare(build, word.d >> 2, general(word.a), other, less)


def _compare(
    build: OperationBuilder, field: int, one: Varnode, other: Varnode, less: Opcode
) -> None:
    flags = SUMMARY_OVERFLOW
    for opcode, operands, bit in (
        (Opcode.INT_EQUAL, (one, other), 1),
        (less, (other, one), 2),
        (less, (one, other), 3),
    ):
        flag = build.value(opcode, *operands, size=1)
        shifted = build.value(Opcode.INT_LEFT, flag, constant(bit, 4))
        flags = build.value(Opcode.INT_OR, flags, shifted)
    build.put(condition(field), Opcode.COPY, flags)


def move_to_fields(build: OperationBuilder, word: Word) -> None:
    """MTCRF: some fields of the condition register get their bits of a general one."""
    for field in range(8):
        if word.bits >> 19 - field & 1:
            shifted = build.value(Opcode.INT_RIGHT, general(word.d), constant(28 - 4 * field, 4))
            lowest = build.value(Opcode.SUBPIECE, shifted, constant(0, 4), size=1)
            build.put(condition(field), Opcode.INT_AND, lowest, constant(15, 1))


def with_short_record(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of an instruction with a record, with ours, which are a third as many.

    Those of another version of SLEIGH, which has the record otherwise, stay as they are.
    """
    if len(operations) < _RECORD_OF_SLEIGH or operations[-_RECORD_OF_SLEIGH].opcode != _FIRST:
        return operations
    build = OperationBuilder(operations[:-_RECORD_OF_SLEIGH])
    record(build, operations[-_RECORD_OF_SLEIGH].inputs[0])
    return build.operations


def finish(build: OperationBuilder, word: Word, target: int, value: Varnode) -> None:
    """Put a value into a general register, and record it if the instruction does."""
    build.put(general(target), Opcode.COPY, value)
    if word.has_record:
        record(build, general(target))


def trap(build: OperationBuilder, word: Word) -> None:
    """TW and TWI: leave where the processor traps."""
    a, b = general(word.a), general(word.b)
    if word.primary == 3:
        b = constant(word.immediate, 4)
    for bit, opcode, operands in (
        (16, Opcode.INT_SLESS, (a, b)),
        (8, Opcode.INT_SLESS, (b, a)),
        (4, Opcode.INT_EQUAL, (a, b)),
        (2, Opcode.INT_LESS, (a, b)),
        (1, Opcode.INT_LESS, (b, a)),
    ):
        if word.d & bit:
            build.leave(build.value(opcode, *operands, size=1))
