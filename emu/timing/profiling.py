"""Profiles the programs of a case, and finds the text of their sources.

The results of every call are compared with the reference first, as for predictions. The profile of
a program that computes something else is of no use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.cases.case import Case
from emu.cases.programs.source_texts import SourceTexts, source_texts
from emu.cycles.base.model import CycleModel
from emu.cycles.models import model_for
from emu.cycles.profile import Profile, make_profile
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.timing.predict import (
    PricedCounts,
    TimedProgram,
    TimingPlan,
    UnpricedError,
    UnpricedProgram,
    count_program,
)
from emu.toolchain.programs.gcc import BuiltProgram
from emu.toolchain.sources import SourceTree
from emu.verify.scenes.scene_spec import SceneSpec


@dataclass(frozen=True, slots=True, eq=False)
class ProgramProfile:
    """A program and its profile.

    Attributes:
        program: the program.
        built: the program's file, and where it came from.
        model: the cycle model.
        megahertz: the clock in MHz, for times.
        profile: the cycles by function, line and instruction.
        has_lines: whether the program has line information.
    """

    program: TimedProgram
    built: BuiltProgram
    model: CycleModel
    megahertz: float
    profile: Profile
    has_lines: bool


def profile_programs(
    case: Case,
    programs: Sequence[TimedProgram],
    built: Sequence[BuiltProgram],
    plan: TimingPlan,
    megahertz: Mapping[str, float],
    *,
    jobs: int = 0,
) -> tuple[list[ProgramProfile], list[UnpricedProgram]]:
    """Profile programs on the scenes of a plan that have the most objects.

    Args:
        case: the case.
        programs: the programs.
        built: the file of each program, in the same order.
        plan: the scenes.
        megahertz: the clocks in MHz, by processor.
        jobs: the number of worker processes; 0 is one for each processor of this computer.

    Returns:
        The profiles, in the order of the programs, and the programs that the model cannot price.

    Raises:
        WrongResultError: a result differs from the reference's.
        GuestError: a call does not return, or crashes its process.
        UnpricedError: the model can price none of the programs.
    """
    profiled, unpriced = [], []
    for program, origin, outcome in zip(
        programs, built, _counted(case, programs, plan, jobs), strict=True
    ):
        if isinstance(outcome, UnpricedProgram):
            unpriced.append(outcome)
            continue
        model = model_for(program.subject.cpu, program.memory)
        read = program.subject.read()
        profile = make_profile(outcome.counts, outcome.pricing, model, read)
        clock = megahertz[model.cpu]
        profiled.append(
            ProgramProfile(program, origin, model, clock, profile, bool(read.lines.rows))
        )
    if not profiled:
        raise UnpricedError(
            "; ".join(f"{program.program}: {program.why}" for program in unpriced[:3])
        )
    return profiled, unpriced


def _counted(
    case: Case, programs: Sequence[TimedProgram], plan: TimingPlan, jobs: int
) -> list[PricedCounts | UnpricedProgram]:
    specs = plan.specs(max(plan.objects))
    counts: dict[int, PricedCounts | UnpricedProgram] = {}
    calls = [(case.path, program, specs) for program in programs]
    with GuestWorkers(jobs) as workers:
        counts.update(workers.each(_count_task, calls, alone=_count_apart))
    return [counts[index] for index in range(len(programs))]


def _count_apart(
    case_path: Path, program: TimedProgram, specs: Sequence[SceneSpec]
) -> PricedCounts | UnpricedProgram:
    return run_apart(_count_task, case_path, program, specs, program=program)


def _count_task(
    case_path: Path, program: TimedProgram, specs: Sequence[SceneSpec]
) -> PricedCounts | UnpricedProgram:
    try:
        return count_program(case_path, program, specs)
    except UnpricedError as error:
        return UnpricedProgram(program, str(error))


def profiled_texts(tree: SourceTree, profiles: Iterable[Profile]) -> SourceTexts:
    """Find the text of every source file that profiles name.

    Raises:
        CompileError: a file cannot be read.
    """
    last: dict[str, int] = {}
    for profile in profiles:
        for file, line in (cost.place for cost in profile.lines):
            if file:
                last[file] = max(line, last.get(file, 0))
    return source_texts(tree, last)
