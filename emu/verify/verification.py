"""Verifying a case, and explaining what fails: what a user of the library calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import GuestError, UsageError
from emu.base.workers import Workers
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.programs import Selection, Subject, programs_of
from emu.machine.apart import run_apart
from emu.report.document import Document
from emu.report.json_form import to_json
from emu.verify import schedule
from emu.verify.document import document_of
from emu.verify.explain import Explanation, explain_scene
from emu.verify.explanation_document import explanation_document
from emu.verify.failing import ChosenScene, failed_before, first_failure
from emu.verify.read_report import read_reports
from emu.verify.report import VerifyReport, make_report
from emu.verify.scene_runs import bound_case_for
from emu.verify.schedule import plan_scenes


@dataclass(frozen=True, slots=True)
class Verification:
    """What came of `verify`.

    Attributes:
        report: everything that the verdict rests on.

    Example:
        >>> case = macproof.load_case("brute-force")
        >>> found = macproof.verify(case, macproof.programs_of(case, builds=["O2"]), scenes=20)
        >>> found.document.title, [check.name for check in found.document.checks]
        ('Every object against every other', ['68000 O2', '68040 O2', '601 O2'])
    """

    report: VerifyReport

    @property
    def verdict(self) -> str:
        """What it comes to: "verified", "refuted" or "inconclusive"."""
        return self.report.verdict

    @property
    def document(self) -> Document:
        """What is to be said of it: for a terminal, Markdown, HTML and JUnit."""
        return document_of(self.report)

    def to_json(self) -> str:
        """The report as JSON text, as ``macproof verify --json`` writes it."""
        return self.report.to_json()


def verify(
    case: Case,
    programs: Selection | None = None,
    *,
    scenes: int | None = None,
    seed: int = DEFAULT_SEED,
    objects: Sequence[int] | None = None,
    jobs: int = 0,
    workers: Workers | None = None,
    command: Sequence[str] = (),
    on_progress: Callable[[int, int], None] = lambda more, calls: None,
) -> Verification:
    """Run programs of a case on its scenes, and compare what they leave with its reference.

    Args:
        case: the case.
        programs: what `programs_of` or `given_program` gives; if left out, all of the case.
        scenes: how many scenes; as many as the case says if left out.
        seed: of the first scene of each kind.
        objects: numbers of objects; those of the case if left out.
        jobs: worker processes; 0 is one for each processor of this computer.
        workers: processes to use in place of ``jobs`` new ones, and to leave running.
        command: what can be said on a command line to do the same, for the receipt.
        on_progress: called with how many calls more are done, and how many there are in all.

    Raises:
        UsageError: the programs are of another case.
        CaseError, ProgramError: the case does not fit a program, or its scenes or its reference
            are not the same each time.
        ToolMissingError, CompileError: as of `programs_of`, if no programs are given.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["68040", "601"], builds=["O2"])
        >>> macproof.verify(case, programs, scenes=20, seed=1994).verdict
        'verified'
    """
    selection = programs_of(case) if programs is None else programs
    if selection.case.path != case.path:
        raise UsageError(f"the programs are of {selection.case.name}, not of {case.name}")
    count = case.scene_count if scenes is None else scenes
    specs = plan_scenes(case, count, seed, objects)
    subjects = selection.subjects
    calls = len(specs) * len(subjects)
    began = time.monotonic()
    results = schedule.verify(
        case,
        subjects,
        specs,
        jobs=jobs,
        workers=workers,
        on_progress=lambda more: on_progress(more, calls),
    )
    return Verification(
        make_report(
            case,
            selection.built,
            results,
            specs,
            source=selection.source,
            provision=selection.note,
            not_run=selection.not_run,
            command=command,
            seconds=time.monotonic() - began,
        )
    )


@dataclass(frozen=True, slots=True, eq=False)
class ExplainedFailure:
    """What came of `explain`.

    Attributes:
        case: the case.
        program: the program that fails.
        explanation: the smallest scene that still fails, the first wrong value, and who wrote it.
        command: what can be said on a command line to do the same.

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
    command: tuple[str, ...] = ()

    @property
    def document(self) -> Document:
        """What is to be said of it: for a terminal, Markdown, HTML and JUnit."""
        return explanation_document(self.case, self.program, self.explanation, command=self.command)

    def to_json(self) -> str:
        """The same as JSON text, as ``macproof explain --json`` writes it."""
        document = self.document
        return to_json(document.data, document.schema)


def explain(
    failed: Verification | Path | str,
    *,
    cpus: Sequence[str] | None = None,
    builds: Sequence[str] | None = None,
    has_view: bool = False,
    command: Sequence[str] = (),
) -> ExplainedFailure | None:
    """Shrink the first scene that failed, and find the first wrong value and who wrote it.

    Args:
        failed: what `verify` returned, or the file that ``macproof verify --json`` wrote.
        cpus: the processors whose failures count; all by default.
        builds: the builds whose failures count; all by default.
        has_view: whether the document has figures of the smallest scene, if the case has a picture.
        command: what can be said on a command line to do the same, for the receipt.

    Returns:
        None if nothing failed.

    Raises:
        InputError: the report is damaged, or its case or program is gone or changed since.
        WrongResultError: a program fails, but on no scene: it has an instruction that its
            processor lacks.
        GuestError: nothing came to a comparison; or the scene does not fail when it is run alone.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> text = (case.path.parent / "four_shifts.cpp").read_text()
        >>> port = Path("my_port.cpp")
        >>> _ = port.write_text(text.replace("< kRectSize", "<= kRectSize"))  # a mistake
        >>> programs = macproof.programs_of(case, cpus=["68000"], builds=["O0"], source=port)
        >>> found = macproof.explain(macproof.verify(case, programs, scenes=20)).explanation
        >>> str(found.divergence), len(found.kept)
        ('gCollisionArray[0] is 1, expected 0', 2)
        >>> str(found.writer)
        '0x000101d4 _CalcCollisionsInSector+0x5e (my_port.cpp:100)'
    """
    if isinstance(failed, Verification):
        chosen = first_failure([failed.report], cpus=cpus, builds=builds)
    else:
        path = Path(failed)
        chosen = first_failure(read_reports(path), cpus=cpus, builds=builds, path=path)
    if chosen is None:
        return None
    found = run_apart(_explained, chosen, has_view)
    if found is None:
        raise GuestError(failed_before(chosen))
    return ExplainedFailure(chosen.case, chosen.subject, found, tuple(command))


def _explained(chosen: ChosenScene, has_view: bool) -> Explanation | None:
    bound = bound_case_for(chosen.case.path, chosen.subject)
    return explain_scene(bound, chosen.spec, has_view=has_view)
