"""Which A-line traps a program uses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.program.instructions.reachable_code import ReachableCode, reached_code
from emu.program.instructions.trap_table import TrapInfo, normalised, trap_info
from emu.program.model.model import Program, source_name


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
    """The traps in code whose reachable instructions are known; see `trap_inventory`."""
    used: dict[int, set[str]] = defaultdict(set)
    for symbol, instructions in reached.functions:
        for instruction in instructions:
            if instruction.is_trap:
                used[instruction.word].add(source_name(symbol.name))
    count = Counter(
        instruction.word for instruction in reached.instructions.values() if instruction.is_trap
    )
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
