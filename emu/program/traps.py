"""A-line traps: their names, the first systems that have them, and which ones a program uses.

The upper four bits of a trap word are 1010. If bit 11 is clear, it calls the operating system: the
number is in bits 0 to 7, bit 8 says whether A0 is kept, and bits 9 and 10 are flags that have a
meaning for some traps. If bit 11 is set, it calls the Toolbox: the number is in bits 0 to 9, and
bit 10 (auto-pop) drops a return address.
Source: Inside Macintosh: Operating System Utilities, p. 8-7.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import yaml

from emu.program.disassembly import Code, Instruction
from emu.program.model import Program, Symbol, source_name

UNKNOWN = "unknown"
_TOOLBOX = 0x0800
_OS_NUMBER, _TOOLBOX_NUMBER = 0xF0FF, 0xFBFF
_EXCEPTION_MARK = "__EH_FRAME_BEGIN__"


@dataclass(frozen=True, slots=True)
class TrapInfo:
    """What is known of a trap.

    Attributes:
        word: its usual trap word.
        name: its name, or that of the dispatcher for a trap that takes a selector.
        first_system: the first System file that has it on every ROM, or "unknown".
        first_rom: the first ROM that has it, or "unknown".
    """

    word: int
    name: str
    first_system: str = UNKNOWN
    first_rom: str = UNKNOWN


@dataclass(frozen=True, slots=True)
class TrapUse:
    """A trap that a program uses.

    Attributes:
        word: the word as it stands in the program, flag bits included.
        info: what is known of it; its name is the number if the trap is not in the table.
        count: how many instructions of the program are this trap.
        users: the functions that use it, sorted; empty without symbols.
    """

    word: int
    info: TrapInfo
    count: int
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TrapInventory:
    """Every trap that was found in a program, and how it was searched for.

    Attributes:
        uses: sorted by trap word.
        method: "symbols" if every function was disassembled from its first byte to its last,
            "flow" if the code was followed from the program's entries, "symbols and flow" if both
            was done because the symbols name only a part of the code.
        covered: how many bytes of code were disassembled.
        total: how many bytes of code there are.
    """

    uses: tuple[TrapUse, ...]
    method: str
    covered: int
    total: int


@functools.cache
def trap_table() -> Mapping[int, TrapInfo]:
    """All known traps by their trap word."""
    text = resources.files("emu.program").joinpath("traps.yaml").read_bytes()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    groups = yaml.load(text, loader)
    return {
        word: TrapInfo(word, name, group["first_system"], group["first_rom"])
        for group in groups
        for word, name in group["traps"].items()
    }


@functools.cache
def _by_number() -> dict[int, TrapInfo]:
    """The trap that a number stands for when the flags have no meaning of their own."""
    found: dict[int, TrapInfo] = {}
    for word in sorted(trap_table(), key=lambda word: (word & 0x0600, word)):
        found.setdefault(normalised(word), trap_table()[word])
    return found


def normalised(word: int) -> int:
    """A trap word without flags (operating system) or auto-pop (Toolbox)."""
    return word & (_TOOLBOX_NUMBER if word & _TOOLBOX else _OS_NUMBER)


def trap_info(word: int) -> TrapInfo | None:
    """What is known of a trap word, whatever its flag bits; None if the table lacks the trap.

    A flag that has a meaning makes another trap: A11E is NewPtr, A31E is NewPtrClear.
    """
    table = trap_table()
    if word & _TOOLBOX:
        return table.get(word) or _by_number().get(normalised(word))
    # Bit 8 only keeps A0.
    return table.get(word) or table.get(word ^ 0x0100) or _by_number().get(normalised(word))


def code_ranges(program: Program) -> list[range]:
    """The executable segments, for a program that does not say more exactly where its code is."""
    return [range(s.address, s.end) for s in program.segments if s.executable and s.size]


def trap_inventory(
    program: Program, ranges: Sequence[range] = (), entries: Sequence[int] = ()
) -> TrapInventory:
    """List the traps that a 68K program uses, by disassembly.

    Data and tables for exceptions hold many words that look like traps. Therefore only code is
    searched: the functions that symbols name, and what can be reached from them and the entries.

    Args:
        program: the program.
        ranges: where its code lies; without them, every executable segment.
        entries: addresses where execution can begin.
    """
    code = Code(program)
    ranges = list(ranges) or code_ranges(program)
    total = sum(len(r) for r in ranges)
    functions = _functions(program.symbols, ranges)
    used: dict[int, set[str]] = defaultdict(set)
    named: dict[int, Instruction] = {}
    for symbol, extent in functions:
        for instruction in code.routine(extent.start, extent.stop):
            named[instruction.address] = instruction
            if instruction.is_trap:
                used[instruction.word].add(source_name(symbol.name))
    covered = sum(len(extent) for _, extent in functions)
    found, method = named, "symbols"
    if covered < total:
        # A named function may hold tables in which nothing is a jump, so only the rest is followed.
        found = code.flow(entries, named)
        unnamed = [one for address, one in found.items() if address not in named]
        covered += _bytes_within(unnamed, ranges)
        if not named:
            method = "flow"
        elif unnamed:
            method = "symbols and flow"
    count = Counter(one.word for one in found.values() if one.is_trap)
    return TrapInventory(_uses(count, used), method, covered, total)


def _functions(symbols: Iterable[Symbol], ranges: Sequence[range]) -> list[tuple[Symbol, range]]:
    """The functions in these ranges with their extents, in order and without overlaps."""
    found: list[tuple[Symbol, range]] = []
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
            found.append((symbol, range(symbol.address, at)))
    return found


def _uses(count: Mapping[int, int], users: Mapping[int, set[str]]) -> tuple[TrapUse, ...]:
    return tuple(
        TrapUse(
            word,
            trap_info(word) or TrapInfo(normalised(word), f"trap ${word:04X}"),
            count[word],
            tuple(sorted(users.get(word, ()))),
        )
        for word in sorted(count)
    )


def _bytes_within(instructions: Iterable[Instruction], ranges: Sequence[range]) -> int:
    """The bytes of instructions that lie in some of the ranges, which do not overlap."""
    ordered = sorted(ranges, key=lambda one: one.start)
    starts = [one.start for one in ordered]
    return sum(
        i.size
        for i in instructions
        if (at := bisect_right(starts, i.address) - 1) >= 0 and i.address in ordered[at]
    )
