"""What came of a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from emu.studies.findings.model import Finding, Step
from emu.verify.trials import Outcome

SHOWN, NOT_SHOWN, NOT_RUN = "shown", "not shown", "not run"


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One form of a routine on one processor.

    Attributes:
        facts: what was seen, by the names of what should be.
        fault: how the call ended, in words, where it did not come back.
        outcomes: everything that is known of the calls, one for each scene.
        problem: why it is not what it should be, or "".
    """

    facts: Mapping[str, Any]
    fault: str = ""
    outcomes: tuple[Outcome, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class StepResult:
    """What came of one way to see a finding, by processor.

    Attributes:
        step: what was tried.
        described: the form as described.
        corrected: the corrected form; empty if the step has none.
        skipped: why it was not run, or "".
    """

    step: Step
    described: Mapping[str, Seen] = field(default_factory=dict)
    corrected: Mapping[str, Seen] = field(default_factory=dict)
    skipped: str = ""

    @property
    def problems(self) -> list[str]:
        """Everything that is not as it should be."""
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
    """What came of a finding: its status is computed from what was seen."""

    finding: Finding
    steps: tuple[StepResult, ...]
    not_run: str = ""

    @property
    def status(self) -> str:
        """Shown, if every step that was run shows the defect on every processor."""
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
        """Why it is not shown."""
        return [problem for step in self.steps for problem in step.problems]

    @property
    def cpus(self) -> list[str]:
        """Where it was run."""
        return list(dict.fromkeys(cpu for step in self.steps for cpu in step.described))

    @property
    def left_out(self) -> list[str]:
        """Steps that were not run, and why."""
        return [
            f"{step.step.name or 'a step'}: {step.skipped}" for step in self.steps if step.skipped
        ]

    @property
    def outcomes(self) -> list[Outcome]:
        """What became of every call; a call that several steps look at is there once."""
        found = {id(outcome): outcome for seen in self._all() for outcome in seen.outcomes}
        return list(found.values())

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
        """How many facts were held against what should be seen."""
        return sum(len(seen.facts) for seen in self._all())

    def _all(self) -> list[Seen]:
        return [
            seen
            for step in self.steps
            for side in (step.described, step.corrected)
            for seen in side.values()
        ]


def calls_of(results: Iterable[FindingResult]) -> list[Outcome]:
    """What became of every call of findings; a call that several look at is there once."""
    found = {id(outcome): outcome for result in results for outcome in result.outcomes}
    return list(found.values())


def status_of_all(results: Iterable[FindingResult]) -> str:
    """Not shown, if any finding is not; not run, if none was run; else shown."""
    statuses = {result.status for result in results}
    return next((one for one in (NOT_SHOWN, SHOWN) if one in statuses), NOT_RUN)
