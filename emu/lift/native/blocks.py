"""The blocks of translated code, each with a mark that it was executed."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from emu.lift.native.assembler import Assembler
from emu.lift.native.flow import CodeFlow, is_computed, jumps_of
from emu.lift.pcode.operations import LiftedInstruction


class BlockMarks:
    """Runs of instructions of which only the first is jumped to, and only the last jumps.

    Args:
        flow: the code.
        unmarked: addresses of code that gets no marks.

    Attributes:
        places: address and size in bytes of each block, in the order of the marks.
        leaders: the addresses that code comes to from elsewhere than from the instruction above.
    """

    def __init__(self, flow: CodeFlow, unmarked: range = range(0)) -> None:
        self.leaders = leaders_of(flow)
        self.places = tuple(
            place for place in blocks_of(flow, self.leaders) if place[0] not in unmarked
        )
        self._numbers = {address: number for number, (address, _) in enumerate(self.places)}

    @property
    def call_bytes(self) -> int:
        """How far marks of a call lie behind those of the last one; 0 if they are the same."""
        return 0

    def mark(self, assembler: Assembler) -> None:
        """Mark the block that begins at the present instruction, if one does.

        A mark is a store and nothing waits for it. A counter made four-shifts a fifth slower.
        """
        number = self._numbers.get(assembler.instruction.address)
        if number is not None:
            place = assembler.let(f"getelementptr i8, ptr %marks, i64 {number}")
            assembler.do(f"store i8 1, ptr {place}")


def jumps(instruction: LiftedInstruction) -> bool:
    """Whether an instruction can go on at another than the one behind it."""
    return any(jumps_of(instruction)) or is_computed(instruction)


def leaders_of(flow: CodeFlow) -> frozenset[int]:
    """The addresses at which blocks begin."""
    leaders = set(flow.entries)
    behind: set[int] = set()
    for instruction in flow.instructions.values():
        if instruction.following in behind:  # of two instructions that overlap
            leaders.add(instruction.following)
        behind.add(instruction.following)
        targets = set(jumps_of(instruction))
        leaders |= targets
        if targets:
            leaders.add(instruction.following)
    return frozenset(leaders)


def blocks_of(flow: CodeFlow, leaders: Collection[int]) -> Iterator[tuple[int, int]]:
    """Address and size of each block; ``leaders`` are the addresses at which blocks begin."""
    start = end = -1
    for instruction in flow.instructions.values():
        if instruction.address in leaders or instruction.address != end:
            if end > start:
                yield start, end - start
            start = instruction.address
        end = instruction.following
    if end > start:
        yield start, end - start
