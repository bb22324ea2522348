"""The public functions `verify` and `explain`, and their results."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.arguments import path_of, require, strings, whole_number
from emu.base.errors import GuestError, UsageError
from emu.base.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.other_program import program_against
from emu.cases.programs import Selection, Subject, programs_of
from emu.cases.sources import GivenSource
from emu.checks.levels import USUAL, is_full
from emu.engines.known import describe_engines
from emu.machine.apart import run_apart
from emu.report.document import Document
from emu.report.json_form import names_schema, to_json
from emu.verify import finding, schedule
from emu.verify.document import document_of
from emu.verify.explain import Against, Explanation, explain_scene
from emu.verify.explanation_document import explanation_document
from emu.verify.failing import (
    ChosenScene,
    first_failure,
    not_reproduced_message,
    scene_of_finding,
)
from emu.verify.read_report import read_reports
from emu.verify.report import VerifyReport, make_report
from emu.verify.scene_runs import bound_case_for
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


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedFailure:
    """The result of `explain`.

    Attributes:
        case: the case.
        program: the program that fails.
        explanation: the smallest scene that still fails, its first wrong value, and the
            instruction that wrote it.
        verdict: the verdict on the program: "refuted", or "inconclusive" if no call of it returns.
        command: a command line that does the same, one string for each word.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> text = (case.path.parent / "four_shifts.cpp").read_text()
        >>> port = Path("my_port.cpp")
        >>> _ = port.write_text(text.replace("< kRectSize", "<= kRectSize"))  # a mistake
        >>> programs = macproof.programs_of(case, cpus=["601"], builds=["O2"], source=port)
        >>> found = macproof.explain(macproof.verify(case, programs, scenes=20))
        >>> found.document.title
        'four-shifts on the 601, build O2, fails on a scene: sector-edge, 200 objects, seed 1994'
    """

    case: Case
    program: Subject
    explanation: Explanation
    verdict: str
    command: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        """The result as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return explanation_document(self.case, self.program, self.explanation, command=self.command)

    def to_json(self) -> str:
        """The explanation as JSON text, as ``macproof explain --json`` writes it."""
        document = self.document
        return to_json(document.data, document.schema)


def explain(
    failed: Verification | Path | str,
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    has_view: bool = False,
    against: Subject | str | None = None,
    source: GivenSource = None,
    command: Sequence[str] = (),
) -> ExplainedFailure | None:
    """Make the first failed scene smaller, and find the instruction that wrote a wrong value.

    The failed scene is run again with fewer objects, as long as it still fails.

    Args:
        failed: the result of `verify`, or the file that ``macproof verify --json`` wrote, or a
            finding of ``macproof fuzz``.
        cpus: names of processors; only their failures are looked at. None is all.
        builds: names of builds; only their failures are looked at. None is all.
        has_view: whether the document has figures of the smallest scene, if the case has a picture.
        against: another program of the case, or a word for it: a processor, a build, a source
            file or a program file. It executes the smallest scene too, and the explanation says
            where the two part.
        source: what the failed program is compiled from in place of the case's sources, if it is;
            also taken for another processor or build that ``against`` names.
        command: a command line that does the same, one string for each word, for the receipt.

    Returns:
        The explanation; None if all programs are verified.

    Raises:
        InputError: the report is damaged; or its case, reference or program is missing or has
            changed since.
        UsageError: the report has no result of such a processor and build; or ``against`` is a
            word for nothing.
        ToolMissingError, CompileError, CaseError, ProgramError: the program that ``against`` names
            cannot be made, as for `programs_of`.
        WrongResultError: a program is refuted by an instruction that its processor lacks, and not
            by a scene.
        GuestError: a program is inconclusive without having failed on a scene; or the scene does
            not fail when it is run alone.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> text = (case.path.parent / "four_shifts.cpp").read_text()
        >>> port = Path("my_port.cpp")
        >>> _ = port.write_text(text.replace("< kRectSize", "<= kRectSize"))  # a mistake
        >>> programs = macproof.programs_of(case, cpus=["68000"], builds=["O0"], source=port)
        >>> found = macproof.explain(macproof.verify(case, programs, scenes=20)).explanation
        >>> str(found.divergence), len(found.kept)
        ('gCollisionArray[0] is 1, expected 0 (it was 0 before)', 2)
        >>> str(found.writer)
        '0x000101d4 _CalcCollisionsInSector+0x5e (my_port.cpp:100)'
    """
    chosen = _first_failure(failed, cpus, builds)
    if chosen is None:
        return None
    if isinstance(against, str):
        against = program_against(chosen.case, chosen.subject, against, source)
    found = run_apart(_explained, chosen, has_view, against)
    return ExplainedFailure(
        chosen.case, chosen.subject, found, chosen.verdict, strings(command, "command")
    )


def _first_failure(
    failed: Verification | Path | str, cpus: Sequence[str] | None, builds: Sequence[str] | None
) -> ChosenScene | None:
    cpus = None if cpus is None else strings(cpus, "cpus")
    builds = None if builds is None else strings(builds, "builds")
    if isinstance(failed, Verification):
        return first_failure([failed.report], cpus=cpus, builds=builds)
    path = path_of(failed, "the failure", "what verify returns, or the file of a report")
    if names_schema(path, finding.SCHEMA):
        return scene_of_finding(finding.read_finding(path), path)
    return first_failure(read_reports(path), cpus=cpus, builds=builds, path=path)


def _explained(chosen: ChosenScene, has_view: bool, against: Subject | None) -> Explanation:
    case = chosen.case
    bound = bound_case_for(case.path, chosen.subject, case.known)
    other = None
    if against is not None:
        name, other_name = chosen.subject.name, against.name
        if name == other_name:
            other_name = f"the other {name}"
        other = Against(name, other_name, bound_case_for(case.path, against, case.known))
    found = explain_scene(
        bound, chosen.spec, changed=chosen.changed, has_view=has_view, against=other
    )
    if found is None:
        raise GuestError(not_reproduced_message(chosen))
    return found
