"""Adds to a report the source lines of its failures, so that a reader sees where to look."""

from __future__ import annotations

from dataclasses import replace

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.programs import Selection
from emu.cases.subject import UNICORN, Subject
from emu.machine.apart import run_apart
from emu.program import Location
from emu.report.document import Excerpt
from emu.verify.report import FailingLine, ProgramResult, VerifyReport
from emu.verify.scene_runs import bound_case_for
from emu.verify.verdicts import SceneSpec
from emu.verify.views.source_line import CompiledSources, source_excerpt

_MOST_FAILURES = 3


def with_failing_lines(selection: Selection, report: VerifyReport) -> VerifyReport:
    """A report in which the first few different failures have the line where they show.

    Each scene is run again in a process of its own, since its guest code may crash. Programs that
    Unicorn does not execute are left out, because other engines do not tell who stores what.

    Args:
        selection: the programs.
        report: the report of these programs, with results in the same order.
    """
    told: set[str] = set()
    results = []
    for subject, built, result in zip(
        selection.subjects, selection.executed, report.results, strict=True
    ):
        failure = result.failures[0] if result.failures else None
        what = "" if failure is None else f"{failure.scene}: {failure.summary}"
        if failure is None or what in told or len(told) >= _MOST_FAILURES:
            results.append(result)
            continue
        told.add(what)
        compiled = None
        if built.origin != "given":
            compiled = CompiledSources(selection.source, built.source_digest)
        at = _failing_line(selection.case, subject, compiled, failure.scene)
        results.append(_with_line(result, at))
    return replace(report, results=tuple(results))


def _with_line(result: ProgramResult, at: FailingLine | None) -> ProgramResult:
    first, *others = result.failures
    return replace(result, failures=(replace(first, at=at), *others))


def _failing_line(
    case: Case, subject: Subject, compiled: CompiledSources | None, spec: SceneSpec
) -> FailingLine | None:
    if subject.engine != UNICORN:
        return None
    try:
        place = run_apart(_place, case, subject, spec)
    except MacproofError:
        return None  # the failure itself is told all the same
    if place is None:
        return None
    line = source_excerpt(case, compiled, place, 1)
    if isinstance(line, Excerpt):
        return FailingLine(str(place), place.file, place.line, line.lines[0].strip())
    return FailingLine(str(place), place.file, place.line, "", line or "")


def _place(case: Case, subject: Subject, spec: SceneSpec) -> Location | None:
    from emu.verify.explain import failing_place  # loaded only where something has failed

    return failing_place(bound_case_for(case.path, subject, case.known), spec)
