"""Finds the guest code that can be reached, as far as instructions say where they go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from emu.lift.decoder import Decoder
from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space

COMPUTED_JUMPS = frozenset({Opcode.BRANCHIND, Opcode.CALLIND, Opcode.RETURN})
"""What goes to an address that the code computes."""

_AWAY = COMPUTED_JUMPS | {Opcode.BRANCH, Opcode.CALL}
CALLS = (Opcode.CALL, Opcode.CALLIND)


def target_within(operation: Operation, index: int) -> int | None:
    """The index of the operation that a branch within its instruction goes to; None for another."""
    if operation.opcode not in (Opcode.BRANCH, Opcode.CBRANCH):
        return None
    target = operation.inputs[0]
    if target.space is not Space.CONSTANT:
        return None
    half = 1 << 8 * target.size - 1
    return index + (target.offset ^ half) - half


def targets_within(instruction: LiftedInstruction) -> frozenset[int]:
    """The indices of operations that branches within an instruction go to."""
    places = (target_within(one, index) for index, one in enumerate(instruction.operations))
    return frozenset(place for place in places if place is not None)


def ends_there(operation: Operation) -> bool:
    """Whether nothing behind an operation is done unless a branch goes there."""
    if operation.opcode is Opcode.LEAVE:
        condition = operation.inputs[0]
        return condition.space is Space.CONSTANT and condition.offset != 0
    return operation.opcode in _AWAY


def goes_on(instruction: LiftedInstruction) -> bool:
    """Whether the instruction behind can be executed after an instruction."""
    operations = instruction.operations
    if not operations or not ends_there(operations[-1]):
        return True
    return len(operations) in targets_within(instruction)


def jumps_of(instruction: LiftedInstruction) -> Iterator[int]:
    """The addresses of other instructions that an instruction can jump to, as far as it says."""
    for operation in instruction.operations:
        goes = operation.opcode in (Opcode.BRANCH, Opcode.CBRANCH, Opcode.CALL)
        if goes and operation.inputs[0].space is Space.MEMORY:
            yield operation.inputs[0].offset


def successors(instruction: LiftedInstruction) -> Iterator[int]:
    """The addresses at which execution goes on behind an instruction, as far as it says."""
    yield from jumps_of(instruction)
    if goes_on(instruction):
        yield instruction.following


def is_computed(instruction: LiftedInstruction) -> bool:
    """Whether an instruction can go on at an address that it computes."""
    return any(operation.opcode in COMPUTED_JUMPS for operation in instruction.operations)


def calls(instruction: LiftedInstruction) -> bool:
    """Whether an instruction calls a function."""
    return any(operation.opcode in CALLS for operation in instruction.operations)


def called_by(instruction: LiftedInstruction) -> set[int]:
    """The addresses of the functions that an instruction calls, as far as it says."""
    return {one.inputs[0].offset for one in instruction.operations if one.opcode is Opcode.CALL}


@dataclass(frozen=True, slots=True)
class CodeFlow:
    """Code that can be reached.

    Attributes:
        instructions: by their addresses, in the order of these.
        entries: addresses that code comes to by a computed jump: the roots, and whatever is behind
            a call.
        functions: the roots, and the targets of calls.
    """

    instructions: dict[int, LiftedInstruction]
    entries: frozenset[int]
    functions: frozenset[int]


def body_of(flow: CodeFlow, function: int) -> set[int]:
    """The addresses of a function's own instructions, as far as these say where they go."""
    waiting, seen = [function], set()
    while waiting:
        at = waiting.pop()
        if at in seen or at not in flow.instructions:
            continue
        seen.add(at)
        instruction = flow.instructions[at]
        waiting += set(jumps_of(instruction)) - called_by(instruction)
        if goes_on(instruction) or calls(instruction):
            waiting.append(instruction.following)
    return seen


def names_of(instruction: LiftedInstruction, functions: Collection[int]) -> Iterator[int]:
    """The functions whose addresses an instruction has as constants, so that it may call them."""
    for operation in instruction.operations:
        for varnode in operation.inputs:
            if varnode.space is Space.CONSTANT and varnode.offset in functions:
                yield varnode.offset


def find_flow(
    decoder: Decoder, roots: Iterable[int], until: int, functions: Collection[int] = ()
) -> CodeFlow:
    """Find the code that can be reached from some addresses.

    Args:
        decoder: decodes it.
        roots: the addresses.
        functions: addresses at which functions begin, as far as they are known. One that an
            instruction has as a constant may be called by a computed jump.
        until: the address at which execution ends; the instruction there is not meant.
    """
    waiting = list(roots)
    found: dict[int, LiftedInstruction] = {}
    called = set(waiting)
    entries = set(waiting)
    while waiting:
        address = waiting.pop()
        if address in found or address == until:
            continue
        instruction = found[address] = decoder.instruction(address)
        waiting += jumps_of(instruction)
        named = set(names_of(instruction, functions))
        waiting += named
        entries |= named
        called |= named
        for operation in instruction.operations:
            if operation.opcode in CALLS:
                entries.add(instruction.following)
                waiting.append(instruction.following)
                if operation.opcode is Opcode.CALL:
                    called.add(operation.inputs[0].offset)
        if goes_on(instruction):
            waiting.append(instruction.following)
    return CodeFlow(dict(sorted(found.items())), frozenset(entries), frozenset(called))
