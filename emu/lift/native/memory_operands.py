"""Makes loads and stores of operands that SLEIGH names by their addresses in memory."""

from __future__ import annotations

from collections.abc import Iterator

from emu.lift.native.flow import target_within
from emu.lift.pcode.operations import (
    LiftedInstruction,
    Opcode,
    Operation,
    Space,
    Varnode,
    constant,
)

_TEMPORARIES = 0x6000_0000
"""Temporary values of ours begin here, above those of `OperationBuilder`."""

_TARGETED = (Opcode.BRANCH, Opcode.CBRANCH, Opcode.CALL)


def with_loads_and_stores(instruction: LiftedInstruction) -> LiftedInstruction:
    """The same instruction, with no operand in memory but the targets of branches."""
    if not any(map(_in_memory, instruction.operations)):
        return instruction
    groups = [list(_explicit(operation)) for operation in instruction.operations]
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    operations: list[Operation] = []
    for index, group in enumerate(groups):
        target = target_within(group[-1], index)
        if target is not None:
            place = group[-1].inputs[0]
            distance = constant(starts[target] - starts[index + 1] + 1, place.size)
            moved = Operation(group[-1].opcode, None, (distance, *group[-1].inputs[1:]))
            group = [*group[:-1], moved]
        operations += group
    return LiftedInstruction(
        instruction.address, instruction.code, tuple(operations), instruction.refusal
    )


def _operands(operation: Operation) -> tuple[Varnode, ...]:
    """The inputs that are values."""
    return operation.inputs[operation.opcode in _TARGETED :]


def _in_memory(operation: Operation) -> bool:
    output = () if operation.output is None else (operation.output,)
    return any(one.space is Space.MEMORY for one in (*_operands(operation), *output))


def _explicit(operation: Operation) -> Iterator[Operation]:
    """The operation between the loads of its operands and the store of its result."""
    first = len(operation.inputs) - len(_operands(operation))
    inputs = list(operation.inputs)
    for index in range(first, len(inputs)):
        if inputs[index].space is Space.MEMORY:
            value = Varnode(Space.TEMPORARY, _TEMPORARIES + 16 * index, inputs[index].size)
            yield Operation(Opcode.LOAD, value, (constant(inputs[index].offset, 4),))
            inputs[index] = value
    output = operation.output
    if output is None or output.space is not Space.MEMORY:
        yield Operation(operation.opcode, output, tuple(inputs))
        return
    result = Varnode(Space.TEMPORARY, _TEMPORARIES + 16 * len(inputs), output.size)
    yield Operation(operation.opcode, result, tuple(inputs))
    yield Operation(Opcode.STORE, None, (constant(output.offset, 4), result))
