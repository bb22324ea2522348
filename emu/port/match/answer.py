"""What ``macproof port match`` proposes, as data."""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA = "macproof.port-match/1"

MARKED, NAMED, CERTAIN, UNCERTAIN, NONE = "marked", "named", "certain", "uncertain", "none"
"""How sure a place is: a mark has it; the old program has the name there; far more is for it than
for any other place; it is the likeliest, no more; there is none."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A definition of the sources, and where it may lie in the old program.

    Attributes:
        kind: "FUNCTION", "GLOBAL" or, for code of the old program that stands for a routine of the
            Toolbox, "LIBRARY".
        name: its name in the source; of a static of a function "Function::name".
        file: the source file.
        line: the line of its name; of such a routine that of the first function that calls it.
        place: the place; "" without any.
        certainty: `MARKED`, `NAMED`, `CERTAIN`, `UNCERTAIN` or `NONE`.
        support: what is for it: of a function how alike both are, from 0 to 1; of a global how many
            uses fit; of a routine of the Toolbox how many functions call it.
        next_place: the next place; "" without any.
        next_support: what is for that.
        reason: what speaks for it, or why it is not certain, in words.
    """

    kind: str
    name: str
    file: str
    line: int
    place: str
    certainty: str
    support: float = 0.0
    next_place: str = ""
    next_support: float = 0.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What was proposed.

    Attributes:
        original: the old program.
        functions_of_original: how many functions were found in it.
        proposals: a proposal for each function and global that the sources define.
        contradictions: marks that the rest speaks against, a sentence each.
        not_compiled: sources that could not be compiled, and why, a sentence each.
        seconds: how long it took.
        files_changed: the files that marks were written into.
        not_written: proposals that no mark can be written for, and why, a sentence each.
    """

    original: str
    functions_of_original: int
    proposals: tuple[Proposal, ...]
    contradictions: tuple[str, ...] = ()
    not_compiled: tuple[str, ...] = ()
    seconds: float = 0.0
    files_changed: tuple[str, ...] = ()
    not_written: tuple[str, ...] = ()
