"""Breaks the routine of a case on purpose, and demands that its scenes find out every mistake."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.arguments import whole_number
from emu.base.errors import GuestError, WrongResultError
from emu.base.processes.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import Subject
from emu.checks.levels import USUAL, CheckLevel, is_full
from emu.machine.cpu import CPUS
from emu.machine.guest_process import GuestWorkers
from emu.report.document import Document
from emu.report.json_form import to_json
from emu.search.basis import UnwatchedMemory
from emu.search.selfcheck.broken_code import FromPrograms
from emu.search.selfcheck.checker import break_check
from emu.search.selfcheck.document import document_of
from emu.search.selfcheck.equivalent import (
    Equivalents,
    find_equivalents,
    read_equivalents,
    with_equivalent,
    wrong_entries,
)
from emu.search.selfcheck.fates import Fate, MutantFate, ProgramFate, judged
from emu.search.selfcheck.mutant import Mutant
from emu.search.selfcheck.mutant_programs import FromSources
from emu.search.selfcheck.report import SelfcheckReport, make_report
from emu.search.selfcheck.trials import judge_programs
from emu.verify.report.receipt import make_receipt
from emu.verify.runs import schedule
from emu.verify.runs.verdicts import INCONCLUSIVE, VERIFIED, Result
from emu.verify.scenes.scene_plan import plan_scenes
from emu.verify.scenes.scene_spec import SceneSpec

_MADE_HERE = ("compiled", "cache")
_BUILD = "O1"  # it changes least of what is written, and is no slower than the others


@dataclass(frozen=True, slots=True)
class Selfcheck:
    """The result of `selfcheck`.

    Attributes:
        report: every mutant and what became of it.

    Example:
        >>> case = macproof.load_case("examples/bounce")
        >>> found = macproof.selfcheck(case, macproof.programs_of(case, cpus=["601"]), limit=5)
        >>> found.document.title
        'Balls between two walls, broken on purpose'
    """

    report: SelfcheckReport

    @property
    def verdict(self) -> str:
        """The verdict: "killed", "survived" or "inconclusive"."""
        return self.report.verdict

    @property
    def document(self) -> Document:
        """The result as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return document_of(self.report)

    def to_json(self) -> str:
        """The report as JSON text, as ``macproof selfcheck --json`` writes it."""
        return to_json(self.report, self.document.schema)


def usual_cpus(case: Case) -> list[str]:
    """The processors that are tried if none is asked for: the first of each family."""
    first = {CPUS[name].architecture: name for name in reversed(case.cpus)}
    return [name for name in case.cpus if name in first.values()]


def usual_build(case: Case) -> str:
    """The build that is tried if none is asked for."""
    return case.usual_build(_BUILD)


def usual_programs(case: Case) -> Selection:
    """The programs that are tried if none are asked for."""
    builds = [usual_build(case)] if case.program is None else None
    return programs_of(case, cpus=usual_cpus(case), builds=builds)


def selfcheck(
    case: Case | Path | str,
    programs: Selection | None = None,
    *,
    scenes: int | None = None,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    checks: str = USUAL,
    on_code: bool = False,
    limit: int = 0,
    equivalent: Path | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda more, programs: None,
) -> Selfcheck:
    """Break the routine of a case on purpose, and see which mistakes its scenes do not find out.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        programs: the programs, from `programs_of`; None is one processor of each family.
        scenes: the number of scenes; None is the case's own number.
        seed: the seed of the first scene of each kind (generator and number of objects).
        objects: the numbers of objects in scenes; None is the case's own numbers.
        checks: "usual", or "full" to check every access to memory too. That is done for the routine
            itself and for mutants that would survive.
        on_code: whether instructions are changed although there are sources. They are changed in
            any case if nothing is compiled, or none of it in C or C++.
        limit: at most so many mutants are tried, evenly spread; 0 is all.
        equivalent: a list of mutants that nothing can tell from the routine; None is the one that
            lies beside the case, if the case's own sources are changed.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: a command line that does the same, one string for each word, for the receipt.
        on_progress: called with the steps that have just been done, and with all steps.

    Returns:
        Every mutant, and what became of it.

    Raises:
        UsageError, CaseError, ToolMissingError, CompileError: as of `verify`; or the list of
            equivalent mutants is damaged.
        WrongResultError: the routine itself is refuted, so that its mutants say nothing.
        GuestError: it is inconclusive.

    Example:
        >>> case = macproof.load_case("examples/bounce")
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O1"])
        >>> report = macproof.selfcheck(case, programs, limit=5).report
        >>> [(mutant.fate.value, mutant.after) for mutant in report.mutants[:2]]
        [('diverged', 'gBallCount = 0;'), ('diverged', 'b->dx += b->dx;')]
    """
    began, case = time.monotonic(), load_case(case)
    checked = is_full(checks)
    jobs, limit = whole_number(jobs, "jobs"), whole_number(limit, "limit")
    if programs is None:
        programs = usual_programs(case)
    specs = plan_scenes(case, case.scene_count if scenes is None else scenes, seed, objects)
    maker = _maker(programs, specs, on_code=on_code)
    equivalents = _equivalents(case, programs, maker, equivalent)
    with GuestWorkers(jobs) as workers:
        results = _verified(case, maker.subjects, specs, workers, checked=checked)
        broken = break_check(case, maker.subjects, specs, workers)
        every = maker.mutants(workers)
        run = _Run(case, maker, specs, equivalents, workers, checked)
        tried, wrong = run.tried(every, limit, on_progress)
    receipt = make_receipt(
        case,
        maker.originals,
        results,
        specs,
        source=programs.source,
        provision=programs.note,
        command=command,
        seconds=time.monotonic() - began,
    )
    report = make_report(
        tried,
        programs=[subject.name for subject in maker.subjects],
        all_mutants=len(every),
        checks=broken,
        wrong_entries=wrong,
        elsewhere=equivalents.elsewhere,
        receipt=receipt,
        unwatched=UnwatchedMemory.of(case),
    )
    return Selfcheck(report)


def _equivalents(
    case: Case, programs: Selection, maker: FromSources | FromPrograms, equivalent: Path | None
) -> Equivalents:
    """What a list says of the case: the one that is named, or that of the case's own sources."""
    if equivalent is not None:
        return read_equivalents(equivalent, case.name)
    is_own = programs.source is None and isinstance(maker, FromSources)
    return find_equivalents(case) if is_own else Equivalents()


def _spread(mutants: Sequence[Mutant], limit: int) -> list[Mutant]:
    """At most so many mutants, evenly spread."""
    every = -(-len(mutants) // limit) if limit else 1
    return list(mutants[:: max(every, 1)])


def _maker(
    selection: Selection, specs: Sequence[SceneSpec], *, on_code: bool
) -> FromSources | FromPrograms:
    """What makes mutants of programs."""
    is_compiled = not selection.given and all(
        built.origin in _MADE_HERE for built in selection.built
    )
    if is_compiled and not on_code:
        maker = FromSources.of(selection)
        if maker.has_mutants:
            return maker
    return FromPrograms.of(selection, specs)


def _verified(
    case: Case,
    subjects: Sequence[Subject],
    specs: Sequence[SceneSpec],
    workers: Workers,
    *,
    checked: bool,
) -> list[Result]:
    """Verify the routine itself.

    Raises:
        WrongResultError, GuestError: it is not verified.
    """
    level = CheckLevel.FULL if checked else CheckLevel.USUAL
    results = schedule.verify(case, subjects, specs, workers=workers, checks=level)
    for result in results:
        if result.verdict != VERIFIED:
            why = judged(result).why or result.undecided
            error = GuestError if result.verdict == INCONCLUSIVE else WrongResultError
            raise error(
                f"{case.name} itself is {result.verdict} on {result.subject.name}, so its mutants "
                f"say nothing: {why}"
            )
    return results


@dataclass(frozen=True, slots=True)
class _Run:
    """Everything that the mutants of a self-check are run with."""

    case: Case
    maker: FromSources | FromPrograms
    specs: Sequence[SceneSpec]
    known: Equivalents
    workers: Workers
    checked: bool

    def tried(
        self, every: Sequence[Mutant], limit: int, on_progress: Callable[[int, int], None]
    ) -> tuple[list[MutantFate], list[str]]:
        """What becomes of mutants, and what is wrong with the list of equivalent ones.

        Args:
            every: all mutants.
            limit: how many of them are tried at most; 0 is all.
            on_progress: as for `selfcheck`.
        """
        uncalled = self.known.uncalled
        called = [mutant for mutant in every if mutant.place not in uncalled]
        chosen = _spread(called, limit)
        total = 2 * sum(map(self.maker.runs, chosen))
        wrong = self._wrong_uncalled() + self._wrong_elsewhere(every)
        fates = self._judged(chosen, lambda more: on_progress(more, total))
        tried = with_equivalent(fates, self.known.mutants)
        if len(chosen) == len(called):
            wrong += wrong_entries(tried, self.known.mutants)
        survived = {subject.name: ProgramFate(Fate.SURVIVED) for subject in self.maker.subjects}
        unreached = [mutant for mutant in every if mutant.place in uncalled]
        return tried + [
            MutantFate(mutant, survived, uncalled[mutant.place]) for mutant in unreached
        ], wrong

    def _wrong_uncalled(self) -> list[str]:
        """What is wrong with the functions that the list says are never called."""
        subjects, wrong = self.maker.uncalled(self.known)
        results = schedule.verify(self.case, subjects, self.specs, workers=self.workers)
        return wrong + [
            f"a function that is listed as not called is called: {result.subject.name}: "
            f"{judged(result).why or result.undecided}"
            for result in results
            if result.verdict != VERIFIED
        ]

    def _wrong_elsewhere(self, every: Sequence[Mutant]) -> list[str]:
        """What is wrong with the sources that the list leaves to other cases."""
        files = {mutant.file for mutant in every}
        return [
            f"there is no mutant in {file}, which is left to {other.name}"
            for file, other in self.known.elsewhere.items()
            if file not in files
        ]

    def _judged(
        self, mutants: Sequence[Mutant], on_progress: Callable[[int], None]
    ) -> list[MutantFate]:
        made_mutants = self.maker.make(mutants, self.known, self.workers.processes, on_progress)
        found_out: dict[Subject, ProgramFate] = {}
        for original in self.maker.subjects:
            programs = [
                mutant.programs[name]
                for mutant in made_mutants
                if (name := original.name) in mutant.programs
            ]
            # One program stands for all mutants with the same code.
            subjects = list(
                dict.fromkeys(subject for subject in programs if isinstance(subject, Subject))
            )
            on_progress(len(programs) - len(subjects))
            found_out |= judge_programs(
                self.case,
                original,
                subjects,
                self.specs,
                self.workers,
                checked=self.checked,
                on_progress=on_progress,
            )
        return [mutant.tried(found_out) for mutant in made_mutants]
