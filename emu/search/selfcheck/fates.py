"""What becomes of mutants: found out by the scenes of a case, surviving, or set aside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from emu.search.selfcheck.mutant import Mutant
from emu.verify.runs.verdicts import REFUTED, Result


class Fate(Enum):
    """What can become of a mutant."""

    DIVERGED = "diverged"
    """A wrong value or a broken contract was seen."""
    FAULTED = "faulted"
    """A call of it did not come back, and nothing else was seen."""
    SURVIVED = "survived"
    """It is verified, as the routine itself is."""
    EQUIVALENT = "equivalent"
    """It survived, and a list says why nothing can tell it from the routine."""
    ELSEWHERE = "of another case"
    """It is in a source that has a case of its own, and was not tried."""
    IDENTICAL = "same code"
    """The compiler made the same code of it."""
    ABSENT = "not in the program"
    """It is in a function that the program does not have: a mark there gives the same code."""
    INVALID = "invalid"
    """It does not compile."""

    @property
    def is_killed(self) -> bool:
        """Whether the scenes have found it out."""
        return self in (Fate.DIVERGED, Fate.FAULTED)

    @property
    def is_decided(self) -> bool:
        """Whether it counts for the score."""
        return self.is_killed or self is Fate.SURVIVED


@dataclass(frozen=True, slots=True)
class ProgramFate:
    """What became of one program; ``why`` tells what refuted it, or why it is set aside."""

    fate: Fate
    why: str = ""


_FIRST_THAT_COUNTS = (
    *(Fate.SURVIVED, Fate.DIVERGED, Fate.FAULTED, Fate.ELSEWHERE),
    *(Fate.IDENTICAL, Fate.ABSENT, Fate.INVALID),
)


@dataclass(frozen=True, slots=True)
class MutantFate:
    """What became of a mutant.

    Attributes:
        mutant: the mutant.
        judged: what became of its program on each processor, by the names of the programs.
        equivalent: why nothing can tell it from the routine, if a list says so; else "".
    """

    mutant: Mutant
    judged: Mapping[str, ProgramFate]
    equivalent: str = ""

    @property
    def fate(self) -> Fate:
        """What became of it in all: it survives if it does on any processor."""
        if self.equivalent:
            return Fate.EQUIVALENT
        fates = {fate.fate for fate in self.judged.values()}
        return next(fate for fate in _FIRST_THAT_COUNTS if fate in fates)

    @property
    def why(self) -> str:
        """What refuted it first, or why it is set aside; "" if it survived."""
        fate = self.fate
        return self.equivalent or next(o.why for o in self.judged.values() if o.fate is fate)

    @property
    def survived_on(self) -> tuple[str, ...]:
        """The names of the programs of it that are verified."""
        return tuple(name for name, fate in self.judged.items() if fate.fate is Fate.SURVIVED)


def is_wrong(result: Result) -> bool:
    """Whether a result shows a mistake; on a single scene none may be shown, nor anything done."""
    return bool(result.verdict == REFUTED or result.fault or result.crash)


def judged(result: Result) -> ProgramFate:
    """What a result says of a mutant's program."""
    if not is_wrong(result):
        return ProgramFate(Fate.SURVIVED)
    reasons = [f"{failure.spec}: {failure}" for failure in result.failures]
    reasons += [str(violation) for violation in (result.memory.refuting if result.memory else ())]
    reasons += [result.fault, result.crash, *map(str, result.defects), *map(str, result.isa)]
    why = next(filter(None, reasons), "").partition("\n")[0]
    is_lost = bool(result.fault or result.crash) and not (result.diverged or result.violated)
    return ProgramFate(Fate.FAULTED if is_lost else Fate.DIVERGED, why)


def score_of(tried: Iterable[MutantFate]) -> float | None:
    """The share of mutants that were found out, from 0 to 1; None if none counts.

    What is the routine's own code, does not compile, or is equivalent does not count.
    """
    fates = [fate.fate for fate in tried if fate.fate.is_decided]
    return sum(fate.is_killed for fate in fates) / len(fates) if fates else None
