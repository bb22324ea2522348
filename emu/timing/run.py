"""Times and profiles the programs of a case."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from emu.base.temporary import temporary_folder
from emu.cases.case import DEFAULT_SEED, Case, find_cases, read_case
from emu.cases.programs import NotRun, Subject
from emu.cases.sources import source_tree
from emu.cycles.micro_loops import check, micro_loops
from emu.cycles.models import model_for
from emu.timing.comparison import CHOICE
from emu.timing.events import count_events
from emu.timing.harness import (
    HarnessProgram,
    HarnessRequest,
    HarnessRun,
    build_harness,
    not_in_virtual_time,
    run_harness,
)
from emu.timing.make_report import TimingResults, make_report
from emu.timing.measured import Measurements
from emu.timing.predict import (
    Plan,
    Prediction,
    TimedProgram,
    Unpriced,
    UnpricedError,
    predict_programs,
)
from emu.timing.profile_report import ProfileReport, make_profile_report
from emu.timing.profiling import SourceTexts, profile_programs, source_texts
from emu.timing.programs import (
    DEFAULT_SCENES,
    TimedPrograms,
    clock_of,
    make_plan,
)
from emu.timing.report import TimingReport

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much more of it is done, and how much there is in all."""


def _silent(what: str, done: int, of: int) -> None:
    """Tell nobody."""


def predict(
    case: Case,
    programs: Iterable[Subject],
    *,
    objects: Sequence[int] | None = None,
    scenes: int = DEFAULT_SCENES,
    seed: int = DEFAULT_SEED,
    jobs: int = 0,
) -> list[Prediction]:
    """Predict how long programs of a case take, by the cycle models of their processors.

    Instructions are counted as they are executed; cycles are a model's. Every program is verified
    on the same scenes first, since the speed of a wrong program is that of something else.

    Args:
        case: the case.
        programs: what `programs_of` gives.
        objects: numbers of objects; those the case is timed with if left out.
        scenes: how many scenes with each number of objects.
        seed: of the first.
        jobs: worker processes; 0 is one for each processor of this computer.

    Returns:
        One prediction for each program, in order.

    Raises:
        UsageError: there is no cycle model of a processor.
        WrongResultError: a program does not do what the reference does.
        GuestError: one does not come back, or brings its process down.
        UnpricedError: one has code that the model does not know.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
        >>> (found,) = macproof.predict(case, programs, objects=[50], scenes=2)
        >>> found.sizes[50].instructions < found.sizes[50].cycles
        True
    """
    timed = [TimedProgram(program, case.sources[0]) for program in programs]
    for program in timed:
        model_for(program.subject.cpu)
    plan = make_plan(case, objects=objects, scenes=scenes, seed=seed)
    outcomes = predict_programs(case, timed, plan, jobs=jobs)
    for outcome in outcomes:
        if isinstance(outcome, Unpriced):
            raise UnpricedError(f"{outcome.program}: {outcome.why}")
    return [outcome for outcome in outcomes if isinstance(outcome, Prediction)]


def time_programs(
    timed: TimedPrograms,
    plan: Plan,
    *,
    megahertz: float | None = None,
    measured: Measurements | None = None,
    harness: HarnessRequest | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
    on_progress: Progress = _silent,
) -> TimingReport:
    """Predict the speeds of programs, and lay them beside published and measured ones.

    Args:
        timed: the programs, of `emu.timing.programs.programs_to_time`.
        plan: the scenes, of `emu.timing.programs.make_plan`.
        megahertz: the clock of predicted speeds; that of the published speeds if left out.
        measured: times of real machines, of `emu.timing.measured.read_measured`.
        harness: which of the program's own measurements are made too, in virtual time.
        jobs: worker processes; 0 is one for each processor.
        command: the command line, for the receipt.
        on_progress: told when a program is done.

    Raises:
        WrongResultError: a program does not do what the reference does, and is not timed.
        GuestError: one does not come back, or brings its process down.
        UnpricedError: there is no program of which the model knows all code.
        ToolMissingError, CompileError: the application of the harness cannot be built.
    """
    began = time.monotonic()
    clocks = {cpu: clock_of(timed.case, cpu, megahertz) for cpu in timed.cpus}
    with temporary_folder() as folder:
        # Built first: a source that is no application should not cost the time of the others.
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
    timed: TimedPrograms, plan: Plan, outcomes: Sequence[Prediction | Unpriced]
) -> TimingResults:
    """The predictions, with what the reference counts and what is known of the processors."""
    case, timing = timed.case, timed.case.timing
    unpriced = [one for one in outcomes if isinstance(one, Unpriced)]
    predictions = [one for one in outcomes if isinstance(one, Prediction)]
    models = {cpu: model_for(cpu) for cpu in dict.fromkeys(one.cpu for one in predictions)}
    return TimingResults(
        case=case,
        plan=plan,
        events=count_events(case, plan, timing.events if timing is not None else {}),
        also=count_events(case, plan, timing.also if timing is not None else {}),
        predictions=predictions,
        programs=[
            built
            for built, outcome in zip(timed.built, outcomes, strict=True)
            if isinstance(outcome, Prediction)
        ],
        models=models,
        loops=check(tuple(loop for loop in micro_loops() if loop.cpu in models)),
        not_run=(*(NotRun(str(one.program), one.why) for one in unpriced), *timed.not_run),
        others=tuple(name for name in _published_cases() if name != case.name),
        provision=timed.note,
    )


def _predict(
    timed: TimedPrograms, plan: Plan, jobs: int, on_progress: Progress
) -> list[Prediction | Unpriced]:
    """Predict every program; the one build to judge by, or an only one, by varied models too."""
    programs = timed.programs
    on_progress(timed.case.name, 0, len(programs))
    only_one = len({program.subject.build for program in programs}) == 1
    outcomes = predict_programs(
        timed.case,
        programs,
        plan,
        varied=lambda program: only_one or program.subject.build == CHOICE,
        jobs=jobs,
        on_progress=lambda more: on_progress(timed.case.name, more, len(programs)),
    )
    unpriced = [one for one in outcomes if isinstance(one, Unpriced)]
    if len(unpriced) == len(outcomes):
        raise UnpricedError("; ".join(f"{one.program}: {one.why}" for one in unpriced[:3]))
    return outcomes


def _run(
    applications: Sequence[HarnessProgram], jobs: int, on_progress: Progress
) -> list[HarnessRun]:
    """Run the applications that measure themselves."""
    what, count = "in virtual time", len(applications)
    if applications:
        on_progress(what, 0, count)
    return run_harness(
        applications, jobs=jobs, on_progress=lambda more: on_progress(what, more, count)
    )


def _published_cases() -> Iterator[str]:
    """The names of the cases with published speeds that come with macproof."""
    figures = re.compile(rb"^  figures:", re.MULTILINE)
    for path in find_cases():
        if figures.search(path.read_bytes()):
            yield read_case(path).name


def profile(
    timed: TimedPrograms,
    plan: Plan,
    *,
    megahertz: float | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
) -> tuple[ProfileReport, SourceTexts]:
    """Find out where the cycles of programs go, on the scenes with the most objects.

    Args:
        timed: the programs, of `emu.timing.programs.programs_to_time`.
        plan: the scenes, of `emu.timing.programs.make_plan`.
        megahertz: the clock, for times; that of the published speeds if left out.
        jobs: worker processes; 0 is one for each processor.
        command: the command line, for the receipt.

    Returns:
        The profile, and the text of the sources that it is about.

    Raises:
        WrongResultError, GuestError, UnpricedError: as of `time_programs`.
    """
    case = timed.case
    clocks = {cpu: clock_of(case, cpu, megahertz) for cpu in timed.cpus}
    profiled, unpriced = profile_programs(
        case, timed.programs, timed.built, plan, clocks, jobs=jobs
    )
    texts = source_texts(source_tree(case, timed.foreign), [one.profile for one in profiled])
    report = make_profile_report(case, plan, profiled, texts, unpriced=unpriced, command=command)
    return report, texts
