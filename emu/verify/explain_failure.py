"""The public function `explain`, and its result: a failed scene, sent down the road once more.

A `Verification` or its report goes in. Its first failed scene is run again, made smaller as long as
it still fails, and the instruction is found that wrote the first wrong value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from emu.base.arguments import path_of, strings
from emu.base.errors import GuestError
from emu.cases.case import Case
from emu.cases.programs.other_program import program_against
from emu.cases.programs.sources import GivenSource
from emu.cases.programs.subject import Subject
from emu.machine.guest_process import run_apart
from emu.report.document import Document, Excerpt
from emu.report.json_form import names_schema, to_json
from emu.verify.batches.benches import bench_for
from emu.verify.explain import finding
from emu.verify.explain.explanation import Counterpart, Explanation, explain_scene
from emu.verify.explain.explanation_document import explanation_document
from emu.verify.explain.failed_scene import (
    ChosenScene,
    cases_named,
    first_failure,
    not_reproduced_message,
    scene_of_finding,
)
from emu.verify.report.read_report import read_reports
from emu.verify.verification import Verification
from emu.verify.views.source_line import source_excerpt

_LINES = 10  # of the source


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
        source: the lines of the source around that instruction; or why they are not shown; None if
            there is nothing to show.

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
    source: Excerpt | str | None = None

    @property
    def document(self) -> Document:
        """The result as a document, which is shown on a terminal, as Markdown, HTML or JUnit."""
        return explanation_document(
            self.case, self.program, self.explanation, command=self.command, source=self.source
        )

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
    budget: int = 0,
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
        budget: the instructions within which a call has to return; 0 for as many as it had when it
            failed.
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
    chosen = chosen_failure(failed, cpus, builds)
    if chosen is None:
        return None
    if budget:
        chosen = replace(chosen, case=replace(chosen.case, budget=budget))
    if isinstance(against, str):
        against = program_against(chosen.case, chosen.subject, against, source)
    explanation = run_apart(_explained, chosen, has_view, against)
    words = strings(command, "command")
    lines = source_excerpt(chosen.case, chosen.compiled, explanation.place, _LINES)
    return ExplainedFailure(chosen.case, chosen.subject, explanation, chosen.verdict, words, lines)


def chosen_failure(
    failed: Verification | Path | str, cpus: Sequence[str] | None, builds: Sequence[str] | None
) -> ChosenScene | None:
    """The first failure of a report that was made or read, or of a file of a fuzzer's finding.

    The arguments and errors are those of `explain`; None if all programs are verified.
    """
    cpus = None if cpus is None else strings(cpus, "cpus")
    builds = None if builds is None else strings(builds, "builds")
    if isinstance(failed, Verification):
        return first_failure([failed.report], cpus=cpus, builds=builds)
    path = path_of(failed, "the failure", "what verify returns, or the file of a report")
    if names_schema(path, finding.SCHEMA):
        return scene_of_finding(finding.read_finding(path), path)
    return first_failure(read_reports(path), cpus=cpus, builds=builds, path=path)


def cases_to_run(path: Path) -> list[Path]:
    """The files of the cases whose Python code `explain` runs if it gets the file of a report.

    Raises:
        InputError: the file is missing or damaged.
    """
    if names_schema(path, finding.SCHEMA):
        return cases_named([finding.read_finding(path).case])
    return cases_named(report.receipt.case for report in read_reports(path))


def _explained(chosen: ChosenScene, has_view: bool, against: Subject | None) -> Explanation:
    case = chosen.case
    bench = bench_for(case, chosen.subject)
    other = None
    if against is not None:
        name, other_name = chosen.subject.name, against.name
        if name == other_name:
            other_name = f"the other {name}"
        other = Counterpart(name, other_name, bench_for(case, against))
    explained = explain_scene(
        bench, chosen.spec, changed=chosen.changed, has_view=has_view, against=other
    )
    if explained is None:
        raise GuestError(not_reproduced_message(chosen))
    return explained
