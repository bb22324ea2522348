"""Checks findings: runs the published and the corrected form of a routine, and compares them.

A finding is shown if two things are so on every processor. The form as described does what the
findings file says. The corrected form does what is right on the same input, leaves memory exactly
as its reference demands, and does not show the defect. Without that last rule a findings file that
calls correct behaviour a defect would pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from macproof import CompileError, ToolMissingError, UsageError
from posts.findings.facts import COMPILES, PRINTS, Judges, gather
from posts.findings.hosted_programs import run_hosted
from posts.findings.model import Facts, Finding, Step, StepSide
from posts.findings.result import FindingResult, FormResult, StepResult
from posts.trials.trial import TrialOutcome
from posts.trials.trial_runner import TrialRunner

_Waiting: TypeAlias = Callable[[], dict[str, list[TrialOutcome]]]


def check_findings(
    findings: Sequence[Finding],
    runner: TrialRunner,
    on_progress: Callable[[FindingResult], None] = lambda result: None,
) -> list[FindingResult]:
    """Run findings.

    The calls of all findings are started before the first result is waited for, so that every
    worker process of the runner has work.

    Args:
        findings: what to check.
        runner: compiles programs and runs their calls.
        on_progress: called with each result as soon as it is there.

    Returns:
        The results, in the order of the findings.

    Raises:
        MacproofError: a program cannot be compiled, or a fact names something that does not exist.
    """
    judges = Judges()
    started = [[_Started(step, runner) for step in finding.steps] for finding in findings]
    results = []
    for finding, steps in zip(findings, started, strict=True):
        result = FindingResult(
            finding, tuple(step.finish(judges) for step in steps), not_run=finding.not_run
        )
        on_progress(result)
        results.append(result)
    return results


class _Started:
    """A step whose calls have been started, and whose results have not been judged yet."""

    def __init__(self, step: Step, runner: TrialRunner) -> None:
        self._step = step
        self._skipped = ""
        self._described: _Waiting | None = None
        self._corrected: _Waiting | None = None
        self._refused: dict[str, str] = {}
        self._hosted: list[dict[str, FormResult]] = []
        side = step.described
        possible = [
            cpu
            for cpu in side.case.cpus
            if (step.cpus is None or cpu in step.cpus)
            and (runner.cpus is None or cpu in runner.cpus)
        ]
        if step.builds is not None and not set(runner.builds) <= set(step.builds):
            self._skipped = f"it depends on the layout of builds {', '.join(step.builds)}"
            return
        if side.ours and side.case.name in runner.sources:
            self._skipped = "it depends on something that only macproof's own source has"
            return
        if not possible:
            self._skipped = f"it is for {', '.join(step.cpus or side.case.cpus)} only"
            return
        try:
            if side.hosted:
                assert step.corrected is not None  # `read_findings` refuses any other hosted step
                self._hosted = [
                    {cpu: _see_hosted(step, step_side, cpu) for cpu in possible}
                    for step_side in (side, step.corrected)
                ]
                return
            self._described = self._start(side, runner, possible)
            if step.corrected is not None:
                cpus = [cpu for cpu in possible if cpu in step.corrected.case.cpus]
                self._corrected = self._start(step.corrected, runner, cpus)
        except ToolMissingError as error:
            self._skipped = str(error)
        except CompileError as error:
            if not side.setup.keep or side.case.name not in runner.sources:
                raise
            # A user may have ported one part of the program only.
            self._skipped = f"the given source does not compile with it: {_first_error(error)}"

    def _start(self, side: StepSide, runner: TrialRunner, cpus: Sequence[str]) -> _Waiting | None:
        if COMPILES in side.facts and side.facts[COMPILES] is False:
            self._refused = {cpu: _refusal(side, runner, cpu) for cpu in cpus}
            return None
        return runner.start(side.case, side.scenes, side.setup, cpus=cpus)

    def finish(self, judges: Judges) -> StepResult:
        """Wait for the calls to end, and judge what they did."""
        if self._skipped:
            return StepResult(self._step, skipped=self._skipped)
        if self._hosted:
            return StepResult(self._step, self._hosted[0], self._hosted[-1])
        described: dict[str, FormResult] = {}
        if self._described is not None:
            for key, outcomes in self._described().items():
                described[key] = _judge_described(self._step, outcomes, judges)
        for cpu, said in self._refused.items():
            problem = "" if said else "the compiler accepts it"
            described[cpu] = FormResult({COMPILES: not said}, fault=said, problem=problem)
        corrected: dict[str, FormResult] = {}
        if self._corrected is not None and self._step.corrected is not None:
            for key, outcomes in self._corrected().items():
                corrected[key] = _judge_corrected(
                    self._step, self._step.corrected, outcomes, judges
                )
        return StepResult(self._step, described, corrected)


def _refusal(side: StepSide, runner: TrialRunner, cpu: str) -> str:
    """The compiler's first error in a side's sources; "" if they compile."""
    try:
        runner.subjects(side.case, side.setup, cpus=[cpu])
    except CompileError as error:
        return _first_error(error)
    return ""


def _first_error(error: CompileError) -> str:
    lines = [line for line in str(error).splitlines() if "error:" in line]
    return lines[0].strip() if lines else str(error)


def _see_hosted(step: Step, side: StepSide, cpu: str) -> FormResult:
    """Run a hosted program, and judge what it prints."""
    printed = run_hosted(side, cpu)
    facts = {PRINTS: list(printed.lines)}
    problem = printed.problem or _difference(side.facts, facts)
    if not problem and side is step.corrected and not _difference(step.described.facts, facts):
        problem = "it shows the defect as well"
    return FormResult(facts, problem=problem)


def _judge_described(step: Step, outcomes: Sequence[TrialOutcome], judges: Judges) -> FormResult:
    seen = _see(step.described, step.described.facts, outcomes, judges)
    if seen.problem:
        return seen
    problem = _difference(step.described.facts, seen.facts)
    if not problem and step.corrected is None:
        claimed = _see(step.described, step.claimed, outcomes, judges)
        if not _difference(step.claimed, claimed.facts):
            problem = "the routine does what the post claims, so nothing is refuted"
    return replace(seen, problem=problem)


def _judge_corrected(
    step: Step, side: StepSide, outcomes: Sequence[TrialOutcome], judges: Judges
) -> FormResult:
    seen = _see(side, side.facts, outcomes, judges)
    problems = [seen.problem, _difference(side.facts, seen.facts)]
    for outcome in outcomes:
        problems += [outcome.crash, *outcome.violations]
        if outcome.agrees is not True and not side.setup.entry:
            problems.append(f"memory differs from its reference: {outcome.difference}")
    if not any(problems):
        # Look up the facts of the defect in what the corrected form left behind.
        try:
            same = gather(
                replace(side, facts=step.described.facts), step.described.facts, outcomes, judges
            )
        except UsageError:
            same = {}  # it has no value of that name, so it cannot show the defect
        if same and not _difference(step.described.facts, same):
            problems.append("it shows the defect as well")
    return replace(seen, problem="; ".join(problem for problem in problems if problem))


def _see(
    side: StepSide, facts: Facts, outcomes: Sequence[TrialOutcome], judges: Judges
) -> FormResult:
    faults = [
        o.crash or (f"{o.fault.reason}, at {o.fault.location}" if o.fault else "") for o in outcomes
    ]
    words = "; ".join(dict.fromkeys(fault for fault in faults if fault))
    try:
        actual: dict[str, Any] = gather(side, facts, outcomes, judges)
    except UsageError as error:
        return FormResult({}, words, tuple(outcomes), str(error))
    return FormResult(actual, words, tuple(outcomes))


def _difference(wanted: Facts, actual: Facts) -> str:
    """The facts that differ from those wanted, in words; "" if none does."""
    return "; ".join(
        f"{name} is {_short(actual.get(name))}, not {_short(value)}"
        for name, value in wanted.items()
        if name not in actual
        or actual[name] != value
        or isinstance(actual[name], bool) != isinstance(value, bool)
    )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]} ..."
