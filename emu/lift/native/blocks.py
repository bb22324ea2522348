"""The blocks of translated code, each with a mark that it was executed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from emu.lift.native.flow import CodeFlow, jumps_of


class BlockMarks:
    """Runs of instructions of which only the first is jumped to, and only the last jumps.

    Args:
        flow: the code.
        unmarked: addresses of code that gets no marks.

    Attributes:
        places: address and size in bytes of each block, in the order of the marks.
    """

    def __init__(self, flow: CodeFlow, unmarked: range = range(0)) -> None:
        self.places = tuple(
            place for place in _blocks(flow, _leaders(flow)) if place[0] not in unmarked
        )
        self._numbers = {address: number for number, (address, _) in enumerate(self.places)}

    def marking(self, address: int, tag: str) -> Iterator[str]:
        """The instructions of LLVM that mark a block that begins at an address, if one does.

        Names in it end with ``tag``, which is another one each time.
        A mark is a store and nothing waits for it. A counter made four-shifts a fifth slower.
        """
        number = self._numbers.get(address)
        if number is not None:
            yield f"  %mark{number}{tag} = getelementptr i8, ptr %marks, i64 {number}"
            yield f"  store i8 1, ptr %mark{number}{tag}"


def _leaders(flow: CodeFlow) -> frozenset[int]:
    """The addresses at which blocks begin."""
    leaders = set(flow.entries)
    for instruction in flow.instructions.values():
        targets = set(jumps_of(instruction))
        leaders |= targets
        if targets:
            leaders.add(instruction.following)
    return frozenset(leaders)


def _blocks(flow: CodeFlow, leaders: Iterable[int]) -> Iterator[tuple[int, int]]:
    begins = set(leaders)
    start = end = -1
    for instruction in flow.instructions.values():
        if instruction.address in begins or instruction.address != end:
            if end > start:
                yield start, end - start
            start = instruction.address
        end = instruction.following
    if end > start:
        yield start, end - start
