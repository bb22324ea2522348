"""What a port consists of: the marks in its sources, and the verdicts of its functions.

A place is written as everywhere else: "CODE 2+0x122", "section 0+0x40", "A5-0x864"; see
`emu.program.declarations.places`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from emu.cycles.comparison import FunctionCycles

FUNCTION, STUB, LIBRARY, GLOBAL = "FUNCTION", "STUB", "LIBRARY", "GLOBAL"
"""Kinds of marks: a function that is to do what the old one does; one that is only begun; one that
stands for the compiler's library; a variable."""

NOT_BEGUN, STUBBED, IN_LIBRARY = "not begun", "stub", "library"
VERIFIED, REFUTED, INCONCLUSIVE, PROVED = "verified", "refuted", "inconclusive", "proved"
"""States of a function. One with a mark and without a verdict is `INCONCLUSIVE`."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a comment, or a line of a CSV file, says about a definition.

    Attributes:
        kind: `FUNCTION`, `STUB`, `LIBRARY` or `GLOBAL`.
        place: where the definition lies in the old program.
        file: the file with the mark.
        line: its line, from 1.
        name: the definition's name, if the mark has it, as in a CSV file; "" if it is the
            definition that follows.
        size: its bytes, if the mark has them; 0 if not.
    """

    kind: str
    place: str
    file: Path
    line: int
    name: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class ClaimedFunction:
    """A function of the new source, and which one of the old program it is.

    Attributes:
        name: its name in the source.
        symbol: its name in the compiled object.
        kind: `FUNCTION`, `STUB` or `LIBRARY`.
        place: where the old one lies.
        file: the source file.
        line: the line of its definition; of its mark, if it is not defined.
        is_defined: whether the new source defines it; else it is only called, and its mark says
            where the old one lies.
    """

    name: str
    symbol: str
    kind: str
    place: str
    file: Path
    line: int
    is_defined: bool = True


@dataclass(frozen=True, slots=True)
class ClaimedGlobal:
    """A variable of the new source, and where it lies in the old program.

    Attributes:
        name: its name in the source.
        symbol: its name in the compiled object, such as "tree.0" for one inside a function.
        place: where the old one lies.
        file: the source file of its definition or declaration.
        line: the line there.
        size: its bytes.
    """

    name: str
    symbol: str
    place: str
    file: Path
    line: int
    size: int


@dataclass(frozen=True, slots=True)
class Claims:
    """What a port's sources claim to be, by marks.

    Attributes:
        functions: by their names.
        globals: all of them; a static variable is one of its file alone.
    """

    functions: dict[str, ClaimedFunction]
    globals: tuple[ClaimedGlobal, ...]


@dataclass(frozen=True, slots=True)
class FunctionVerdict:
    """What is known of a function of a port.

    Attributes:
        name: its name.
        place: where the old one lies.
        verdict: `VERIFIED`, `REFUTED`, `INCONCLUSIVE` or `PROVED`.
        reason: the first difference, or why there is no verdict, in words; "" if verified.
        calls: how many recorded calls were replayed on both.
        varied: how many changed calls were.
        blocks: how many blocks the old function has.
        reached: how many of them the calls reached.
        unreached: places of the others, at most twenty.
        remarks: what else its author has to know, a sentence each, such as what was not compared.
        digests: SHA-256 of what the verdict rests on: "original", "source" (with headers and
            flags), "names" (what the names stand for that its file uses: places, or new code),
            "recording" (its calls), "build" (compiler and macproof), "changes" (how calls were
            changed), "sources" (all of them, if what it calls was new, too).
        cycles: what its calls cost in both, if that was asked for.
    """

    name: str
    place: str
    verdict: str
    reason: str = ""
    calls: int = 0
    varied: int = 0
    blocks: int = 0
    reached: int = 0
    unreached: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    digests: dict[str, str] = field(default_factory=dict)
    cycles: FunctionCycles | None = None
