"""Checking findings: run both forms of each, and see whether the defect is still there.

A finding is shown if, on every processor, the form as described does what the findings file says,
and the corrected form does what is right on the same input, leaves memory exactly as its reference
demands, and does not show the defect. Without that last rule a finding could not fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from emu.base.errors import CompileError, ToolMissingError, UsageError
from emu.studies.findings.facts import COMPILES, PRINTS, Judges, gather
from emu.studies.findings.hosted import run_hosted
from emu.studies.findings.model import Facts, Finding, Side, Step
from emu.studies.findings.result import FindingResult, Seen, StepResult
from emu.verify.trials import Bench, Outcome

_Waiting: TypeAlias = Callable[[], dict[str, list[Outcome]]]


def check_findings(
    findings: Sequence[Finding],
    bench: Bench,
    on_progress: Callable[[FindingResult], None] = lambda result: None,
) -> list[FindingResult]:
    """Run findings; their results, in order.

    All of them are started before the first is waited for, so that the bench is never idle.

    Raises:
        MacproofError: a program cannot be compiled, or a fact is of something that is not there.
    """
    judges = Judges()
    started = [[_Started(step, bench) for step in finding.steps] for finding in findings]
    results = []
    for finding, steps in zip(findings, started, strict=True):
        result = FindingResult(
            finding, tuple(step.finish(judges) for step in steps), not_run=finding.not_run
        )
        on_progress(result)
        results.append(result)
    return results


class _Started:
    """A step whose calls are under way."""

    def __init__(self, step: Step, bench: Bench) -> None:
        self._step = step
        self._skipped = ""
        self._described: _Waiting | None = None
        self._corrected: _Waiting | None = None
        self._refused: dict[str, str] = {}
        self._hosted: list[dict[str, Seen]] = []
        side = step.described
        possible = [
            cpu
            for cpu in side.case.cpus
            if (step.cpus is None or cpu in step.cpus) and (bench.cpus is None or cpu in bench.cpus)
        ]
        if step.builds is not None and not set(bench.builds) <= set(step.builds):
            self._skipped = f"it depends on the layout of builds {', '.join(step.builds)}"
            return
        if side.ours and side.case.name in bench.sources:
            self._skipped = "it depends on something that only macproof's own source has"
            return
        if not possible:
            self._skipped = f"it is for {', '.join(step.cpus or side.case.cpus)} only"
            return
        try:
            if side.hosted:
                assert step.corrected is not None  # see the reader
                self._hosted = [
                    {cpu: _see_hosted(step, one, cpu) for cpu in possible}
                    for one in (side, step.corrected)
                ]
                return
            self._described = self._start(side, bench, possible)
            if step.corrected is not None:
                cpus = [cpu for cpu in possible if cpu in step.corrected.case.cpus]
                self._corrected = self._start(step.corrected, bench, cpus)
        except ToolMissingError as error:
            self._skipped = str(error)
        except CompileError as error:
            if not side.setup.keep or side.case.name not in bench.sources:
                raise
            # Somebody's port of a part of the program need not have the rest.
            self._skipped = f"the given source does not compile with it: {_first_error(error)}"

    def _start(self, side: Side, bench: Bench, cpus: Sequence[str]) -> _Waiting | None:
        if COMPILES in side.facts and side.facts[COMPILES] is False:
            self._refused = {cpu: _refusal(side, bench, cpu) for cpu in cpus}
            return None
        return bench.start(side.case, side.scenes, side.setup, cpus=cpus)

    def finish(self, judges: Judges) -> StepResult:
        """Wait for the calls, and judge them."""
        if self._skipped:
            return StepResult(self._step, skipped=self._skipped)
        if self._hosted:
            return StepResult(self._step, self._hosted[0], self._hosted[-1])
        described: dict[str, Seen] = {}
        if self._described is not None:
            for key, outcomes in self._described().items():
                described[key] = _judge_described(self._step, outcomes, judges)
        for cpu, said in self._refused.items():
            problem = "" if said else "the compiler takes it"
            described[cpu] = Seen({COMPILES: not said}, fault=said, problem=problem)
        corrected: dict[str, Seen] = {}
        if self._corrected is not None and self._step.corrected is not None:
            for key, outcomes in self._corrected().items():
                corrected[key] = _judge_corrected(
                    self._step, self._step.corrected, outcomes, judges
                )
        return StepResult(self._step, described, corrected)


def _refusal(side: Side, bench: Bench, cpu: str) -> str:
    """What the compiler says of a side's sources; "" if it takes them."""
    try:
        bench.subjects(side.case, side.setup, cpus=[cpu])
    except CompileError as error:
        return _first_error(error)
    return ""


def _first_error(error: CompileError) -> str:
    lines = [line for line in str(error).splitlines() if "error:" in line]
    return lines[0].strip() if lines else str(error)


def _see_hosted(step: Step, side: Side, cpu: str) -> Seen:
    """Run a program with a C++ library, and judge what it prints."""
    printed = run_hosted(side, cpu)
    found = {PRINTS: list(printed.lines)}
    problem = printed.problem or _difference(side.facts, found)
    if not problem and side is step.corrected and not _difference(step.described.facts, found):
        problem = "it shows the defect too"
    return Seen(found, problem=problem)


def _judge_described(step: Step, outcomes: Sequence[Outcome], judges: Judges) -> Seen:
    seen = _see(step.described, step.described.facts, outcomes, judges)
    if seen.problem:
        return seen
    problem = _difference(step.described.facts, seen.facts)
    if not problem and step.corrected is None:
        claimed = _see(step.described, step.claimed, outcomes, judges)
        if not _difference(step.claimed, claimed.facts):
            problem = "what the post says is what is seen"
    return replace(seen, problem=problem)


def _judge_corrected(step: Step, side: Side, outcomes: Sequence[Outcome], judges: Judges) -> Seen:
    seen = _see(side, side.facts, outcomes, judges)
    problems = [seen.problem, _difference(side.facts, seen.facts)]
    for outcome in outcomes:
        problems += [outcome.crash, *outcome.violations]
        if outcome.agrees is not True and not side.setup.entry:
            problems.append(f"it is not as its reference has it: {outcome.difference}")
    if not any(problems):
        # Judged as the other form is: the same names, looked up in what the corrected form left.
        try:
            same = gather(
                replace(side, facts=step.described.facts), step.described.facts, outcomes, judges
            )
        except UsageError:
            same = {}  # it has nothing of such a name, and so does not show it
        if same and not _difference(step.described.facts, same):
            problems.append("it shows the defect too")
    return replace(seen, problem="; ".join(problem for problem in problems if problem))


def _see(side: Side, facts: Facts, outcomes: Sequence[Outcome], judges: Judges) -> Seen:
    faults = [
        o.crash or (f"{o.fault.reason}, at {o.fault.location}" if o.fault else "") for o in outcomes
    ]
    words = "; ".join(dict.fromkeys(fault for fault in faults if fault))
    try:
        found: dict[str, Any] = gather(side, facts, outcomes, judges)
    except UsageError as error:
        return Seen({}, words, tuple(outcomes), str(error))
    return Seen(found, words, tuple(outcomes))


def _difference(wanted: Facts, found: Facts) -> str:
    """How facts differ, in words; "" if they do not."""
    return "; ".join(
        f"{name} is {_short(found.get(name))}, not {_short(value)}"
        for name, value in wanted.items()
        if name not in found
        or found[name] != value
        or isinstance(found[name], bool) != isinstance(value, bool)
    )


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 80 else f"{text[:80]} ..."
