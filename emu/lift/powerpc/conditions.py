"""Results of the PowerPC that go to the condition register, and traps, which leave."""

from __future__ import annotations

from emu.lift.builder import OperationBuilder
from emu.lift.operations import Opcode, Operation, Varnode, constant
from emu.lift.powerpc.registers import SUMMARY_OVERFLOW, Word, condition, general

_RECORD_OF_SLEIGH = 28
"""So many operations SLEIGH has to record a result, at the end of an instruction."""


def record(build: OperationBuilder, result: Varnode) -> None:
    """Compare a result with 0 and put the outcome into field 0 of the condition register."""
    zero = constant(0, result.size)
    flags = SUMMARY_OVERFLOW
    for opcode, operands, bit in (
        (Opcode.INT_EQUAL, (result, zero), 1),
        (Opcode.INT_SLESS, (zero, result), 2),
        (Opcode.INT_SLESS, (result, zero), 3),
    ):
        flag = build.value(opcode, *operands, size=1)
        shifted = build.value(Opcode.INT_LEFT, flag, constant(bit, 4))
        flags = build.value(Opcode.INT_OR, flags, shifted)
    build.put(condition(0), Opcode.COPY, flags)


def with_short_record(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of an instruction with a record, with ours, which are a third as many."""
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
        b = constant((word.bits & 0xFFFF ^ 0x8000) - 0x8000, 4)
    for bit, opcode, operands in (
        (16, Opcode.INT_SLESS, (a, b)),
        (8, Opcode.INT_SLESS, (b, a)),
        (4, Opcode.INT_EQUAL, (a, b)),
        (2, Opcode.INT_LESS, (a, b)),
        (1, Opcode.INT_LESS, (b, a)),
    ):
        if word.d & bit:
            build.leave(build.value(opcode, *operands, size=1))
