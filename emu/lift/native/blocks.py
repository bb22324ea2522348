"""The blocks of translated code, and marks that say which were executed.

Of blocks that are executed by the same calls, one has a mark, outside of loops if possible. Two are
if one dominates the other and is post-dominated by it (Agrawal, Dominators, Super Blocks, and
Program Coverage, POPL 1994). With a mark in each block, four-shifts took a fifth longer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from emu.lift.native.assembler import Assembler
from emu.lift.native.computation import DIVISIONS
from emu.lift.native.flow import (
    COMPUTED_JUMPS,
    CodeFlow,
    is_computed,
    jumps_of,
    successors,
    targets_within,
)
from emu.lift.pcode.operations import LiftedInstruction, Opcode

_LEAVING = {Opcode.LEAVE, *DIVISIONS}
_JUMPING = {*COMPUTED_JUMPS, Opcode.CALL, Opcode.BRANCH, Opcode.CBRANCH}
_NOT_COMPUTED = {*_LEAVING, *COMPUTED_JUMPS, Opcode.CALL, Opcode.LOAD, Opcode.STORE, Opcode.CBRANCH}
_FEW = 24
"""So many operations can a block have that becomes a choice between values."""


class BlockMarks:
    """Runs of instructions of which only the first is jumped to, and only the last jumps.

    Args:
        flow: the code.
        unmarked: addresses of code that gets no marks.

    Attributes:
        places: address and size in bytes of each block.
        witnesses: for each of them, the number of the block whose marks show that it was executed,
            in a call that returned. In another call, marks show their own block alone.
        marks: for each of them, the numbers of its own marks, of which any shows it; none if only
            its witness shows it. Those of a branch are a pair: it was not taken, or it was.
        leaders: the addresses that code comes to from elsewhere than from the instruction above.
    """

    def __init__(self, flow: CodeFlow, unmarked: range = range(0)) -> None:
        self.leaders = leaders_of(flow)
        every = tuple(blocks_of(flow, self.leaders))
        self.places = tuple(place for place in every if place[0] not in unmarked)
        numbers = {address: number for number, (address, _) in enumerate(self.places)}
        graph = _BlockGraph.of(flow, every if self.places else ())
        witnesses = graph.witnesses()
        self.witnesses = tuple(numbers.get(witnesses[at], numbers[at]) for at, _ in self.places)
        marked = set(self.witnesses)
        self._numbers = {at: number for at, number in numbers.items() if number in marked}
        own: dict[int, tuple[int, ...]] = {number: (number,) for number in marked}
        self._pairs: dict[int, int] = {}
        for place, above in graph.only_ways():
            way = _only_way(flow, every[above], place) if place[0] in self._numbers else None
            if way is None:
                continue
            branch, is_taken = way
            first = self._pairs.setdefault(branch, len(self.places) + 2 * len(self._pairs))
            own[self._numbers.pop(place[0])] = (first + is_taken,)
            if every[above][0] in self._numbers and not graph.may_leave(above):
                own[self._numbers.pop(every[above][0])] = (first, first + 1)
        self.marks = tuple(own.get(number, ()) for number in range(len(self.places)))

    @property
    def call_bytes(self) -> int:
        """How far marks of a call lie behind those of the last one; 0 if they are the same."""
        return 0

    def mark(self, assembler: Assembler) -> None:
        """Mark the block that begins at the present instruction, if one does.

        A mark is a store and nothing waits for it.
        """
        number = self._numbers.get(assembler.instruction.address)
        if number is not None:
            place = assembler.let(f"getelementptr i8, ptr %marks, i64 {number}")
            assembler.do(f"store i8 1, ptr {place}")

    def mark_branch(self, assembler: Assembler, bit: str) -> None:
        """Mark whether the present instruction jumps, if its branch has a pair of marks.

        One way of it leads to a block that only computes something, such as an absolute value.
        Without a store there LLVM makes of it a choice between two values: a mark in it took a
        fifth of the time of four-shifts on a 68K. The pair shows the branch's own block, too.

        Args:
            assembler: gets the instructions.
            bit: whether the instruction jumps, an i1.
        """
        first = self._pairs.get(assembler.instruction.address)
        if first is not None:
            pair = assembler.let(f"getelementptr i8, ptr %marks, i64 {first}")
            way = assembler.let(f"zext i1 {bit} to i64")
            place = assembler.let(f"getelementptr i8, ptr {pair}, i64 {way}")
            assembler.do(f"store i8 1, ptr {place}")


def _instructions(flow: CodeFlow, place: tuple[int, int]) -> Iterator[LiftedInstruction]:
    """The instructions of a block."""
    at, end = place[0], sum(place)
    while at < end:
        yield flow.instructions[at]
        at = flow.instructions[at].following


def _only_way(
    flow: CodeFlow, before: tuple[int, int], place: tuple[int, int]
) -> tuple[int, bool] | None:
    """The branch by which code comes to a block that computes a few values, if it is one.

    Args:
        flow: the code.
        before: the only block from which code comes there.
        place: the block.

    Returns:
        The address of the branch, and whether it jumps to the block.
    """
    own = [operation.opcode for one in _instructions(flow, place) for operation in one.operations]
    *_, above = _instructions(flow, before)
    jumping = [one for one in above.operations if one.opcode in _JUMPING]
    if len(own) > _FEW or not _NOT_COMPUTED.isdisjoint(own) or targets_within(above):
        return None
    if [one.opcode for one in jumping] != [Opcode.CBRANCH]:
        return None
    target = jumping[0].inputs[0].offset
    return None if target == above.following else (above.address, target == place[0])


@dataclass(frozen=True, slots=True)
class _BlockGraph:
    """Which block can come behind which, with two nodes more.

    The last node but one is any computed jump, with which execution begins, too. The last one is
    the end of a call in translated code. An odd address does not lead there: Unicorn makes the call
    again, and goes on behind it. Sets of nodes are numbers with a bit for each.

    Attributes:
        places: address and size in bytes of the blocks.
        following: the nodes that can come behind each node.
        before: the nodes behind which each node can come.
    """

    places: Sequence[tuple[int, int]]
    following: Sequence[frozenset[int]]
    before: Sequence[frozenset[int]]

    @classmethod
    def of(cls, flow: CodeFlow, places: Sequence[tuple[int, int]]) -> _BlockGraph:
        """The graph of some code with its blocks."""
        numbers = {address: number for number, (address, _) in enumerate(places)}
        jump, end = len(places), len(places) + 1
        following = []
        for place in places:
            own = list(_instructions(flow, place))
            ways = {numbers.get(target, end) for target in successors(own[-1])}
            if any(operation.opcode in _LEAVING for one in own for operation in one.operations):
                ways.add(end)
            following.append(frozenset(ways | ({jump} if is_computed(own[-1]) else set())))
        entries = {numbers[at] for at in flow.entries if at in numbers}
        following += [frozenset({*entries, end}), frozenset[int]()]
        before: list[set[int]] = [set() for _ in following]
        for number, behind in enumerate(following):
            for one in behind:
                before[one].add(number)
        return cls(places, following, list(map(frozenset, before)))

    def witnesses(self) -> dict[int, int]:
        """For each block the one with the mark: the first in the fewest loops of its group."""
        count = len(self.places)
        over = _dominators(self.before, count, range(count))
        under = _dominators(self.following, count + 1, range(count - 1, -1, -1))
        nodes = {dominators: node for node, dominators in enumerate(over)}
        groups: dict[int, list[int]] = {}
        for one in sorted(range(count), key=lambda number: over[number].bit_count()):
            # Those of its immediate dominator are its own without itself.
            above = nodes.get(over[one] ^ 1 << one, -1)
            is_same = above in groups and under[above] != -1 and under[above] >> one & 1
            groups[one] = groups[above] if is_same else []
            groups[one].append(one)
        depths = self._depths(over)
        witnesses = {}
        for one, group in groups.items():
            best = min(group, key=lambda number: (depths[number], number))
            witnesses[self.places[one][0]] = self.places[best][0]
        return witnesses

    def only_ways(self) -> Iterator[tuple[tuple[int, int], int]]:
        """The blocks to which code comes from one other alone, with the number of that one."""
        count = len(self.places)
        for place, before in zip(self.places, self.before, strict=False):
            above = min(before, default=count)
            if len(before) == 1 and above < count:
                yield place, above

    def may_leave(self, number: int) -> bool:
        """Whether a block can be left before its end, or its end is that of translated code."""
        return len(self.places) + 1 in self.following[number]

    def _depths(self, over: Sequence[int]) -> list[int]:
        """In how many loops each node is."""
        depths = [0] * len(self.following)
        for head, ways in enumerate(self.before):
            waiting = [one for one in ways if over[one] >> head & 1]
            seen = {head} if waiting else set()
            while waiting:
                one = waiting.pop()
                if one not in seen:
                    seen.add(one)
                    waiting += self.before[one]
            for one in seen:
                depths[one] += 1
        return depths


def _dominators(before: Sequence[Collection[int]], first: int, order: Sequence[int]) -> list[int]:
    """The nodes that are on all ways from a first node to each, with itself; -1 if it has none.

    Args:
        before: the nodes from which execution comes to each node.
        first: the first node.
        order: the nodes that are asked first.
    """
    over = [-1] * len(before)
    over[first] = 1 << first
    changed = True
    while changed:
        changed = False
        for one in (*order, *range(len(order), len(before))):
            if one != first:
                common = -1
                for other in before[one]:
                    common &= over[other]
                if common != -1:
                    common |= 1 << one
                changed |= common != over[one]
                over[one] = common
    return over


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
