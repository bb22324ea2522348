"""Counts in PowerPC code what compilers did in different ways.

Sources: PowerPC Microprocessor Family: The Programming Environments (MPCFPE/AD) for the
instructions; Inside Macintosh: PowerPC System Software, chapter 1, for r1 as the stack pointer, r2
as the table of contents and transition vectors.
"""

from __future__ import annotations

import itertools
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from emu.checks.isa_ppc import row_of
from emu.cycles.powerpc.ppc_code import PpcInstruction, decode_word
from emu.program.instructions.branches import powerpc_branch
from emu.program.model.model import Segment
from macproof import MacproofError, Program
from posts.habits.model import Habit, ProgramHabits

_MULTIPLY_DIVIDE = {"mulli", "mullw", "mul", "mulhw", "mulhwu"}, {"divw", "divwu", "div", "divs"}
_WORD = 4
_FEW, _LI = 9, 14

Reached = Mapping[int, int]
"""The words of instructions that can be reached, by their addresses."""


def powerpc_habits(program: Program, starts: Iterable[int] = ()) -> ProgramHabits:
    """The habits that the code of a PowerPC program shows.

    The code is followed from the routines that symbols and transition vectors name. Other calls
    through pointers are not followed.

    Args:
        program: the program.
        starts: further addresses where execution can begin.
    """
    code = [s for s in program.segments if s.executable]
    entries = {*starts, *_named(program, code), *_vectors(program, code)}
    reached = _flow(code, entries)
    routines = (entries | set(_called(reached))) & reached.keys()
    counts = _count(reached)
    return ProgramHabits(
        path=program.path,
        architecture=program.architecture,
        method="flow",
        bytes_covered=_WORD * len(reached),
        bytes_of_code=sum(s.size for s in code),
        instructions=len(reached),
        routines=len(routines),
        habits=tuple(_habits(counts, len(reached), len(routines))),
    )


def _habits(counts: Mapping[str, int], instructions: int, routines: int) -> Iterator[Habit]:
    yield Habit("a frame", counts["frames"], routines, "routines")
    yield Habit("STMW", counts["stmw"], routines, "routines")
    yield Habit("LMW", counts["lmw"], routines, "routines")
    yield Habit("from the table of contents", counts["contents"], counts["loads"], "loads")
    yield Habit("used by the next instruction", counts["used at once"], counts["loads"], "loads")
    yield Habit(
        "right before the branch", counts["compares at once"], counts["compares"], "compares"
    )
    yield Habit("multiplications", counts["multiply"], instructions, "instructions")
    yield Habit("divisions", counts["divide"], instructions, "instructions")
    yield Habit("by a power of two", counts["divide by power"], counts["divide"], "divisions")
    yield Habit("POWER only", counts["power"], instructions, "instructions")


def _named(program: Program, code: Iterable[Segment]) -> Iterator[int]:
    """Addresses of routines that symbols name, and of the routine that vectors of symbols name."""
    pieces = list(code)
    for symbol in program.symbols:
        if symbol.kind == "function" and _is_code(symbol.address, pieces):
            yield symbol.address


def _vectors(program: Program, code: Iterable[Segment]) -> Iterator[int]:
    """Routines of transition vectors: an address in code, and behind it the table of contents."""
    pieces, contents = list(code), program.registers.get("r2", 0)
    for segment in program.segments:
        if segment.executable or not contents:
            continue
        words = struct.unpack(
            f">{len(segment.data) // _WORD}I", segment.data[: len(segment.data) & ~3]
        )
        for first, second in itertools.pairwise(words):
            if second == contents and first % _WORD == 0 and _is_code(first, pieces):
                yield first


def _is_code(address: int, code: Iterable[Segment]) -> bool:
    return any(s.address <= address < s.end for s in code)


def _flow(code: Iterable[Segment], entries: Iterable[int]) -> dict[int, int]:
    """The words that can be reached from the entries, by address."""
    words = {
        s.address + at: int.from_bytes(s.data[at : at + _WORD], "big")
        for s in code
        for at in range(0, len(s.data) & ~3, _WORD)
    }
    words_reached: dict[int, int] = {}
    waiting = list(entries)
    while waiting:
        at = waiting.pop()
        while at in words and at not in words_reached and _is_instruction(words[at]):
            word = words_reached[at] = words[at]
            branch = powerpc_branch(at, word)
            if branch is not None and branch.target is not None:
                waiting.append(branch.target)
            if _never_goes_on(word):
                break
            at += _WORD
    return words_reached


def _is_instruction(word: int) -> bool:
    return word >> 26 in (16, 18) or row_of(word) is not None


def _never_goes_on(word: int) -> bool:
    """Whether it is a branch that is no call and has no condition."""
    if word & 1 or word >> 26 not in (16, 18, 19):
        return False
    if word >> 26 == 19 and word >> 1 & 0x3FF not in (16, 528):
        return False
    return word >> 26 == 18 or word >> 21 & 0b10100 == 0b10100


def _called(reached: Reached) -> Iterator[int]:
    for at, word in reached.items():
        branch = powerpc_branch(at, word) if word & 1 else None
        if branch is not None and branch.target is not None and branch.target != branch.end:
            yield branch.target


def _count(reached: Reached) -> Counter[str]:
    counts: Counter[str] = Counter()
    for at, word in reached.items():
        row = row_of(word)
        mnemonic = row[0] if row else ""
        counts["power"] += row is not None and row[1] == "power"
        counts["stmw"] += mnemonic == "stmw"
        counts["lmw"] += mnemonic == "lmw"
        counts["frames"] += mnemonic == "stwu" and word >> 16 & 0x3FF == 0x21  # STWU R1,d(R1)
        counts["multiply"] += mnemonic in _MULTIPLY_DIVIDE[0]
        if mnemonic in _MULTIPLY_DIVIDE[1]:
            counts["divide"] += 1
            counts["divide by power"] += _is_power_of_two(_constant(reached, at, word >> 11 & 31))
        instruction, following = (
            _decoded(at, word),
            _decoded(at + _WORD, reached.get(at + _WORD, 0)),
        )
        if instruction is None:
            continue
        if instruction.access == "load" and not instruction.cell.endswith(("multiple", "string")):
            counts["loads"] += 1
            counts["contents"] += mnemonic == "lwz" and _is_contents(word)
            target = instruction.writes[0]
            counts["used at once"] += following is not None and target in following.reads
        if instruction.cell == "compare":
            _compare(instruction, reached, counts)
    return counts


def _constant(reached: Reached, address: int, register: int) -> int:
    """The constant that LI puts into a register in the few words before an address; 0 for none."""
    for at in range(address - _WORD, address - _FEW * _WORD, -_WORD):
        word = reached.get(at, 0)
        if word >> 21 == _LI << 5 | register and not word >> 16 & 31:
            return word & 0xFFFF
        if word >> 26 in (16, 18, 19):
            break
    return 0


def _is_power_of_two(number: int) -> bool:
    return number > 1 and not number & number - 1


def _is_contents(word: int) -> bool:
    """Whether LWZ has r2 as its base, and is not the one that takes r2 itself from a frame."""
    return word >> 16 & 31 == 2


def _compare(instruction: PpcInstruction, reached: Reached, counts: Counter[str]) -> None:
    """Count a compare that a branch of the same stretch waits for, and whether it comes at once."""
    at = instruction.next
    while (next_one := _decoded(at, reached.get(at, 0))) is not None:
        if next_one.branch is not None:
            waits = next_one.branch.condition in instruction.writes
            counts["compares"] += waits
            counts["compares at once"] += waits and at == instruction.next
            return
        at += _WORD


def _decoded(address: int, word: int) -> PpcInstruction | None:
    try:
        return decode_word(word, address) if word else None
    except MacproofError:
        return None
