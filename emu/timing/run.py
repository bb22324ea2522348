"""Predicts and profiles: the functions that the command and the library call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from emu.base.arguments import require, whole_number
from emu.cases.case import DEFAULT_SEED, Case
from emu.cases.find import load_case
from emu.cases.programs.source_texts import SourceTexts
from emu.cases.programs.sources import source_tree
from emu.cases.programs.subject import Subject
from emu.cycles.models import model_for
from emu.timing.predict import (
    Prediction,
    TimedProgram,
    TimingPlan,
    UnpricedError,
    UnpricedProgram,
    predict_programs,
)
from emu.timing.profile_report import ProfileReport, make_profile_report
from emu.timing.profiling import profile_programs, profiled_texts
from emu.timing.programs import (
    DEFAULT_SCENES,
    TimedPrograms,
    clock_of,
    make_plan,
)


def predict(
    case: Case | Path | str,
    programs: Iterable[Subject],
    *,
    objects: Sequence[int] | None = None,
    scenes: int = DEFAULT_SCENES,
    seed: int = DEFAULT_SEED,
    jobs: int = 0,
) -> list[Prediction]:
    """Predict how long programs of a case take on real machines.

    Executed instructions are counted exactly, and the cycle model of the processor prices them.
    Every program's results are compared with the reference first, because the speed of a program
    that computes something else is of no use.

    Args:
        case: the case, or its name, folder or file as for `load_case`.
        programs: the programs, from `programs_of`.
        objects: the numbers of objects; None is those of the case's section ``timing``.
        scenes: the number of scenes for each number of objects.
        seed: the seed of the first scene.
        jobs: the number of worker processes; 0 is one for each processor of this computer.

    Returns:
        One prediction for each program, in order.

    Raises:
        UsageError: there is no such case, or no cycle model of a processor.
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return, or crashes its process.
        UnpricedError: the model has no price for an executed instruction.

    Example:
        >>> case = macproof.load_case("four-shifts")
        >>> programs = macproof.programs_of(case, cpus=["68040"], builds=["O2"])
        >>> (found,) = macproof.predict(case, programs, objects=[50], scenes=2)
        >>> found.sizes[50].instructions < found.sizes[50].cycles
        True
    """
    case, jobs = load_case(case), whole_number(jobs, "jobs")
    timed = [_timed(case, program) for program in programs]
    plan = make_plan(case, objects=objects, scenes=scenes, seed=seed)
    outcomes = predict_programs(case, timed, plan, jobs=jobs)
    for outcome in outcomes:
        if isinstance(outcome, UnpricedProgram):
            raise UnpricedError(f"{outcome.program}: {outcome.why}")
    return [outcome for outcome in outcomes if isinstance(outcome, Prediction)]


def _timed(case: Case, program: Subject) -> TimedProgram:
    """A program of a case, if it is one and its processor has a cycle model."""
    subject = require(program, Subject, "each of programs", "a program of programs_of")
    model_for(subject.cpu)
    return TimedProgram(subject, case.sources[0])


def profile(
    timed: TimedPrograms,
    plan: TimingPlan,
    *,
    megahertz: float | None = None,
    jobs: int = 0,
    command: Sequence[str] = (),
) -> tuple[ProfileReport, SourceTexts]:
    """Profile programs on the scenes with the most objects.

    Args:
        timed: the programs, from `emu.timing.programs.programs_to_time`.
        plan: the scenes, from `emu.timing.programs.make_plan`.
        megahertz: the clock in MHz, for times; None is that of the published speeds.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        command: the command line, one string for each word, for the receipt.

    Returns:
        The profile, and the text of the profiled sources.

    Raises:
        WrongResultError, GuestError, UnpricedError: as of `time_programs`.
    """
    case = timed.case
    clocks = {cpu: clock_of(case, cpu, megahertz) for cpu in timed.cpus}
    profiled, unpriced = profile_programs(
        case, timed.programs, timed.built_programs, plan, clocks, jobs=jobs
    )
    texts = profiled_texts(
        source_tree(case, timed.foreign), [program_profile.profile for program_profile in profiled]
    )
    report = make_profile_report(case, plan, profiled, texts, unpriced=unpriced, command=command)
    return report, texts
