"""Branches of the PowerPC: through LR and CTR, and those that count and test a bit."""

from __future__ import annotations

from dataclasses import replace

from emu.lift.pcode.builder import OperationBuilder
from emu.lift.pcode.operations import Opcode, Operation, constant
from emu.lift.powerpc.registers import Word, condition

_JUMPS = (Opcode.BRANCHIND, Opcode.CALLIND, Opcode.RETURN)
_TEST = (Opcode.COPY, Opcode.INT_SUB, Opcode.INT_RIGHT, Opcode.INT_AND)


def with_right_targets(
    form: str, word: Word, operations: tuple[Operation, ...]
) -> tuple[Operation, ...]:
    """The operations of a conditional branch.

    The processor ignores the lowest two bits of a target in a register. A branch that counts and
    tests a bit is the only kind with a BOOL_AND; where BO says that the bit has to be clear, SLEIGH
    takes it where the bit is set. Four operations of SLEIGH get the bit, where two do.
    Source: PowerPC 601 RISC Microprocessor User's Manual, bc, bclr and bcctr.
    """
    build = OperationBuilder()
    if tuple(each.opcode for each in operations[: len(_TEST)]) == _TEST:
        tested = operations[len(_TEST) - 1].output
        field, mask = condition(word.a // 4), constant(8 >> word.a % 4, 1)
        masked = build.value(Opcode.INT_AND, field, mask)
        build.append(Operation(Opcode.INT_NOTEQUAL, tested, (masked, constant(0, 1))))
        operations = operations[len(_TEST) :]
    for each in operations:
        inputs = each.inputs
        if each.opcode in _JUMPS:
            inputs = (build.value(Opcode.INT_AND, inputs[0], constant(-4, 4)),)
        elif each.opcode is Opcode.BOOL_AND and form.endswith((" 0", " 2")):
            inputs = (inputs[0], build.value(Opcode.BOOL_NEGATE, inputs[1]))
        build.append(replace(each, inputs=inputs))
    return build.operations
