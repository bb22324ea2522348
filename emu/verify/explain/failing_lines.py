"""Adds to a report the source lines of its failures, so that a reader sees where to look."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from emu.base.errors import MacproofError
from emu.cases.case import Case
from emu.cases.programs.selection import Selection
from emu.cases.programs.subject import UNICORN, Subject
from emu.machine.guest_process import run_apart
from emu.report.document import Excerpt
from emu.verify.batches.benches import bench_for
from emu.verify.report.report import FailingLine, ProgramResult, VerifyReport
from emu.verify.scenes.scene_spec import SceneSpec
from emu.verify.views.source_line import CompiledSources, source_excerpt

if TYPE_CHECKING:
    from emu.verify.explain.explanation import FailingPlace

_MOST_FAILURES = 3


def with_failing_lines(selection: Selection, report: VerifyReport) -> VerifyReport:
    """A report in which the first few different failures have the line where they show.

    Each scene is run again in a process of its own, since its guest code may crash. Programs that
    Unicorn does not execute are left out, because other engines do not tell who stores what.

    Args:
        selection: the programs.
        report: the report of these programs, with results in the same order.
    """
    seen: set[str] = set()
    results = []
    for subject, built, result in zip(
        selection.subjects, selection.executed, report.results, strict=True
    ):
        failure = result.failures[0] if result.failures else None
        what = "" if failure is None else f"{failure.scene}: {failure.summary}"
        if failure is None or what in seen or len(seen) >= _MOST_FAILURES:
            results.append(result)
            continue
        seen.add(what)
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
    at = place.at
    if at is None:
        return None
    line = source_excerpt(case, compiled, at, 1)
    text = line.lines[0].strip() if isinstance(line, Excerpt) else ""
    why_no_text = line or "" if not isinstance(line, Excerpt) else ""
    return FailingLine(str(at), at.file, at.line, text, why_no_text, place.stray)


def _place(case: Case, subject: Subject, spec: SceneSpec) -> FailingPlace:
    from emu.verify.explain.explanation import (
        failing_place,  # loaded only where something has failed
    )

    return failing_place(bench_for(case, subject), spec)
