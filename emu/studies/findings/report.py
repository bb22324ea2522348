"""Findings as a report: the values of JSON schema ``macproof.findings-report/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emu.studies.findings.result import (
    FindingResult,
    Seen,
    StepResult,
    calls_of,
    status_of_all,
)
from emu.studies.findings.words import command

SCHEMA = "macproof.findings-report/1"


@dataclass(frozen=True, slots=True)
class SeenReport:
    """What one form did on one processor.

    Attributes:
        facts: what was seen, by the names of what should be.
        fault: how the call ended where it did not come back, or "".
        problem: why it is not what it should be, or "".
        calls: how many calls there were.
        reference_agrees: for each call, whether memory is as the reference has it; null where
            there is no reference.
        violations: for each call, how it broke the rules of a call.
        comparisons: how many values were compared with references.
    """

    facts: Mapping[str, Any]
    fault: str
    problem: str
    calls: int
    reference_agrees: Sequence[bool | None]
    violations: Sequence[Sequence[str]]
    comparisons: int


@dataclass(frozen=True, slots=True)
class DescribedReport:
    """The form as described.

    Attributes:
        case: the case's name.
        shows: what must be seen, by name.
        claimed: what the post says would be seen, where there is no corrected form.
        seen: what was seen, by processor.
    """

    case: str
    shows: Mapping[str, Any]
    claimed: Mapping[str, Any]
    seen: Mapping[str, SeenReport]


@dataclass(frozen=True, slots=True)
class CorrectedReport:
    """The corrected form.

    Attributes:
        case: the case's name.
        right: what must be seen, by name.
        seen: what was seen, by processor.
    """

    case: str
    right: Mapping[str, Any]
    seen: Mapping[str, SeenReport]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One way to see a finding.

    Attributes:
        name: what distinguishes it, or "".
        input: the scenes in words.
        as_described: the form as described.
        corrected: the corrected form, or null.
    """

    name: str
    input: str
    as_described: DescribedReport
    corrected: CorrectedReport | None


@dataclass(frozen=True, slots=True)
class FindingReport:
    """A finding and what came of it.

    Attributes:
        id: its number.
        title: in a few words.
        post: where the program was published.
        says: what goes wrong, and why.
        status: shown, not shown or not run.
        why_not_run: why nothing was run, or "".
        problems: why it is not shown.
        left_out: steps that were not run, and why.
        command: what shows it again.
        steps: ways to see it.
    """

    id: str
    title: str
    post: str
    says: str
    status: str
    why_not_run: str
    problems: Sequence[str]
    left_out: Sequence[str]
    command: str
    steps: Sequence[StepReport]


@dataclass(frozen=True, slots=True)
class Totals:
    """What all findings took.

    Attributes:
        findings: how many there are.
        calls: of compiled routines; a call that several findings look at counts once.
        facts: held against what should be seen.
        comparisons: values compared with references.
    """

    findings: int
    calls: int
    facts: int
    comparisons: int


@dataclass(frozen=True, slots=True)
class FindingsReport:
    """Findings, run again.

    Attributes:
        verdict: not shown if any finding is not shown; not run if none was run; else shown.
        findings: the findings.
        totals: what they took.
        command: the command line.
        seconds: how long it took.
    """

    verdict: str
    findings: Sequence[FindingReport]
    totals: Totals
    command: Sequence[str]
    seconds: float


def make_report(
    results: Sequence[FindingResult], words: Sequence[str], seconds: float
) -> FindingsReport:
    """Everything that is known of findings.

    Args:
        results: what came of them.
        words: the command that was given.
        seconds: how long it took.
    """
    calls = calls_of(results)
    return FindingsReport(
        verdict=status_of_all(results),
        findings=[_finding(result) for result in results],
        totals=Totals(
            findings=len(results),
            calls=len(calls),
            facts=sum(result.facts for result in results),
            comparisons=sum(call.comparisons for call in calls),
        ),
        command=words,
        seconds=round(seconds, 1),
    )


def _finding(result: FindingResult) -> FindingReport:
    finding = result.finding
    return FindingReport(
        id=finding.id,
        title=finding.title,
        post=finding.post,
        says=finding.says,
        status=result.status,
        why_not_run=result.why_not_run,
        problems=result.problems,
        left_out=result.left_out,
        command=command(result),
        steps=[_step(step) for step in result.steps],
    )


def _step(result: StepResult) -> StepReport:
    step, corrected = result.step, result.step.corrected
    return StepReport(
        name=step.name,
        input=step.input,
        as_described=DescribedReport(
            case=step.described.case.name,
            shows=step.described.facts,
            claimed=step.claimed,
            seen=_by_cpu(result.described),
        ),
        corrected=CorrectedReport(
            case=corrected.case.name, right=corrected.facts, seen=_by_cpu(result.corrected)
        )
        if corrected is not None
        else None,
    )


def _by_cpu(seen: Mapping[str, Seen]) -> dict[str, SeenReport]:
    return {
        cpu: SeenReport(
            facts=one.facts,
            fault=one.fault,
            problem=one.problem,
            calls=len(one.outcomes),
            reference_agrees=[outcome.agrees for outcome in one.outcomes],
            violations=[outcome.violations for outcome in one.outcomes],
            comparisons=sum(outcome.comparisons for outcome in one.outcomes),
        )
        for cpu, one in seen.items()
    }
