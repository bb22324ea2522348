"""Predicts speeds and compares them: the function that the command calls."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from emu.base.files import read_file
from emu.base.temporary import temporary_folder
from emu.cases.case_file import read_case
from emu.cases.files.places import find_cases
from emu.cases.programs.selection import Omission
from emu.cycles.micro_loops import check, micro_loops
from emu.cycles.models import model_for
from emu.timing.predict import TimingPlan, UnpricedProgram, predict_programs
from emu.timing.programs import (
    TimedPrograms,
    clock_of,
)
from macproof import Prediction, UnpricedError
from posts.timing.comparison import CHOICE, chosen_build
from posts.timing.events import count_events, work_of
from posts.timing.harness import (
    HarnessProgram,
    HarnessRequest,
    HarnessTiming,
    build_harness,
    not_in_virtual_time,
    run_harness,
)
from posts.timing.make_report import TimingResults, make_report
from posts.timing.measured_times import Measurements
from posts.timing.report import TimingReport

Progress = Callable[[str, int, int], None]
"""Called with the kind of work in words, the number of items just finished, and of all items."""


def _silent(what: str, done: int, of: int) -> None:
    """Report no progress."""


def time_programs(
    timed: TimedPrograms,
    plan: TimingPlan,
    *,
    megahertz: float | None = None,
    measured: Measurements | None = None,
    harness: HarnessRequest | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Progress = _silent,
) -> TimingReport:
    """Predict the speeds of programs, and compare them with published and measured speeds.

    Args:
        timed: the programs, from `emu.timing.programs.programs_to_time`.
        plan: the scenes, from `emu.timing.programs.make_plan`.
        megahertz: the clock of predicted speeds in MHz; None is that of the published speeds.
        measured: times from real machines, from `posts.timing.measured_times.read_measured`.
        harness: which self-measuring applications are run in virtual time; None is none.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: the command line, one string for each word, for the receipt.
        on_progress: called when a program is finished.

    Raises:
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return, or crashes its process.
        UnpricedError: the model can price none of the programs.
        ToolMissingError: a compiler for the self-measuring application is missing.
        CompileError: the self-measuring application does not compile.
    """
    began = time.monotonic()
    clocks = {cpu: clock_of(timed.case, cpu, megahertz) for cpu in timed.cpus}
    with temporary_folder() as folder:
        # Built first, so that a source that is no application is refused before the long work.
        applications = build_harness(timed, harness, clocks, folder) if harness else []
        outcomes = _predict(timed, plan, jobs, on_progress)
        runs = _run(applications, jobs, on_progress)
    results = _results(timed, plan, outcomes)
    left_out = not_in_virtual_time(timed, harness) if harness else []
    return make_report(
        replace(
            results,
            megahertz=clocks,
            measured=measured or results.measured,
            harness=runs,
            not_run=(*results.not_run, *left_out),
            command=command,
            seconds=time.monotonic() - began,
        )
    )


def _results(
    timed: TimedPrograms, plan: TimingPlan, outcomes: Sequence[Prediction | UnpricedProgram]
) -> TimingResults:
    """Add event counts, models and measured loops to the predictions."""
    case, work = timed.case, work_of(timed.case)
    unpriced = [outcome for outcome in outcomes if isinstance(outcome, UnpricedProgram)]
    predictions = [outcome for outcome in outcomes if isinstance(outcome, Prediction)]
    models = {
        cpu: model_for(cpu) for cpu in dict.fromkeys(prediction.cpu for prediction in predictions)
    }
    return TimingResults(
        case=case,
        plan=plan,
        events=count_events(case, plan, work.events),
        also=count_events(case, plan, work.also),
        predictions=predictions,
        programs=[
            built
            for built, outcome in zip(timed.built_programs, outcomes, strict=True)
            if isinstance(outcome, Prediction)
        ],
        models=models,
        loops=check(tuple(loop for loop in micro_loops() if loop.cpu in models)),
        not_run=(
            *(Omission(str(program.program), program.why) for program in unpriced),
            *timed.not_run,
        ),
        others=tuple(name for name in _published_cases() if name != case.name),
        provision=timed.note,
    )


def _predict(
    timed: TimedPrograms, plan: TimingPlan, jobs: int, on_progress: Progress
) -> list[Prediction | UnpricedProgram]:
    """Predict every program. A chosen build, or an only build, is priced by varied models too."""
    programs, timing = timed.programs, timed.case.timing
    chosen = {CHOICE, *(chosen_build(figure) for figure in (timing.figures if timing else ()))}
    on_progress(timed.case.name, 0, len(programs))
    only_one = len({program.subject.build for program in programs}) == 1
    outcomes = predict_programs(
        timed.case,
        programs,
        plan,
        varied=lambda program: only_one or program.subject.build in chosen,
        jobs=jobs,
        on_progress=lambda more: on_progress(timed.case.name, more, len(programs)),
    )
    unpriced = [outcome for outcome in outcomes if isinstance(outcome, UnpricedProgram)]
    if len(unpriced) == len(outcomes):
        raise UnpricedError(
            "; ".join(
                f"{unpriced_program.program}: {unpriced_program.why}"
                for unpriced_program in unpriced[:3]
            )
        )
    return outcomes


def _run(
    applications: Sequence[HarnessProgram], jobs: int, on_progress: Progress
) -> list[HarnessTiming]:
    """Run the self-measuring applications in virtual time."""
    what, count = "in virtual time", len(applications)
    if applications:
        on_progress(what, 0, count)
    return run_harness(
        applications, jobs=jobs, on_progress=lambda more: on_progress(what, more, count)
    )


def _published_cases() -> Iterator[str]:
    """The names of the shipped cases with published speeds."""
    figures = re.compile(rb"^  figures:", re.MULTILINE)
    for path in find_cases():
        if figures.search(read_file(path)):
            yield read_case(path).name
