"""Finds the functions of PowerPC code, by its returns, traceback tables, calls and vectors.

Every instruction is a word, and functions lie behind one another. A function ends with a jump that
none of its own branches passes over; a traceback table may follow. Where a symbol or such a table
says how long a function is, that holds: the cases of a switch lie behind a jump to any of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field

from emu.program.functions.model import FunctionExtent
from emu.program.functions.program_memory import ProgramMemory
from emu.program.functions.traceback_tables import (
    TracebackTable,
    find_traceback_tables,
    read_traceback_table,
)
from emu.program.instructions.branches import powerpc_branch
from emu.program.model.model import Segment, source_name

_BLR, _BCTR, _RFI = 0x4E800020, 0x4E800420, 0x4C000064
_ENDS = frozenset({_BLR, _BCTR, _RFI})
_BRANCH, _CONDITIONAL = 18, 16
_LWZX_MASK, _LWZX = 0xFC0007FE, 0x7C00002E
_LONGEST_SWITCH = 6
"""A switch loads from its table so few instructions before it jumps."""


@dataclass(slots=True)
class _Marks:
    """Addresses where functions begin, with why, how long some are, and their traceback tables."""

    starts: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    sizes: dict[int, int] = field(default_factory=dict)
    tables: dict[int, TracebackTable] = field(default_factory=dict)


def find_powerpc_functions(memory: ProgramMemory) -> list[FunctionExtent]:
    """The functions of a PowerPC program, in the order of addresses."""
    marks = _Marks()
    names = {}
    for symbol in memory.program.symbols:
        if symbol.kind == "function" and memory.is_code(symbol.address):
            names[symbol.address] = source_name(symbol.name)
            marks.sizes[symbol.address] = symbol.size
            marks.starts[symbol.address].add("name")
    _add_vectors(memory, marks)
    for segment in memory.code:
        _add_calls(segment, marks)
        _add_tables(segment, marks)
    extents: dict[int, FunctionExtent] = {}
    for segment in memory.code:
        for extent in _extents(segment, marks):
            table = marks.tables.get(extent.start)
            extents[extent.start] = FunctionExtent(
                extent.start,
                extent.end,
                names.get(extent.start) or (table.name if table else ""),
                tuple(sorted(marks.starts.get(extent.start, {"return before"}))),
                table.argument_count if table else None,
            )
    return [extents[address] for address in sorted(extents)]


def _add_vectors(memory: ProgramMemory, marks: _Marks) -> None:
    """Transition vectors: a function's address, and the table of contents behind it."""
    contents = memory.program.registers.get("r2")
    if not contents:
        return
    wanted = contents.to_bytes(4, "big")
    for segment in memory.program.segments:
        at = -1 if segment.executable else segment.data.find(wanted, 4)
        while at >= 4:
            address = int.from_bytes(segment.data[at - 4 : at], "big")
            if at % 4 == 0 and address % 4 == 0 and memory.is_code(address):
                marks.starts[address].add("transition vector")
            at = segment.data.find(wanted, at + 1)


def _words(segment: Segment) -> range:
    return range(0, len(segment.data) - 3, 4)


def _add_calls(segment: Segment, marks: _Marks) -> None:
    for at in _words(segment):
        word = int.from_bytes(segment.data[at : at + 4], "big")
        if word >> 26 == _BRANCH and word & 1:
            branch = powerpc_branch(segment.address + at, word)
            target = branch.target if branch is not None else None
            if target is not None and segment.address <= target < segment.end:
                marks.starts[target].add("call")


def _add_tables(segment: Segment, marks: _Marks) -> None:
    for offset, table in find_traceback_tables(segment.data):
        start = segment.address + offset
        marks.starts[start].add("traceback table")
        marks.tables[start] = table
        if table.function_size is not None:
            marks.sizes.setdefault(start, table.function_size)


def _extents(segment: Segment, marks: _Marks) -> list[FunctionExtent]:
    """The functions of one segment, one behind the other."""
    known = sorted(a for a in marks.starts if segment.address <= a < segment.end)
    found, at, stop = [], segment.address, segment.address + len(segment.data)
    while at + 4 <= stop:
        table = read_traceback_table(segment.data, at - segment.address)
        if table is not None:
            at += table.size
            continue
        if segment.data[at - segment.address : at - segment.address + 4] == b"\0\0\0\0":
            at += 4
            continue
        index = bisect_right(known, at)
        limit = known[index] if index < len(known) else stop
        end = at + marks.sizes.get(at, 0)
        if not at < end <= limit:
            end = _end(segment, at, limit)
        found.append(FunctionExtent(at, end))
        at = end
    return found


def _end(segment: Segment, start: int, limit: int) -> int:
    """The end of a function: behind a jump that no branch before it passes over."""
    furthest = start
    for at in range(start, limit, 4):
        word = _word(segment, at)
        if not word:
            if at > furthest:
                return at
            continue
        kind = word >> 26
        if kind in (_BRANCH, _CONDITIONAL) and not word & 1:
            branch = powerpc_branch(at, word)
            if branch is not None and branch.target is not None and branch.target < limit:
                furthest = max(furthest, branch.target)
        ends = word in _ENDS or (kind == _BRANCH and not word & 1)
        if word == _BCTR and _is_switch(segment, max(start, at - 4 * _LONGEST_SWITCH), at):
            furthest = max(furthest, at + 4)
        elif ends and at >= furthest:
            return at + 4
    return limit


def _is_switch(segment: Segment, first: int, jump: int) -> bool:
    """Whether what lies before a jump by CTR loads the address from a table."""
    return any(_word(segment, at) & _LWZX_MASK == _LWZX for at in range(first, jump, 4))


def _word(segment: Segment, address: int) -> int:
    at = address - segment.address
    return int.from_bytes(segment.data[at : at + 4], "big")
