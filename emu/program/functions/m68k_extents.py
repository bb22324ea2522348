"""Finds the functions of 68K code: by names, the jump table, calls, and how functions begin.

Old compilers begin nearly every function with LINK A6, and many others with MOVEM.L to the stack
behind the return of the function before. What is called begins a function, too.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emu.program.functions.model import FunctionExtent
from emu.program.functions.program_memory import ProgramMemory
from emu.program.instructions.disassembly import Code, InstructionSpan, ends_flow
from emu.program.instructions.m68k.forms import CALL, RETURN
from emu.program.model.model import source_name
from emu.program.symbols.macsbug_names import find_procedure_names

_LINK = re.compile(rb"\x4e\x56(?:[\x80-\xff].|\0\0)", re.DOTALL)
_SAVE_AFTER_RETURN = re.compile(rb"(?:\x4e\x75|\x4e\xd0|\x4e\x74..)(?=\x48\xe7)", re.DOTALL)
_SAVE = b"\x48\xe7"
_PREAMBLE = 12
"""How many bytes of a function may lie before its LINK, as for a check of the stack."""


@dataclass(frozen=True, slots=True)
class M68kFunction:
    """A function's extent and its instructions."""

    extent: FunctionExtent
    instructions: tuple[InstructionSpan, ...]


def find_m68k_functions(memory: ProgramMemory) -> list[M68kFunction]:
    """The functions of a 68K program, in the order of addresses."""
    code = Code(memory.program)
    names = {
        s.address: source_name(s.name)
        for s in memory.program.symbols
        if s.kind == "function" and memory.is_code(s.address)
    }
    starts: dict[int, set[str]] = defaultdict(set)
    for address in names:
        starts[address].add("name")
    for address in memory.program.entries:
        starts[address].add("entry")
    for address in memory.jumps.values():
        if memory.is_code(address) and address % 2 == 0:
            starts[address].add("jump table")
    if not starts:
        for segment in memory.code:
            starts[segment.address].add("entry")
    reached: Mapping[int, InstructionSpan] = code.flow(starts)
    for find, evidence in (
        (_links, "prologue"),
        (_saves, "prologue"),
        (_behind_names, "name before"),
    ):
        _add_calls(code, reached, starts, memory)
        more = find(memory, reached, starts)
        for address in more:
            starts[address].add(evidence)
        reached = code.flow(more, reached)
    _add_calls(code, reached, starts, memory)
    return list(_functions(code, memory, reached, starts, names))


def _add_calls(
    code: Code,
    reached: Mapping[int, InstructionSpan],
    starts: dict[int, set[str]],
    memory: ProgramMemory,
) -> None:
    for instruction in reached.values():
        if instruction.flow == CALL:
            for target in code.targets(instruction):
                address = memory.jumps.get(target, target)
                # A call of the place behind itself asks for that place: position-independent code.
                if address in reached and memory.is_code(address) and address != instruction.end:
                    starts[address].add("call")


def _links(
    memory: ProgramMemory, reached: Mapping[int, InstructionSpan], starts: Iterable[int]
) -> list[int]:
    """The places of LINK A6 that begin functions and are not known yet."""
    known, links = sorted(starts), []
    spans = _Spans(reached)
    for segment in memory.code:
        for match in _LINK.finditer(segment.data):
            address = segment.address + match.start()
            index = bisect_right(known, address) - 1
            near = index >= 0 and 0 <= address - known[index] <= _PREAMBLE
            after_start = near and _goes_on(reached, known[index], address)
            if address % 2 == 0 and not after_start and not spans.cuts(address):
                links.append(address)
    return links


def _goes_on(reached: Mapping[int, InstructionSpan], start: int, end: int) -> bool:
    """Whether execution goes from an address to a near one behind it, over no return or jump."""
    at = start
    while at < end and at in reached and not ends_flow(reached[at]):
        at = reached[at].end
    return start in reached and at >= end


def _saves(
    memory: ProgramMemory, reached: Mapping[int, InstructionSpan], starts: Iterable[int]
) -> list[int]:
    """The places of MOVEM.L to the stack behind a return, or behind a name, not known yet."""
    known, saves = set(starts), []
    spans = _Spans(reached)
    for segment in memory.code:
        ends = {match.end() for match in _SAVE_AFTER_RETURN.finditer(segment.data)}
        ends |= {
            name.start
            for name in find_procedure_names(segment.data)
            if segment.data[name.start : name.start + 2] == _SAVE
        }
        for end in sorted(ends):
            address = segment.address + end
            is_known = address in known or address in reached
            if address % 2 == 0 and not is_known and not spans.cuts(address):
                saves.append(address)
    return saves


def _behind_names(
    memory: ProgramMemory, reached: Mapping[int, InstructionSpan], starts: Iterable[int]
) -> list[int]:
    """Where code without a name begins behind a name, if nothing else has led there."""
    behind = []
    code = Code(memory.program)
    for segment in memory.code:
        for name in find_procedure_names(segment.data):
            first, end = segment.address + name.behind, segment.address + name.start
            if 0 < name.behind < name.start and first not in reached:
                run = list(code.decode(first, end))
                if any(one.flow == RETURN for one in run) and all(one.valid for one in run):
                    behind.append(first)
    return [address for address in behind if address not in set(starts)]


class _Spans:
    """Where instructions lie, to tell an address in the middle of one."""

    def __init__(self, reached: Mapping[int, InstructionSpan]) -> None:
        self._reached = reached
        self._addresses = sorted(reached)

    def cuts(self, address: int) -> bool:
        index = bisect_left(self._addresses, address) - 1
        return (
            address not in self._reached
            and index >= 0
            and self._reached[self._addresses[index]].end > address
        )


def _functions(
    code: Code,
    memory: ProgramMemory,
    reached: Mapping[int, InstructionSpan],
    starts: Mapping[int, set[str]],
    names: Mapping[int, str],
) -> Iterable[M68kFunction]:
    ordered, addresses = sorted(starts), sorted(reached)
    for start, following in zip(ordered, [*ordered[1:], 1 << 32], strict=bool(ordered)):
        segment = memory.segment(start)
        if segment is None:
            continue
        limit = min(following, segment.end)
        inside = [
            reached[address]
            for address in addresses[bisect_left(addresses, start) : bisect_left(addresses, limit)]
        ]
        instructions = _without_gaps(code, inside)
        if instructions:
            extent = FunctionExtent(
                start,
                min(instructions[-1].end, limit),
                names.get(start, ""),
                tuple(sorted(starts[start])),
            )
            yield M68kFunction(extent, tuple(instructions))


def _without_gaps(code: Code, inside: Sequence[InstructionSpan]) -> list[InstructionSpan]:
    """The instructions of a function with those between them that only a table leads to.

    What lies between is taken for instructions if it is nothing but instructions.
    """
    instructions: list[InstructionSpan] = []
    for instruction in inside:
        if instructions and instructions[-1].end > instruction.address:
            continue  # one of two ways to read the same bytes
        if instructions and instructions[-1].end < instruction.address:
            between = list(code.decode(instructions[-1].end, instruction.address))
            if between[-1].end == instruction.address and all(one.valid for one in between):
                instructions += between
        instructions.append(instruction)
    return instructions
