"""The data of the JSON form of ``macproof selfcheck``; ``macproof schema`` describes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from emu.report.limits import FLAT, Limits, Natural
from emu.search.basis import UnwatchedMemory
from emu.search.selfcheck.checker import BrokenCheck, BrokenCheckFate
from emu.search.selfcheck.equivalent import OtherCase
from emu.search.selfcheck.fates import Fate, MutantFate, score_of
from emu.verify.report.receipt import Receipt

SCHEMA = "macproof.selfcheck/2"
KILLED, SURVIVED, INCONCLUSIVE = "killed", "survived", "inconclusive"


@dataclass(frozen=True, slots=True)
class MutantReport:
    """A mutant and what became of it.

    Attributes:
        file: the file that is changed.
        line: the line, from 1; 0 if it is not known.
        function: the function that is changed.
        operator: the kind of change.
        before: the line, or the instruction.
        after: the same, changed.
        key: by what a list of equivalent mutants names it.
        fate: what became of it.
        why: what refuted it first, or why it is set aside; "" if it survived.
        survived_on: the names of the programs of it that are verified.
    """

    file: str
    line: Natural
    function: str
    operator: str
    before: str
    after: str
    key: str
    fate: Fate
    why: str
    survived_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DelegatedSource:
    """A source that was not tried, because it has a case of its own.

    Attributes:
        file: its name.
        case: the name of that case.
        reason: why.
        mutants: how many mutants of it were left out.
    """

    file: str
    case: str
    reason: str
    mutants: Natural


@dataclass(frozen=True, slots=True)
class SelfcheckReport:
    """What the scenes of a case find out of mistakes that were made on purpose.

    Attributes:
        verdict: "killed" if no mutant and no broken check survived and the list of equivalent
            mutants is right; "inconclusive" if there is no mutant that counts; else "survived".
        score: the share of mutants that were found out, from 0 to 1, without those that are set
            aside; None if none counts.
        programs: the names of the programs of which there were mutants.
        all_mutants: how many mutants there are, tried or not.
        mutants: those that were tried.
        left: the sources that were left to other cases.
        checks: what became of the check itself when that was broken.
        wrong_entries: what is wrong with the list of equivalent mutants.
        receipt: what was run: the case, its sources, the scenes.
        unwatched: what was compared with nothing.
    """

    verdict: Annotated[str, Limits(enum=(KILLED, SURVIVED, INCONCLUSIVE))]
    score: Annotated[float, Limits(minimum=0, maximum=1)] | None
    programs: tuple[str, ...]
    all_mutants: Natural
    mutants: tuple[MutantReport, ...]
    left: tuple[DelegatedSource, ...]
    checks: tuple[BrokenCheck, ...]
    wrong_entries: tuple[str, ...]
    receipt: Receipt
    unwatched: Annotated[UnwatchedMemory, FLAT]

    def count(self, fate: Fate) -> int:
        """How many mutants had this fate."""
        return sum(mutant.fate is fate for mutant in self.mutants)

    @property
    def survivors(self) -> list[MutantReport]:
        """The mutants that survived."""
        return [mutant for mutant in self.mutants if mutant.fate is Fate.SURVIVED]


def make_report(
    tried: Sequence[MutantFate],
    *,
    programs: Sequence[str],
    all_mutants: int,
    checks: Sequence[BrokenCheck],
    wrong_entries: Sequence[str],
    elsewhere: Mapping[str, OtherCase],
    receipt: Receipt,
    unwatched: UnwatchedMemory,
) -> SelfcheckReport:
    """Make the report of mutants that were tried; see `SelfcheckReport`."""
    survived = any(fate.fate is Fate.SURVIVED for fate in tried)
    unseen = any(check.seen is BrokenCheckFate.UNSEEN for check in checks)
    score = score_of(tried)
    verdict = KILLED if score is not None else INCONCLUSIVE
    return SelfcheckReport(
        verdict=SURVIVED if survived or unseen or wrong_entries else verdict,
        score=score,
        programs=tuple(programs),
        all_mutants=all_mutants,
        mutants=tuple(map(_mutant, tried)),
        left=tuple(
            DelegatedSource(file, other.name, other.reason, count)
            for file, other in elsewhere.items()
            if (count := _left_in(file, tried))
        ),
        checks=tuple(checks),
        wrong_entries=tuple(wrong_entries),
        receipt=receipt,
        unwatched=unwatched,
    )


def _left_in(file: str, tried: Sequence[MutantFate]) -> int:
    return sum(fate.mutant.file == file and fate.fate is Fate.ELSEWHERE for fate in tried)


def _mutant(tried: MutantFate) -> MutantReport:
    mutant = tried.mutant
    return MutantReport(
        file=mutant.file,
        line=mutant.line,
        function=mutant.function,
        operator=mutant.operator,
        before=mutant.before,
        after=mutant.after,
        key=mutant.key,
        fate=tried.fate,
        why=tried.why,
        survived_on=tried.survived_on,
    )
