"""What a program's code shows of the compiler that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SCHEMA = "macproof.habits/1"


@dataclass(frozen=True, slots=True)
class Habit:
    """How often the code of a program does something in one way.

    Attributes:
        name: what it does, in words.
        count: how often.
        of: how often it could have been done so.
        among: what ``of`` counts, in words: "routines", "calls", "instructions".
    """

    name: str
    count: int
    of: int
    among: str


@dataclass(frozen=True, slots=True)
class ProgramHabits:
    """The habits of one program.

    Attributes:
        path: the file.
        architecture: "m68k" or "powerpc".
        method: how code was told from data: "symbols", "flow" or "symbols and flow", as for
            `emu.program.instructions.reachable_code.ReachableCode`.
        bytes_covered: how many bytes of code were looked at.
        bytes_of_code: how many bytes of code and data between it the program has.
        instructions: how many instructions were looked at.
        routines: how many routines begin in them: entries of the program, targets of calls, and
            functions that symbols name.
        habits: what they show.
    """

    path: Path
    architecture: str
    method: str
    bytes_covered: int
    bytes_of_code: int
    instructions: int
    routines: int
    habits: Sequence[Habit]


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file whose habits cannot be told.

    Attributes:
        path: the file.
        why: the reason, a sentence.
    """

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class HabitsReport:
    """The data of the JSON form ``macproof.habits/1`` of ``macproof inspect --habits``.

    Attributes:
        programs: the programs, a fat application as two.
        refused: the files that hold no program that could be read.
        command: the command line, one string for each word.
    """

    programs: Sequence[ProgramHabits]
    refused: Sequence[UnreadableFile]
    command: Sequence[str]
