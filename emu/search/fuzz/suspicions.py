"""What is wrong with calls on changed scenes, and how the same mistake is known again.

Most scenes on which anything is wrong show what others have shown before. Unicorn says what is
wrong with the first of those that leave equal traces in translated code, and is not asked about the
others: of 640 changed scenes of four-shifts 371 read beside a table at one instruction, at 8 ms
each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from emu.cases.case import KnownCase
from emu.cases.programs.subject import Subject
from emu.machine.code_coverage.executed_edges import Edge
from emu.verify.explain.finding import Symptom

DIFFERENCE = "difference"
"""The kind of a finding that two programs leave different results."""

_MOST_KEPT = 1 << 14


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that is wrong after a call on a changed scene.

    Attributes:
        subject: the index of the program.
        symptom: what is wrong.
    """

    subject: int
    symptom: Symptom

    @property
    def key(self) -> tuple[int, str, str, bool]:
        """What is equal for suspicions of which one is enough."""
        symptom = self.symptom
        return self.subject, symptom.kind, symptom.place, bool(symptom.refused)


@dataclass(frozen=True, slots=True)
class MistakeTrace:
    """What translated code tells of a call that is wrong: if it is equal, so is the mistake.

    Attributes:
        kind: a kind of `emu.verify.runs.judgement`, or `DIFFERENCE`.
        place: where it shows, without indices.
        edges: the edges that the call has taken, if it did not return. Instructions of two routines
            may have become one of the host's, which ``place`` names; they do not come to it by the
            same edges.
    """

    kind: str
    place: str
    edges: frozenset[Edge] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, slots=True)
class TracedProgram:
    """Whose traces are compared.

    Attributes:
        case: the case.
        subject: the program.
        index: its index among those that are searched.
        is_refused: whether the reference refuses the scene.
    """

    case: KnownCase
    subject: Subject
    index: int
    is_refused: bool


_shown: dict[tuple[TracedProgram, MistakeTrace], Suspicion] = {}


def recall(program: TracedProgram, trace: MistakeTrace) -> Suspicion | None:
    """What Unicorn has said of a call that left the same trace; None if it was not asked."""
    return _shown.get((program, trace))


def remember(program: TracedProgram, trace: MistakeTrace, suspicion: Suspicion) -> None:
    """Note what Unicorn says of a call that has left a trace."""
    if len(_shown) >= _MOST_KEPT:
        _shown.clear()
    _shown[program, trace] = suspicion
