"""A-line traps: their names, the first systems that have them, and which ones a program uses.

The upper four bits of a trap word are 1010. If bit 11 is clear, it calls the operating system: the
number is in bits 0 to 7, bit 8 says whether A0 is kept, and bits 9 and 10 are flags that have a
meaning for some traps. If bit 11 is set, it calls the Toolbox: the number is in bits 0 to 9, and
bit 10 (auto-pop) drops a return address.
Source: Inside Macintosh: Operating System Utilities, p. 8-7.
"""

from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources

import yaml

from emu.program.instructions.reachable_code import ReachableCode, reached_code
from emu.program.model.model import Program, source_name

UNKNOWN = "unknown"
_TOOLBOX = 0x0800
_OS_NUMBER, _TOOLBOX_NUMBER = 0xF0FF, 0xFBFF


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


def trap_inventory(
    program: Program, ranges: Sequence[range] = (), entries: Sequence[int] = ()
) -> TrapInventory:
    """List the traps that a 68K program uses, by disassembly.

    Data and tables for exceptions hold many words that look like traps. Therefore only code that is
    reached is searched; see `emu.program.instructions.reachable_code`.

    Args:
        program: the program.
        ranges: where its code lies; without them, every executable segment.
        entries: addresses where execution can begin.
    """
    return traps_in(reached_code(program, ranges, entries))


def traps_in(reached: ReachableCode) -> TrapInventory:
    """The traps in code that has been searched already; see `trap_inventory`."""
    used: dict[int, set[str]] = defaultdict(set)
    for symbol, instructions in reached.functions:
        for one in instructions:
            if one.is_trap:
                used[one.word].add(source_name(symbol.name))
    count = Counter(one.word for one in reached.instructions.values() if one.is_trap)
    return TrapInventory(_uses(count, used), reached.method, reached.covered, reached.total)


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
