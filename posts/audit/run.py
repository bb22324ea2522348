"""Measures claims and judges them.

Python measurements run in worker processes, at the same time as the calls of compiled code. A
measurement that several claims share is made once.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from emu.base.functions import call
from emu.base.processes.workers import ProcessDown, WorkerCall, Workers, run_apart
from macproof import GuestError, MacproofError, ToolMissingError, UsageError, WrongResultError
from posts.audit.claims import Claim, ClaimPlot, ClaimRun, Post
from posts.audit.rules import CANNOT, NOT_RUN
from posts.audit.workbench import Figures, Workbench

_REASONS_NOT_TO_RUN = (ToolMissingError, GuestError, WrongResultError)


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """A claim with its verdict.

    Attributes:
        claim: the claim.
        verdict: one of `posts.audit.rules.VERDICTS`.
        figures: the measured figures, by name.
        found: the result in a sentence; for a claim that was not measured, the reason.
        exit_code: 0, or the exit code of the error that prevented the measurement.
    """

    claim: Claim
    verdict: str
    figures: Figures
    found: str
    exit_code: int = 0


@dataclass(frozen=True, slots=True)
class PlotSeries:
    """A plot with its series: by their names, values by x."""

    plot: ClaimPlot
    series: Mapping[str, Mapping[int, float]]


@dataclass(frozen=True, slots=True)
class Audit:
    """The measured claims and plots of some posts."""

    posts: Sequence[Post]
    answers: Sequence[ClaimVerdict]
    drawn: Sequence[PlotSeries]


def audit(
    posts: Sequence[Post],
    claims: Sequence[Claim],
    plots: Sequence[ClaimPlot],
    *,
    jobs: int = 0,
    programs: str = "auto",
    on_progress: Callable[[int], None] = lambda done: None,
) -> Audit:
    """Measure and judge claims.

    Args:
        posts: the posts that make the claims.
        claims: the claims to judge.
        plots: the plots whose series to measure.
        jobs: worker processes; 0 is one for each processor.
        programs: where programs come from, see `emu.cases.programs.programs.programs_of`.
        on_progress: called with 1 for each claim that is judged.

    Raises:
        UsageError: a function cannot be imported, fails, or does not return figures.
        CaseError, ProgramError: a case or program does not fit its measurement.
    """
    dotted = [claim.measure for claim in claims if claim.measure]
    dotted += [function for plot in plots for function in plot.data]
    runs = dict.fromkeys(claim.run for claim in claims if claim.run)
    compiled: dict[ClaimRun, Figures | MacproofError] = {}
    with Workers(jobs) as workers:
        measured = {
            name: workers.submit(call, name, None, alone=_call_apart)
            for name in dict.fromkeys(dotted)
        }
        with Workbench(jobs, programs) as workbench:
            for run in runs:
                compiled[run] = _run(run, workbench)
        answers = []
        for claim in claims:
            answers.append(_answer(claim, measured, compiled))
            on_progress(1)
        drawn = [PlotSeries(plot, _series(plot, measured)) for plot in plots]
    return Audit(posts, answers, drawn)


def _call_apart(dotted: str, argument: None) -> Any:
    try:
        return run_apart(call, dotted, argument)
    except ProcessDown as error:
        raise UsageError(f"{dotted} brought its process down") from error


def _run(run: ClaimRun, workbench: Workbench) -> Figures | MacproofError:
    """The figures of compiled code, or the error that prevented the measurement."""
    try:
        return _figures(run.with_, call(run.with_, None, workbench, call(run.scenes, None)))
    except _REASONS_NOT_TO_RUN as error:
        return error


def _answer(
    claim: Claim,
    measured: Mapping[str, WorkerCall[Any]],
    compiled: Mapping[ClaimRun, Figures | MacproofError],
) -> ClaimVerdict:
    if claim.rule is None:
        return ClaimVerdict(claim, CANNOT, {}, claim.cannot)
    figures: dict[str, float] = {}
    if claim.measure:
        figures |= _figures(claim.measure, measured[claim.measure].result())
    if claim.run:
        more = compiled[claim.run]
        if isinstance(more, MacproofError):
            return ClaimVerdict(claim, NOT_RUN, {}, str(more).splitlines()[0], more.exit_code)
        figures |= more
    return ClaimVerdict(claim, claim.rule.verdict(figures), figures, claim.tell(figures))


def _figures(dotted: str, given: Any) -> dict[str, float]:
    """Check that a measurement returned numbers by name.

    Raises:
        UsageError: it returned something else.
    """
    if not isinstance(given, Mapping) or not given:
        raise UsageError(f"{dotted} returns {type(given).__name__}, not a mapping of figures")
    for name, value in given.items():
        if not isinstance(name, str) or not isinstance(value, numbers.Real):
            raise UsageError(
                f"{dotted} returns {name!r}: {value!r}, which is not a number with a name"
            )
    return {
        name: value if isinstance(value, int) else float(value) for name, value in given.items()
    }


def _series(
    plot: ClaimPlot, measured: Mapping[str, WorkerCall[Any]]
) -> dict[str, dict[int, float]]:
    series: dict[str, dict[int, float]] = {}
    for dotted in plot.data:
        for name, values in measured[dotted].result().items():
            series[name] = {int(x): float(y) for x, y in values.items()}
    return series
