"""The public function `verify`, and its result: both ends of the road of all scenes.

A case and its programs go in. `plan_scenes` names the scenes, `emu.verify.runs.schedule` runs them,
and the results become a report with a verdict, in a `Verification`.
"""

from __future__ import annotations

import functools
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.arguments import require, strings, whole_number
from emu.base.errors import UsageError
from emu.base.processes.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.programs.programs import programs_of
from emu.cases.programs.selection import Selection
from emu.checks.levels import level_of
from emu.engines.registry import describe_engines
from emu.report.document import Document
from emu.verify.documents.document import document_of
from emu.verify.explain.failing_lines import with_failing_lines
from emu.verify.report.make_report import make_report
from emu.verify.report.report import VerifyReport
from emu.verify.runs import schedule
from emu.verify.scenes.scene_plan import plan_scenes


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of `verify`.

    Attributes:
        report: the verdict, the results of all programs, and the receipt.

    Example:
        >>> case = macproof.load_case("brute-force")
        >>> found = macproof.verify(case, macproof.programs_of(case, builds=["O2"]), scenes=20)
        >>> found.document.title, [check.name for check in found.document.checks]
        ('Every object against every other', ['68000 O2', '68040 O2', '601 O2'])
    """

    report: VerifyReport

    @property
    def verdict(self) -> str:
        """The verdict: "verified", "refuted" or "inconclusive"."""
        return self.report.verdict

    @property
    def document(self) -> Document:
        """The result as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return document_of(self.report)

    def to_json(self) -> str:
        """The report as JSON text, as ``macproof verify --json`` writes it."""
        return self.report.to_json()


def verify(
    case: Case | Path | str,
    programs: Selection | None = None,
    *,
    scenes: int | None = None,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    jobs: int = 0,
    workers: Workers | None = None,
    coverage: bool = False,
    checks: str | None = None,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda more, calls: None,
) -> Verification:
    """Run programs of a case on its scenes, and compare what they leave with its reference.

    Unicorn executes them, and translated code makes its calls where that pays.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        programs: the programs, from `programs_of` or `given_program`; None is all of the case.
        scenes: the number of scenes; None is the case's own number.
        seed: the seed of the first scene of each kind (generator and number of objects).
        objects: the numbers of objects in scenes; None is the case's own numbers.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        workers: worker processes to use in place of new ones. They are left running.
        coverage: whether the report tells which lines and branches were executed.
        checks: None checks every access to memory in the calls that translated code can look at;
            the report counts the others. "full" checks every access of these on Unicorn, where a
            call takes 13 to 28 times as long; "usual" checks accesses of none.
        command: a command line that does the same, one string for each word, for the receipt.
        on_progress: called with the number of calls that have just finished, and of all calls.

    Returns:
        The verdict with its report.

    Raises:
        UsageError: there is no such case, or the programs are of another one.
        CaseError, ProgramError: the case does not fit a program, or its scenes or its reference
            are not the same each time they are computed.
        ToolMissingError, CompileError: as of `programs_of`, if no programs are given; or an engine
            is not installed.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["68040", "601"], builds=["O2"])
        >>> macproof.verify(case, programs, scenes=20, seed=1994).verdict
        'verified'
    """
    case, jobs = load_case(case), whole_number(jobs, "jobs")
    selection, terms = _selection(case, programs), _Terms(scenes, seed, objects, coverage, checks)
    run = terms.run(selection, on_progress)
    schedule.verify_run(run, jobs, workers)
    return _verification(selection, run, run.began, command)


def verify_each(
    selections: Iterable[Selection],
    workers: Workers,
    *,
    scenes: int | None = None,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    coverage: bool = False,
    checks: str | None = None,
    command: Sequence[str] = (),
    on_progress: Callable[[Case, int, int], None] = lambda case, more, calls: None,
) -> Iterator[tuple[Selection, Verification]]:
    """Verify the programs of several cases one after the other, as `verify` does with each.

    The next case begins while the workers are busy with the last calls of the one before, so that
    none of them waits. The seconds of its report begin when the one before is done.

    Args:
        selections: the programs of each case. The next are asked for when workers are free.
        workers: worker processes. They are left running.
        scenes: as of `verify`, as are the next five.
        seed: as of `verify`.
        objects: as of `verify`.
        coverage: as of `verify`.
        checks: as of `verify`.
        command: as of `verify`.
        on_progress: called with a case, the number of its calls that have just finished, and of
            all its calls.

    Yields:
        The programs of each case with the verdict, in order.

    Raises:
        MacproofError: as of `verify`, or what asking for the next programs raises.
    """
    terms = _Terms(scenes, seed, objects, coverage, checks)
    begun: deque[Selection] = deque()

    def runs() -> Iterator[schedule.Run]:
        for selection in selections:
            begun.append(selection)
            yield terms.run(selection, functools.partial(on_progress, selection.case))

    ended = 0.0
    for run in schedule.verify_each(runs(), workers):
        selection = begun.popleft()
        yield selection, _verification(selection, run, max(run.began, ended), command)
        ended = time.monotonic()


@dataclass(frozen=True, slots=True)
class _Terms:
    """The arguments of `verify` that are the same for all programs of a run."""

    scenes: int | None
    seed: int
    objects: Sequence[int] | None
    coverage: bool
    checks: str | None

    def run(self, selection: Selection, on_progress: Callable[[int, int], None]) -> schedule.Run:
        """The run that verifies some programs."""
        case, checks = selection.case, level_of(self.checks)
        describe_engines(selection.engines)  # raises if an engine is missing, before anything runs
        count = case.scene_count if self.scenes is None else self.scenes
        specs = plan_scenes(case, count, self.seed, self.objects)
        calls = len(specs) * len(selection)
        return schedule.Run(
            case,
            selection.subjects,
            specs,
            self.coverage,
            checks,
            lambda more: on_progress(more, calls),
            may_translate=not selection.names_engines,
        )


def _selection(case: Case, programs: Selection | None) -> Selection:
    """The programs to verify, by default all of the case."""
    if programs is None:
        return programs_of(case)
    wanted = "what programs_of or given_program returns; choose some with its cpus and builds"
    selection = require(programs, Selection, "programs", wanted)
    if selection.case.path != case.path:
        raise UsageError(f"the programs are of {selection.case.name}, not of {case.name}")
    return selection


def _verification(
    selection: Selection, run: schedule.Run, began: float, command: Sequence[str]
) -> Verification:
    """The verification of a run that is done, with its report."""
    report = make_report(
        selection.case,
        selection.executed,
        run.results(),
        run.specs,
        source=selection.source,
        provision=selection.note,
        not_run=selection.not_run,
        command=strings(command, "command"),
        seconds=time.monotonic() - began,
    )
    return Verification(with_failing_lines(selection, report))
