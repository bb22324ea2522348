"""Tells which lines and branches of a program were executed, from the edges between its blocks.

Only code counts that the executed routines can come to: those routines, and what they call or jump
to by name. A line is executed if any of its instructions was, wherever the compiler moved or copied
it. A branch is a conditional jump, which has two ways: it jumps, or it goes on behind itself.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from emu.machine.code_coverage.executed_edges import Edge
from emu.program import Program
from emu.program.instructions.branches import Branch, branches_between
from emu.report.limits import FileName, Natural


@dataclass(frozen=True, slots=True)
class CoveredLine:
    """A line with code.

    Attributes:
        line: its number, from 1.
        count: how often its most frequent instruction was executed.
    """

    line: Natural
    count: Natural


@dataclass(frozen=True, slots=True)
class CoveredBranch:
    """A conditional jump.

    Attributes:
        line: the line that it belongs to.
        address: where it is in the program.
        jumped: how often it jumped.
        passed: how often it went on behind itself.
    """

    line: Natural
    address: Natural
    jumped: Natural
    passed: Natural

    @property
    def ways(self) -> int:
        """How many of its two ways were gone."""
        return bool(self.jumped) + bool(self.passed)


@dataclass(frozen=True, slots=True)
class CoveredFile:
    """A source file.

    Attributes:
        file: its name without a folder.
        lines: its lines with code, in order.
        branches: its conditional jumps, by line and address.
    """

    file: FileName
    lines: tuple[CoveredLine, ...]
    branches: tuple[CoveredBranch, ...]


def coverage_of(
    program: Program, edges: Mapping[Edge, int], left_out: Collection[str] = ()
) -> tuple[CoveredFile, ...]:
    """Tell what was executed of each source file.

    Args:
        program: the program.
        edges: how often its calls went from one block to another.
        left_out: names of files that nobody wants to hear of.

    Returns:
        The files, by name; none if the program has no line information.
    """
    reached = _Reached(program, {address for _, _, address, _ in edges})
    counts = _Counts(edges)
    lines: defaultdict[str, dict[int, int]] = defaultdict(dict)
    for start, end, file, line in _spans(program, reached.ranges):
        if file not in left_out:
            lines[file][line] = max(lines[file].get(line, 0), counts.most(start, end))
    branches: defaultdict[str, list[CoveredBranch]] = defaultdict(list)
    for branch in reached.branches:
        file, line = program.lines.find(branch.address)
        if line and file in lines and branch.target != branch.end:
            jumped, passed = counts.ways(branch)
            branches[file].append(CoveredBranch(line, branch.address, jumped, passed))
    return tuple(
        CoveredFile(
            file,
            tuple(CoveredLine(*item) for item in sorted(lines[file].items())),
            tuple(sorted(branches[file], key=lambda jump: (jump.line, jump.address))),
        )
        for file in sorted(lines)
    )


def executed_bytes(program: Program, edges: Mapping[Edge, int]) -> tuple[int, int]:
    """How many bytes of code were executed, and how many the routines have that count.

    The arguments are those of `coverage_of`.
    """
    ranges = _Reached(program, {address for _, _, address, _ in edges}).ranges
    code = {place for start, end in ranges for place in range(start, end)}
    executed = {place for _, _, start, size in edges for place in range(start, start + size)}
    return len(code & executed), len(code)


class _Reached:
    """The routines that calls have entered, and those that these call or jump to.

    Args:
        program: the program.
        entered: addresses of executed blocks.

    Attributes:
        ranges: from where to where each routine goes, by address.
        branches: their conditional branches.
    """

    def __init__(self, program: Program, entered: set[int]) -> None:
        starts = {
            symbol.address: symbol.size for symbol in program.symbols if symbol.kind == "function"
        }
        self._starts = sorted(starts)
        self._sizes = starts
        self._ends = sorted(segment.end for segment in program.segments if segment.executable)
        self.branches: list[Branch] = []
        sizes: dict[int, int] = {}
        waiting = list(entered)
        while waiting:
            routine = self._routine(waiting.pop())
            if routine is None or routine[0] in sizes:
                continue
            sizes[routine[0]] = routine[1]
            for branch in branches_between(program, *routine):
                if branch.is_conditional:
                    self.branches.append(branch)
                if branch.target is not None and not routine[0] <= branch.target < routine[1]:
                    waiting.append(branch.target)
        self.ranges = sorted(sizes.items())

    def _routine(self, address: int) -> tuple[int, int] | None:
        index = bisect_right(self._starts, address) - 1
        place = bisect_right(self._ends, address)
        if index < 0 or place == len(self._ends):
            return None
        start = self._starts[index]
        rest = min([*self._starts[index + 1 : index + 2], self._ends[place]])
        end = start + self._sizes[start] if self._sizes[start] else rest
        return (start, end) if address < end else None


class _Counts:
    """How often each instruction and each branch was executed."""

    def __init__(self, edges: Mapping[Edge, int]) -> None:
        steps: defaultdict[int, int] = defaultdict(int)
        self._left: defaultdict[int, int] = defaultdict(int)
        self._ways: defaultdict[tuple[int, int], int] = defaultdict(int)
        for (previous, previous_size, address, size), count in edges.items():
            steps[address] += count
            steps[address + size] -= count
            self._left[address + size] += count
            self._ways[previous + previous_size, address] += count
        self._places = sorted(steps)
        self._values = []
        executed = 0
        for place in self._places:
            executed += steps[place]
            self._values.append(executed)

    def most(self, start: int, end: int) -> int:
        """How often the most frequent instruction from ``start`` to ``end`` was executed."""
        first = max(bisect_right(self._places, start) - 1, 0)
        return max(self._values[first : bisect_left(self._places, end)], default=0)

    def ways(self, branch: Branch) -> tuple[int, int]:
        """How often a conditional branch jumped, and how often not."""
        passed = self._ways.get((branch.end, branch.end), 0)
        if branch.target is not None:
            return self._ways.get((branch.end, branch.target), 0), passed
        return max(self._left.get(branch.end, 0) - passed, 0), passed


def _spans(
    program: Program, ranges: Collection[tuple[int, int]]
) -> Iterator[tuple[int, int, str, int]]:
    """The code of each line in some ranges: from where to where, file and line."""
    rows = program.lines.rows
    places = [row.address for row in rows]
    for start, end in ranges:
        first = max(bisect_right(places, start) - 1, 0)
        inside = rows[first : bisect_left(places, end)]
        if not inside:  # a program without lines, or code before the first
            continue
        limits = [*(row.address for row in inside[1:]), end]
        for row, limit in zip(inside, limits, strict=True):
            if row.line and max(row.address, start) < limit:
                yield max(row.address, start), limit, row.file, row.line
