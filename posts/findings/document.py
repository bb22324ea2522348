"""Findings as a document: a table of them all, why some were not run, and the evidence of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from emu.report.document import (
    Check,
    CheckStatus,
    Document,
    Part,
    Points,
    Section,
    Table,
)
from emu.report.verdict_words import TONES, verdict_outcome
from posts.findings.figures import CAPTION, figures_of
from posts.findings.model import StepSide
from posts.findings.report import SCHEMA, make_report
from posts.findings.result import NOT_RUN, NOT_SHOWN, SHOWN, FindingResult, FormResult, StepResult
from posts.findings.sentences import command, counted, counts, seen_words, totals

_FATES = {SHOWN: CheckStatus.PASSED, NOT_SHOWN: CheckStatus.FAILURE, NOT_RUN: CheckStatus.SKIPPED}


def findings_document(
    results: Sequence[FindingResult], *, command: Sequence[str], seconds: float
) -> Document:
    """The document of ``macproof findings``.

    Args:
        results: the results of `check_findings`.
        command: the command line.
        seconds: how long the check took.

    Raises:
        CaseError: a figure needs an array that the case does not observe.
    """
    report = make_report(results, command, seconds)
    return Document(
        title=counted(len(results), "finding"),
        outcome=verdict_outcome(report.verdict, counts(results)),
        lead=(totals(results),),
        sections=tuple(_sections(results)),
        checks=tuple(map(_check, results)),
        seconds=seconds,
        data=report,
        schema=SCHEMA,
    )


def _sections(results: Sequence[FindingResult]) -> Iterator[Section]:
    yield Section("Findings", (_table(results),))
    problems = [f"{r.finding.id}: {problem}" for r in results for problem in r.problems]
    if problems:
        yield Section("Not shown", (Points(tuple(problems)),))
    left_out = tuple(text for result in results for text in _left_out(result))
    if left_out:
        yield Section("Not run", (Points(left_out),))
    for result in results:
        title = f"{result.finding.id}: {result.finding.title}"
        yield Section(title, tuple(_evidence(result)), is_detail=True)


def _table(results: Sequence[FindingResult]) -> Table:
    posts = [result.finding.post for result in results]
    rows = tuple(
        (
            result.finding.id,
            result.finding.title,
            ", ".join(result.cpus) or "-",
            result.status,
            f"{result.calls:,}",
        )
        for result in results
    )
    return Table(
        ("id", "finding", "CPUs", "status", "calls"),
        rows,
        words=4,
        breaks=frozenset(n for n in range(1, len(posts)) if posts[n] != posts[n - 1]),
        tones=TONES,
    )


def _left_out(result: FindingResult) -> list[str]:
    if result.status == NOT_RUN:
        return [f"{result.finding.id}: {result.why_not_run}"]
    return [f"{result.finding.id}, {text}" for text in result.left_out]


# -- the evidence of one finding -------------------------------------------------------------


def _evidence(result: FindingResult) -> Iterator[Part]:
    finding = result.finding
    yield f"Published in: {finding.post}."
    yield finding.says
    if finding.corrected:
        yield f"Corrected: {finding.corrected}"
    if result.status == NOT_RUN:
        yield f"Not run: {result.why_not_run}"
        return
    for step in result.steps:
        yield from _step(step)
    yield (
        f"{counted(result.calls, 'call')}; {counted(result.facts, 'fact')} held against what "
        f"should be seen; {counted(result.comparisons, 'value')} compared with references. To see "
        f"it again: {command(result)} --verbose"
    )


def _step(result: StepResult) -> Iterator[Part]:
    step = result.step
    if result.skipped:
        yield f"{step.name or 'input'}: not run: {result.skipped}."
        return
    yield f"{step.name or 'input'}: {step.input}"
    points = [f"As described: {_side(step.described)}."]
    if step.corrected is not None:
        points.append(f"Corrected: {_side(step.corrected)}.")
    if step.claimed:
        claimed = ", ".join(f"{name} = {value}" for name, value in step.claimed.items())
        points.append(f"The post claims: {claimed}.")
    points += _observations("as described", result.described)
    points += _observations("corrected", result.corrected)
    yield Points(tuple(points))
    figures = tuple(figures_of(result))
    yield from figures
    if figures:
        yield CAPTION


def _side(side: StepSide) -> str:
    what = f"case {side.case.name}"
    if side.hosted:
        what = f"program {side.hosted}"
    elif side.setup.entry:
        what += f", routine {side.setup.entry}"
    if side.setup.defines:
        what += f", compiled with {', '.join(side.setup.defines)}"
    for pointer, place in side.setup.point.items():
        what += f", {pointer} pointing at {place}"
    return what


def _observations(form: str, by_cpu: Mapping[str, FormResult]) -> list[str]:
    return [f"{cpu}, {form}: {seen_words(seen)}" for cpu, seen in by_cpu.items()]


def _check(result: FindingResult) -> Check:
    finding = result.finding
    return Check(
        group=f"findings.{finding.path.parent.name}",
        name=f"{finding.id}: {finding.title}",
        fate=_FATES[result.status],
        message=result.why_not_run or "\n".join(result.problems),
        properties={"calls": str(result.calls), "facts": str(result.facts)},
    )
