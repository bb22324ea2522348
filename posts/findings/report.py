"""The data of the JSON form ``macproof.findings-report/1`` of ``macproof findings``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from posts.findings.result import (
    FindingResult,
    FormResult,
    StepResult,
    calls_of,
    status_of_all,
)
from posts.findings.sentences import command

SCHEMA = "macproof.findings-report/1"


@dataclass(frozen=True, slots=True)
class SeenReport:
    """What one form of a routine did on one processor.

    Attributes:
        facts: the values that were seen, by the names of facts.
        fault: why a call did not return, or "".
        problem: how that differs from what should be seen, or "".
        calls: how many calls were made.
        reference_agrees: for each call, whether memory is as the reference demands; null where
            there is no reference.
        violations: for each call, how it broke the contract of a call.
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
    """The form of the routine that the finding describes.

    Attributes:
        case: the case's name.
        shows: the facts of the defect, by name.
        claimed: the facts that the post claims, where there is no corrected form.
        seen: what was seen, by processor.
    """

    case: str
    shows: Mapping[str, Any]
    claimed: Mapping[str, Any]
    seen: Mapping[str, SeenReport]


@dataclass(frozen=True, slots=True)
class CorrectedReport:
    """The corrected form of the routine.

    Attributes:
        case: the case's name.
        right: the facts that are right, by name.
        seen: what was seen, by processor.
    """

    case: str
    right: Mapping[str, Any]
    seen: Mapping[str, SeenReport]


@dataclass(frozen=True, slots=True)
class StepReport:
    """One experiment that shows a finding.

    Attributes:
        name: tells it from the other steps of the finding; may be "".
        input: the scenes in words.
        as_described: the published form.
        corrected: the corrected form, or null.
    """

    name: str
    input: str
    as_described: DescribedReport
    corrected: CorrectedReport | None


@dataclass(frozen=True, slots=True)
class FindingReport:
    """A finding and its result.

    Attributes:
        id: its number.
        title: the defect in a few words.
        post: where the program was published.
        says: what goes wrong, and why.
        status: shown, not shown or not run.
        why_not_run: why nothing was run, or "".
        problems: the reasons if the finding is not shown.
        left_out: the steps that were not run, each with the reason.
        command: the command that shows it again.
        steps: the experiments.
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
    """How much was run and compared for all findings.

    Attributes:
        findings: the number of findings.
        calls: the number of calls of compiled routines. A call that several findings look at
            counts once.
        facts: the number of facts that were compared with what should be seen.
        comparisons: the number of values that were compared with references.
    """

    findings: int
    calls: int
    facts: int
    comparisons: int


@dataclass(frozen=True, slots=True)
class FindingsReport:
    """The results of all findings that were asked for.

    Attributes:
        verdict: "not shown" if any finding is not shown, "not run" if none was run, else "shown".
        findings: the findings.
        totals: how much was run and compared.
        command: the command line.
        seconds: how long the check took.
    """

    verdict: str
    findings: Sequence[FindingReport]
    totals: Totals
    command: Sequence[str]
    seconds: float


def make_report(
    results: Sequence[FindingResult], command_line: Sequence[str], seconds: float
) -> FindingsReport:
    """Make the report.

    Args:
        results: the results of `check_findings`.
        command_line: the command that was given.
        seconds: how long the check took.
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
        command=command_line,
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


def _by_cpu(seen: Mapping[str, FormResult]) -> dict[str, SeenReport]:
    return {
        cpu: SeenReport(
            facts=form.facts,
            fault=form.fault,
            problem=form.problem,
            calls=len(form.outcomes),
            reference_agrees=[outcome.agrees for outcome in form.outcomes],
            violations=[outcome.violations for outcome in form.outcomes],
            comparisons=sum(outcome.comparisons for outcome in form.outcomes),
        )
        for cpu, form in seen.items()
    }
