"""Finds the instructions of a 68K program that can be reached, apart from data between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from emu.program.instructions.disassembly import Code, InstructionSpan
from emu.program.model.model import Program, Symbol

_EXCEPTION_MARK = "__EH_FRAME_BEGIN__"


@dataclass(frozen=True, slots=True, eq=False)
class ReachableCode:
    """The instructions that were found, and how they were searched for.

    Attributes:
        instructions: all of them, by address.
        functions: the functions that symbols name, each with its instructions.
        method: "symbols" if every function was disassembled from its first byte to its last,
            "flow" if the code was followed from the program's entries, "symbols and flow" if both
            was done because the symbols name only a part of the code.
        covered: how many bytes of code were disassembled, at most `total`.
        total: how many bytes of code there are.
    """

    instructions: Mapping[int, InstructionSpan]
    functions: Sequence[tuple[Symbol, Sequence[InstructionSpan]]]
    method: str
    covered: int
    total: int


def reached_code(
    program: Program, ranges: Sequence[range] = (), entries: Sequence[int] = ()
) -> ReachableCode:
    """Find the functions that symbols name, and what can be reached from them and the entries.

    Args:
        program: a 68K program.
        ranges: where its code lies; without them, every executable segment.
        entries: addresses where execution can begin.
    """
    code = Code(program)
    ranges = list(ranges) or code_ranges(program)
    total = sum(len(r) for r in ranges)
    functions = _functions(program.symbols, ranges)
    decoded = [
        (symbol, tuple(code.routine(extent.start, extent.stop))) for symbol, extent in functions
    ]
    named = {
        instruction.address: instruction
        for _, instructions in decoded
        for instruction in instructions
    }
    pieces = [extent for _, extent in functions]
    covered = _bytes_covered(pieces, ranges)
    instructions, method = named, "symbols"
    if covered < total:
        # A named function may hold tables in which nothing is a jump, so only the rest is followed.
        instructions = code.flow(entries, named)
        unnamed = [
            instruction for address, instruction in instructions.items() if address not in named
        ]
        pieces += [range(instruction.address, instruction.end) for instruction in unnamed]
        covered = _bytes_covered(pieces, ranges)
        if not named:
            method = "flow"
        elif unnamed:
            method = "symbols and flow"
    return ReachableCode(instructions, decoded, method, covered, total)


def code_ranges(program: Program) -> list[range]:
    """The address ranges of executable segments; used if nothing says where code lies in them."""
    return [range(s.address, s.end) for s in program.segments if s.executable and s.size]


def _functions(symbols: Iterable[Symbol], ranges: Sequence[range]) -> list[tuple[Symbol, range]]:
    """The functions in these ranges with their extents, in order and without overlaps."""
    extents: list[tuple[Symbol, range]] = []
    ordered = sorted(symbols, key=lambda symbol: symbol.address)
    marks = [s.address for s in ordered if s.name.startswith(_EXCEPTION_MARK)]
    for inside in ranges:
        stop = min((mark for mark in marks if mark in inside), default=inside.stop)
        functions = [
            s for s in ordered if s.kind == "function" and inside.start <= s.address < stop
        ]
        at = inside.start
        for index, symbol in enumerate(functions):
            if symbol.address < at or symbol.name.startswith(_EXCEPTION_MARK):
                continue
            following = (s.address for s in functions[index + 1 :] if s.address > symbol.address)
            end = symbol.address + symbol.size if symbol.size else next(following, stop)
            at = min(end, stop)
            extents.append((symbol, range(symbol.address, at)))
    return extents


def _bytes_covered(pieces: Iterable[range], ranges: Sequence[range]) -> int:
    """How many bytes of the ranges lie in pieces that begin there.

    A byte of two pieces counts once: a branch may lead into the middle of an instruction. No two
    ranges overlap.
    """
    ordered = sorted(ranges, key=lambda inside: inside.start)
    starts = [inside.start for inside in ordered]
    covered = counted_to = 0
    for piece in sorted(pieces, key=lambda piece: piece.start):
        at = bisect_right(starts, piece.start) - 1
        if at >= 0 and piece.start in ordered[at]:
            end = min(piece.stop, ordered[at].stop)
            covered += max(end - max(piece.start, counted_to), 0)
            counted_to = max(counted_to, end)
    return covered
