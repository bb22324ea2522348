"""Runs programs that measure themselves, on a virtual clock that a cycle model drives.

The prediction of a routine leaves out what the program around it does: reading the clock, making
scenes, counting. Here the whole program runs from its ``main``. Its clock advances by the cycles of
the executed instructions, except those of Toolbox calls. It prints its own measurements, as it
would on the real machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.yaml_document import did_you_mean
from emu.cases.programs.selection import Omission
from emu.machine.guest_process import GuestWorkers, run_apart
from emu.runner.virtual_time import (
    QUICK_SECONDS,
    Experiment,
    VirtualRequest,
    VirtualRun,
    run_in_virtual_time,
)
from emu.timing.programs import TimedPrograms, timed_builds
from emu.toolchain.builds import labelled
from emu.toolchain.mac_app.application import build_application
from emu.toolchain.mac_app.applications import find_applications
from emu.toolchain.sources import mac_sources
from macproof import UsageError
from posts.timing.comparison import CHOICE
from posts.timing.events import work_of


@dataclass(frozen=True, slots=True)
class HarnessRequest:
    """Which self-measuring applications are built and run.

    Attributes:
        builds: the names of the builds.
        is_quick: whether each experiment takes `QUICK_SECONDS` in place of its original time.
    """

    builds: Sequence[str] = (CHOICE,)
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class HarnessProgram:
    """A self-measuring program, built as an application.

    Attributes:
        path: the file of the application.
        cpu: the processor's name.
        build: the build's name.
        source: the name of the source it was compiled from, as in `TimedProgram`.
        megahertz: the clock of the modelled machine, in MHz.
        is_quick: whether its experiments were shortened.
    """

    path: Path
    cpu: str
    build: str
    source: str
    megahertz: float
    is_quick: bool


@dataclass(frozen=True, slots=True)
class HarnessTiming:
    """A program that measured itself in virtual time.

    Attributes:
        cpu: the name of the processor.
        build: the name of the build.
        source: the short name of its source.
        megahertz: the clock of the modelled machine, in MHz.
        is_quick: whether its experiments were shortened.
        lines: the lines that it printed.
        experiments: the measurements in these lines.
        clock_calls: the number of times that it read the clock.
        virtual_seconds: the time that it ran on the virtual clock, in seconds.
        seconds: the time that the emulation took on this computer, in seconds.
        assumptions: the assumptions of the model and of the clock, a sentence each.
    """

    cpu: str
    build: str
    source: str
    megahertz: float
    is_quick: bool
    lines: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    clock_calls: int
    virtual_seconds: float
    seconds: float
    assumptions: tuple[str, ...]


def build_harness(
    timed: TimedPrograms, request: HarnessRequest, clocks: Mapping[str, float], folder: Path
) -> list[HarnessProgram]:
    """Build the case's self-measuring application for every processor, code and build.

    If a user's source replaces all of the case's sources, it is built as an application too. How
    long the experiments of that one take cannot be changed.

    Args:
        timed: the programs that are predicted.
        request: which applications to build.
        clocks: the clocks of the modelled machines in MHz, by processor.
        folder: the folder for the built files.

    Raises:
        UsageError: the case names no such application, or has no such build.
        ToolMissingError: a compiler is missing.
        CompileError: an application does not compile.
    """
    case, harness = timed.case, work_of(timed.case).harness
    if harness is None:
        raise UsageError(f"{case.name} has no self-measuring program")
    (application,) = find_applications([harness.application], mac_sources())
    flags = (f"-D{harness.seconds}={QUICK_SECONDS}",) if request.is_quick else ()
    builds = timed_builds(case)
    programs = []
    targets = dict.fromkeys((program.cpu, program.code) for program in timed.built_programs)
    for (cpu, code), name in itertools.product(targets, request.builds):
        if name not in builds:
            raise UsageError(f"{case.name} has no build {name}{did_you_mean(name, builds)}")
        path = build_application(
            application.source_paths(mac_sources()),
            application.title,
            code or cpu,
            mac_sources() / application.resources,
            folder / f"{cpu}-{code}-{name}",
            build=builds[name],
            flags=flags,
        )
        own, label = case.sources[0], labelled(name, code)
        programs.append(HarnessProgram(path, cpu, label, own, clocks[cpu], request.is_quick))
        if isinstance(timed.foreign, Path) and not request.is_quick:
            path = build_application(
                [timed.foreign],
                "Given",
                code or cpu,
                None,
                folder / f"{cpu}-{code}-{name}-given",
                build=builds[name],
            )
            programs.append(HarnessProgram(path, cpu, label, timed.label, clocks[cpu], False))
    return programs


def not_in_virtual_time(timed: TimedPrograms, request: HarnessRequest) -> list[Omission]:
    """The applications that `build_harness` does not build, with the reasons."""
    what = f"the program of {timed.label} in virtual time"
    if timed.foreign is not None and request.is_quick:
        why = "the length of its experiments cannot be changed; leave out --quick"
        return [Omission(what, why)]
    if isinstance(timed.foreign, Mapping):
        return [Omission(what, "it replaces only some of the sources, and is no whole program")]
    return []


def run_harness(
    programs: Sequence[HarnessProgram],
    *,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[HarnessTiming]:
    """Run self-measuring programs in virtual time, in worker processes.

    Args:
        programs: the programs.
        jobs: the number of worker processes; 0 is one for each processor of this computer.
        on_progress: called with 1 when a program has finished.

    Returns:
        One run for each program, in order.

    Raises:
        GuestError: a program does not end, prints no measurement, or crashes its process.
    """
    timings: dict[int, HarnessTiming] = {}
    calls = [(VirtualRequest(p.path, p.cpu, p.megahertz),) for p in programs]
    with GuestWorkers(jobs) as workers:
        for index, outcome in workers.each(run_in_virtual_time, calls, alone=_run_one_apart):
            timings[index] = _timing(programs[index], outcome)
            on_progress(1)
    return [timings[index] for index in range(len(programs))]


def _run_one_apart(request: VirtualRequest) -> VirtualRun:
    program = f"{request.program.name} on a {request.cpu}"
    return run_apart(run_in_virtual_time, request, program=program)


def _timing(program: HarnessProgram, run: VirtualRun) -> HarnessTiming:
    return HarnessTiming(
        cpu=program.cpu,
        build=program.build,
        source=program.source,
        megahertz=run.megahertz,
        is_quick=program.is_quick,
        lines=run.lines,
        experiments=run.experiments,
        clock_calls=run.clock_calls,
        virtual_seconds=run.virtual_seconds,
        seconds=round(run.seconds, 3),
        assumptions=run.assumptions,
    )
