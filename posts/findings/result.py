"""The results of a finding: what its steps showed on each processor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from posts.findings.model import Finding, Step
from posts.trials.trial import TrialOutcome

SHOWN, NOT_SHOWN, NOT_RUN = "shown", "not shown", "not run"


@dataclass(frozen=True, slots=True, eq=False)
class FormResult:
    """What one form of a routine did on one processor.

    Attributes:
        facts: the values that were seen, by the names of facts.
        fault: why a call did not return, in words, or "".
        outcomes: the outcome of each call, one call a scene.
        problem: how that differs from what should be seen, or "".
    """

    facts: Mapping[str, Any]
    fault: str = ""
    outcomes: tuple[TrialOutcome, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StepResult:
    """The result of one step of a finding.

    Attributes:
        step: the step.
        described: what the form as described did, by processor.
        corrected: what the corrected form did, by processor; empty if the step has none.
        skipped: why the step was not run, or "".
    """

    step: Step
    described: Mapping[str, FormResult] = field(default_factory=dict)
    corrected: Mapping[str, FormResult] = field(default_factory=dict)
    skipped: str = ""

    @property
    def problems(self) -> list[str]:
        """Every difference from what should be seen, with the processor and the form."""
        name = f"{self.step.name}: " if self.step.name else ""
        sides = (("as described", self.described), ("corrected", self.corrected))
        return [
            f"{name}{cpu}, {form}: {seen.problem}"
            for form, side in sides
            for cpu, seen in side.items()
            if seen.problem
        ]


@dataclass(frozen=True, slots=True, eq=False)
class FindingResult:
    """The result of a finding. Its status follows from the results of its steps."""

    finding: Finding
    steps: tuple[StepResult, ...]
    not_run: str = ""

    @property
    def status(self) -> str:
        """`SHOWN` if every step that was run shows the defect on every processor."""
        if self.why_not_run:
            return NOT_RUN
        return NOT_SHOWN if self.problems else SHOWN

    @property
    def why_not_run(self) -> str:
        """Why nothing was run, or "" if something was."""
        if self.not_run:
            return self.not_run
        if any(step.described for step in self.steps):
            return ""
        return "; ".join(dict.fromkeys(step.skipped for step in self.steps)) or "it has no steps"

    @property
    def problems(self) -> list[str]:
        """Why the finding is not shown; empty if it is."""
        return [problem for step in self.steps for problem in step.problems]

    @property
    def cpus(self) -> list[str]:
        """The processors on which it was run."""
        return list(dict.fromkeys(cpu for step in self.steps for cpu in step.described))

    @property
    def left_out(self) -> list[str]:
        """The steps that were not run, each with the reason."""
        return [
            f"{step.step.name or 'a step'}: {step.skipped}" for step in self.steps if step.skipped
        ]

    @property
    def outcomes(self) -> list[TrialOutcome]:
        """The outcomes of all calls; a call that several steps look at appears once."""
        distinct = {id(outcome): outcome for seen in self._all() for outcome in seen.outcomes}
        return list(distinct.values())

    @property
    def calls(self) -> int:
        """How many calls were made."""
        return len(self.outcomes)

    @property
    def comparisons(self) -> int:
        """How many values were compared with references."""
        return sum(outcome.comparisons for outcome in self.outcomes)

    @property
    def facts(self) -> int:
        """How many facts were compared with what should be seen."""
        return sum(len(seen.facts) for seen in self._all())

    def _all(self) -> list[FormResult]:
        return [
            seen
            for step in self.steps
            for side in (step.described, step.corrected)
            for seen in side.values()
        ]


def calls_of(results: Iterable[FindingResult]) -> list[TrialOutcome]:
    """The outcomes of all calls of findings; a call that several look at appears once."""
    distinct = {id(outcome): outcome for result in results for outcome in result.outcomes}
    return list(distinct.values())


def status_of_all(results: Iterable[FindingResult]) -> str:
    """`NOT_SHOWN` if any finding is not shown, `NOT_RUN` if none was run, else `SHOWN`."""
    statuses = {result.status for result in results}
    return next((status for status in (NOT_SHOWN, SHOWN) if status in statuses), NOT_RUN)
