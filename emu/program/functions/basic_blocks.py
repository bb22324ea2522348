"""Divides a function into blocks that are entered at their beginning and left at their end."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from emu.program.functions.model import FunctionExtent
from emu.program.instructions.branches import Branch, branches_between, powerpc_branch
from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.instructions.m68k.forms import BRANCH, CALL, CONDITIONAL, JUMP, LOOP, RETURN
from emu.program.model.model import Program


@dataclass(frozen=True, slots=True)
class BasicBlock:
    """A block of a function; calls do not end it.

    Attributes:
        start: the address of its first instruction.
        end: the address behind its last one.
        branches: the addresses of the conditional branches that lead to it, or past it.
    """

    start: int
    end: int
    branches: tuple[int, ...] = ()


def basic_blocks(program: Program, extent: FunctionExtent) -> list[BasicBlock]:
    """The blocks of a function of a 68K or PowerPC program, in the order of addresses.

    Code that nothing in the function leads to, such as tables of a switch, is in none.
    """
    if program.architecture == "m68k":
        return _m68k_blocks(program, extent)
    branches = list(branches_between(program, extent.start, extent.end))
    starts, ends = {extent.start}, {extent.end}
    for address in range(extent.start, extent.end, 4):
        word = _word(program, address)
        branch = powerpc_branch(address, word)
        is_call = bool(word & 1) and word >> 26 in (16, 18, 19)
        if is_call or (branch is None and word >> 26 != 19):
            continue
        starts.add(address + 4)
    starts |= {b.target for b in branches if b.target is not None}
    return _between(extent, starts, ends, branches)


def _word(program: Program, address: int) -> int:
    for segment in program.segments:
        if segment.executable and segment.address <= address < segment.end:
            at = address - segment.address
            return int.from_bytes(segment.data[at : at + 4], "big")
    return 0


def _m68k_blocks(program: Program, extent: FunctionExtent) -> list[BasicBlock]:
    code = Code(program)
    inside = range(extent.start, extent.end)
    reached = {a: span for a, span in code.flow([extent.start]).items() if a in inside}
    order = [reached[address] for address in sorted(reached)]
    starts, ends, branches = {extent.start}, {extent.end}, []
    previous = InstructionSpan(extent.start, 0, 0)
    for span in order:
        if span.address != previous.end:
            starts.add(span.address)
            ends.add(previous.end)
        targets = () if span.flow == CALL else code.targets(span)
        starts.update(targets, code.switch_table(previous, span, extent.end))
        if span.flow in (CONDITIONAL, LOOP):
            branches += [Branch(span.address, span.end, target, True) for target in targets]
        if span.flow in (CONDITIONAL, LOOP, BRANCH, JUMP, RETURN):
            starts.add(span.end)
        previous = span
    ends.add(previous.end)
    return [
        block
        for block in _between(extent, starts, ends, branches)
        if block.start in reached
    ]  # fmt: skip


def _between(
    extent: FunctionExtent, starts: set[int], ends: set[int], branches: list[Branch]
) -> list[BasicBlock]:
    order = sorted({start for start in starts if extent.start <= start < extent.end})
    borders = sorted({*order, *(end for end in ends if extent.start < end <= extent.end)})
    leading: dict[int, list[int]] = {}
    for branch in branches:
        if branch.is_conditional:
            for place in (branch.target, branch.end):
                leading.setdefault(place or 0, []).append(branch.address)
    return [
        BasicBlock(
            start,
            borders[bisect_right(borders, start)],
            tuple(leading.get(start, ())),
        )
        for start in order
    ]
