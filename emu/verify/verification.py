"""The public function `verify`, and its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.arguments import require, strings, whole_number
from emu.base.errors import UsageError
from emu.base.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.programs import Selection, programs_of
from emu.checks.levels import USUAL, is_full
from emu.engines.known import describe_engines
from emu.report.document import Document
from emu.verify import schedule
from emu.verify.document import document_of
from emu.verify.make_report import make_report
from emu.verify.report import VerifyReport
from emu.verify.schedule import plan_scenes
from emu.verify.verdicts import SceneSpec


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
    checks: str = USUAL,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda more, calls: None,
) -> Verification:
    """Run programs of a case on its scenes, and compare what they leave with its reference.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        programs: the programs, from `programs_of` or `given_program`; None is all of the case.
        scenes: the number of scenes; None is the case's own number.
        seed: the seed of the first scene of each kind (generator and number of objects).
        objects: the numbers of objects in scenes; None is the case's own numbers.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        workers: worker processes to use in place of new ones. They are left running.
        coverage: whether the report tells which lines and branches were executed.
        checks: "usual", or "full" to check every access to memory too, which takes 13 to 28
            times as long.
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
    selection = _selection(case, programs)
    checked = is_full(checks)
    describe_engines(selection.engines)  # a missing one is told before anything runs
    specs = plan_scenes(case, case.scene_count if scenes is None else scenes, seed, objects)
    calls, words = len(specs) * len(selection), strings(command, "command")

    def advance(more: int) -> None:
        on_progress(more, calls)

    return _verified(
        selection,
        specs,
        words,
        jobs=jobs,
        workers=workers,
        covers=coverage,
        checked=checked,
        on_progress=advance,
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


def _verified(
    selection: Selection,
    specs: Sequence[SceneSpec],
    command: Sequence[str],
    *,
    jobs: int,
    workers: Workers | None,
    covers: bool,
    checked: bool,
    on_progress: Callable[[int], None],
) -> Verification:
    """Run the programs on the scenes, and make the report."""
    case, began = selection.case, time.monotonic()
    results = schedule.verify(
        case,
        selection.subjects,
        specs,
        jobs=jobs,
        workers=workers,
        covers=covers,
        checked=checked,
        on_progress=on_progress,
    )
    report = make_report(
        case,
        selection.executed,
        results,
        specs,
        source=selection.source,
        provision=selection.note,
        not_run=selection.not_run,
        command=command,
        seconds=time.monotonic() - began,
    )
    return Verification(report)
