"""Counts how often each edge of translated code was taken, for each call by itself.

An edge is a fact about an execution; see `emu.lift.native.counted_edge`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

from emu.lift.native.assembler import Assembler
from emu.lift.native.blocks import BlockMarks, blocks_of, jumps, leaders_of
from emu.lift.native.counted_edge import CountedEdge
from emu.lift.native.flow import CodeFlow, is_computed, jumps_of
from emu.lift.native.versions import PRESENT_RUN, RUN_LEFT
from emu.lift.pcode.operations import LiftedInstruction
from emu.machine.memory.memory import PAGE

COUNT_BYTES = 8
"""The bytes of a count. It cannot overflow in the seconds that a call may take."""


class EdgeCounts(BlockMarks):
    """Counters of edges, in place of marks.

    Each call has a table of its own. A run's counters lie in it from the run's row on, one for each
    run that can come next, as far behind the row as that run's number. Rows are laid so that no two
    edges share a counter (row displacement, as for the tables of parsers: Aho, Sethi and Ullman,
    Compilers, section 3.9). Before all rows lie counters of what is no edge: a run's beginning that
    is reached from above.

    Args:
        flow: the code.
        entries: the addresses that code can come to by a computed jump.
        unmarked: addresses of code that is not counted.
        page_margin: as of `emu.machine.cpu.base.Cpu`.

    Attributes:
        edges: the edges that code may take.
        places: address and size in bytes of each run.
        witnesses, marks: nothing, since nothing is marked.
        longest: the instructions of the longest run.
        leaders: as of `BlockMarks`.
    """

    def __init__(
        self, flow: CodeFlow, entries: Collection[int], unmarked: range, page_margin: int
    ) -> None:
        self._unmarked, self._page_margin = unmarked, page_margin
        self._flow = flow
        self.leaders = leaders_of(flow)
        begins = {address for address, _ in blocks_of(flow, self.leaders)}
        begins |= {one.following for one in flow.instructions.values() if self._ends_run(one)}
        starts = sorted(begins.intersection(flow.instructions).difference(unmarked))
        self._numbers = {address: number for number, address in enumerate(starts)}
        runs = [self._run(address) for address in starts]
        self.longest = max(map(len, runs), default=0)
        self.places = tuple((run[0].address, run[-1].following - run[0].address) for run in runs)
        computed = frozenset(self._numbers[at] for at in entries if at in self._numbers)
        nexts = {
            number: sorted(self._named(end) | (computed if is_computed(end) else frozenset()))
            for number, end in enumerate(run[-1] for run in runs)
        }
        self.witnesses, self.marks, self._pairs = (), (), {}
        self._begin = len(self.places)
        rows, used = _rows(nexts, 2 * self._begin)
        self._rows = tuple(rows[number] for number in range(self._begin))
        self._cells = 1 + max([2 * self._begin, *used])
        first = [CountedEdge(self._begin + target, -1, target) for target in sorted(computed)]
        taken = [
            CountedEdge(rows[number] + target, number, target)
            for number, targets in nexts.items()
            for target in targets
        ]
        self.edges = (*first, *taken)

    def _run(self, address: int) -> list[LiftedInstruction]:
        """The instructions of the run that begins at an address."""
        run = [self._flow.instructions[address]]
        while not self._ends_run(run[-1]) and run[-1].following in self._flow.instructions:
            run.append(self._flow.instructions[run[-1].following])
        return run

    def _ends_run(self, instruction: LiftedInstruction) -> bool:
        """Whether a run ends with an instruction: Unicorn's blocks end near the end of a page."""
        place = instruction.following - (instruction.address & -PAGE)
        return jumps(instruction) or place >= PAGE - self._page_margin

    def _named(self, last: LiftedInstruction) -> frozenset[int]:
        """The numbers of the runs that an instruction can go on at, as far as it says."""
        targets = {*jumps_of(last), last.following}
        return frozenset(self._numbers[target] for target in targets if target in self._numbers)

    @property
    def call_bytes(self) -> int:
        """The bytes of a call's table."""
        return COUNT_BYTES * self._cells

    def mark(self, assembler: Assembler) -> None:
        """Count the edge to the present instruction if a run begins at it, and note if one ends."""
        instruction = assembler.instruction
        number = self._numbers.get(instruction.address)
        is_gate = instruction.address in self._unmarked
        assembler.locals[RUN_LEFT] = assembler.locals[PRESENT_RUN] = 32
        if number is not None:
            left = assembler.let(f"load i32, ptr %{RUN_LEFT}")
            cell = assembler.let(f"add i32 {left}, {number}")
            wide = assembler.let(f"zext i32 {cell} to i64")
            place = assembler.let(f"getelementptr i64, ptr %marks, i64 {wide}")
            before = assembler.let(f"load i64, ptr {place}")
            assembler.do(f"store i64 {assembler.let(f'add i64 {before}, 1')}, ptr {place}")
            is_same = assembler.let(f"icmp eq i32 {left}, 0")
            old = assembler.let(f"load i32, ptr %{PRESENT_RUN}")
            row = self._rows[number]
            present = assembler.let(f"select i1 {is_same}, i32 {old}, i32 {row}")
            assembler.do(f"store i32 {present}, ptr %{PRESENT_RUN}")
            assembler.do(f"store i32 0, ptr %{RUN_LEFT}")
        if self._ends_run(instruction):
            present = str(self._begin)
            if not is_gate:
                present = assembler.let(f"load i32, ptr %{PRESENT_RUN}")
            assembler.do(f"store i32 {present}, ptr %{RUN_LEFT}")


def _rows(nexts: dict[int, list[int]], first: int) -> tuple[dict[int, int], set[int]]:
    """The row of each run, and the counters that are used, of which none is before ``first``.

    Args:
        nexts: the numbers of the runs that can come next, by the numbers of the runs.
        first: the number of a counter.
    """
    used: set[int] = set()
    rows = {}
    free = first
    for number, targets in sorted(nexts.items(), key=lambda item: -len(item[1])):
        least = targets[0] if targets else 0
        row = next(row for row in _from(free - least) if used.isdisjoint(row + t for t in targets))
        used.update(row + target for target in targets)
        rows[number] = row
        while free in used:
            free += 1
    return rows, used


def _from(row: int) -> Iterator[int]:
    """Rows from one on; 0 stands for none."""
    return count(max(1, row))
