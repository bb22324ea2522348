"""Finds by how much an instruction moves the stack pointer, and which of its stores push something.

An instruction that says so needs no look at the shadow: what it pushes is stored, and whatever else
becomes live holds nothing yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from emu.lift.pcode.operations import LiftedInstruction, Opcode, Operation, Space, Varnode

_MOST = 256
"""Bytes that are marked one after the other; of a larger move, a function does it."""


@dataclass(frozen=True, slots=True)
class StackMove:
    """How an instruction moves the stack pointer by a number of bytes that it names.

    Attributes:
        distance: the bytes, negative for downwards.
        pushes: the numbers of the operations that store into what becomes live.
        free: the parts of that into which nothing is stored: how far they lie from the stack
            pointer before the instruction, and their bytes.
    """

    distance: int
    pushes: frozenset[int]
    free: tuple[tuple[int, int], ...]


NO_MOVE = StackMove(0, frozenset(), ())
"""That of an instruction that leaves the stack pointer alone."""


def stack_move(instruction: LiftedInstruction, pointer: Varnode, red_zone: int) -> StackMove | None:
    """How an instruction moves the stack pointer; None if only the computer knows.

    Args:
        instruction: the instruction, whose operations are done once each, in order.
        pointer: the stack pointer.
        red_zone: the bytes below it that belong to the running routine.
    """
    operations = instruction.operations
    writes = sum(one.output is not None and one.output.overlaps(pointer) for one in operations)
    if not writes:
        return NO_MOVE
    stores, distance = _offsets(operations, pointer)
    if writes > 1 or distance is None or abs(distance) > _MOST:
        return None
    low, high = distance - red_zone, -red_zone  # what becomes live, if anything does
    inside = {
        number: (offset, size)
        for number, (offset, size) in stores.items()
        if low <= offset and offset + size <= high
    }
    free = tuple(_gaps(sorted(inside.values()), low, high)) if low < high else ()
    return StackMove(distance, frozenset(inside), free)


def stores_first(instruction: LiftedInstruction, pointer: Varnode) -> bool:
    """Whether an instruction stores before it moves the stack pointer, such as ``stwu``."""
    has_stored = False
    for operation in instruction.operations:
        has_stored |= operation.opcode is Opcode.STORE
        if has_stored and operation.output == pointer:
            return True
    return False


def _offsets(
    operations: Sequence[Operation], pointer: Varnode
) -> tuple[dict[int, tuple[int, int]], int | None]:
    """Offset and size of the stores by the first stack pointer, by their numbers; the last one."""
    known: dict[Varnode, tuple[bool, int]] = {pointer: (True, 0)}
    stores = {}

    def value(varnode: Varnode) -> tuple[bool, int] | None:
        """Whether it is relative to the stack pointer, and a number."""
        if varnode.space is Space.CONSTANT:
            return False, _signed(varnode.offset, varnode.size)
        return known.get(varnode)

    for number, operation in enumerate(operations):
        inputs = [value(varnode) for varnode in operation.inputs]
        if operation.opcode is Opcode.STORE and inputs[0] is not None and inputs[0][0]:
            stores[number] = inputs[0][1], operation.inputs[1].size
        output = operation.output
        if output is None:
            continue
        known = {one: what for one, what in known.items() if not one.overlaps(output)}
        result = _result(operation.opcode, inputs)
        if result is not None:
            known[output] = result
    last = known.get(pointer)
    return stores, last[1] if last is not None and last[0] else None


def _result(opcode: Opcode, inputs: Sequence[tuple[bool, int] | None]) -> tuple[bool, int] | None:
    """The value of a computation, if it is a sum."""
    if not inputs or None in inputs:
        return None
    (is_relative, number), *others = (one for one in inputs if one is not None)
    if opcode in (Opcode.COPY, Opcode.INT_SEXT) and not (is_relative and opcode != Opcode.COPY):
        return is_relative, number
    if opcode is Opcode.INT_ADD and not (is_relative and others[0][0]):
        return is_relative or others[0][0], number + others[0][1]
    if opcode is Opcode.INT_SUB and not others[0][0]:
        return is_relative, number - others[0][1]
    return None


def _gaps(places: Sequence[tuple[int, int]], low: int, high: int) -> Iterator[tuple[int, int]]:
    """What some places leave of a range: offsets and sizes."""
    for offset, size in (*places, (high, 0)):
        if offset > low:
            yield low, offset - low
        low = max(low, offset + size)


def _signed(value: int, size: int) -> int:
    half = 1 << 8 * size - 1
    return (value ^ half) - half
