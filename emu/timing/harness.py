"""The program's own measurements beside the predictions: its ``main`` run in virtual time.

The prediction of a routine leaves out what the program around it does: asking for the time, making
scenes, counting. The program run whole, on a clock that the same cycle model drives, has all of it
but the Toolbox, and prints the lines that it would have printed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import UsageError
from emu.base.yaml_document import did_you_mean
from emu.cases.case import mac_sources
from emu.cases.programs import NotRun
from emu.machine.apart import GuestWorkers, run_apart
from emu.runner.virtual_time import (
    QUICK_SECONDS,
    VirtualRequest,
    VirtualRun,
    run_in_virtual_time,
)
from emu.timing.comparison import CHOICE
from emu.timing.programs import TimedPrograms, timed_builds
from emu.toolchain.applications import find_applications
from emu.toolchain.mac_app import build_application


@dataclass(frozen=True, slots=True)
class HarnessRequest:
    """Which of the applications that measure themselves are run.

    Attributes:
        builds: names of the builds.
        is_quick: whether experiments take `QUICK_SECONDS`, and not as long as they did.
    """

    builds: Sequence[str] = (CHOICE,)
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class HarnessProgram:
    """A program that measures itself, built as an application.

    Attributes:
        path: the application.
        cpu: the processor's name.
        build: the build's name.
        source: what it was compiled from, as the predictions call it.
        megahertz: the clock of the machine.
        is_quick: whether its experiments are shorter than they were.
    """

    path: Path
    cpu: str
    build: str
    source: str
    megahertz: float
    is_quick: bool


@dataclass(frozen=True, slots=True)
class HarnessRun:
    """What came of one."""

    program: HarnessProgram
    run: VirtualRun


def build_harness(
    timed: TimedPrograms, request: HarnessRequest, clocks: Mapping[str, float], folder: Path
) -> list[HarnessProgram]:
    """Build the application that measures itself, for every processor and build.

    Beside the case's own comes that of a source that is compiled in its place, if it is one whole
    program; its ``main`` decides how long its experiments take.

    Args:
        timed: the programs that are predicted.
        request: what is wanted.
        clocks: of the machines in MHz, by processor.
        folder: where to put what is built.

    Raises:
        UsageError: the case has no such application, or no such build.
        ToolMissingError, CompileError: it cannot be built.
    """
    case = timed.case
    if case.timing is None or case.timing.harness is None:
        raise UsageError(f"{case.name} has no program of its own that measures")
    (application,) = find_applications([case.timing.harness.application], mac_sources())
    flags = (f"-D{case.timing.harness.seconds}={QUICK_SECONDS}",) if request.is_quick else ()
    known = timed_builds(case)
    programs = []
    for cpu, name in itertools.product(timed.cpus, request.builds):
        if name not in known:
            raise UsageError(f"{case.name} has no build {name}{did_you_mean(name, known)}")
        path = build_application(
            application.source_paths(mac_sources()),
            application.title,
            cpu,
            mac_sources() / application.resources,
            folder / f"{cpu}-{name}",
            build=known[name],
            flags=flags,
        )
        own = case.sources[0]
        programs.append(HarnessProgram(path, cpu, name, own, clocks[cpu], request.is_quick))
        if isinstance(timed.foreign, Path) and not request.is_quick:
            given = folder / f"{cpu}-{name}-given"
            path = build_application([timed.foreign], "Given", cpu, None, given, build=known[name])
            programs.append(HarnessProgram(path, cpu, name, timed.label, clocks[cpu], False))
    return programs


def not_in_virtual_time(timed: TimedPrograms, request: HarnessRequest) -> list[NotRun]:
    """What `build_harness` leaves out, and why."""
    what = f"the program of {timed.label} in virtual time"
    if timed.foreign is not None and request.is_quick:
        why = "how long its experiments take is its own affair; leave out --quick"
        return [NotRun(what, why)]
    if isinstance(timed.foreign, Mapping):
        return [NotRun(what, "it takes the place of some sources only, and is no whole program")]
    return []


def run_harness(
    programs: Sequence[HarnessProgram],
    *,
    jobs: int = 0,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[HarnessRun]:
    """Run programs in virtual time, in worker processes; one result for each, in order.

    Raises:
        GuestError: one does not come to its end, prints no measurement, or takes its process down.
    """
    found: dict[int, HarnessRun] = {}
    calls = [(VirtualRequest(p.path, p.cpu, p.megahertz),) for p in programs]
    with GuestWorkers(jobs) as workers:
        for index, outcome in workers.each(run_in_virtual_time, calls, alone=_run_one_apart):
            found[index] = HarnessRun(programs[index], outcome)
            on_progress(1)
    return [found[index] for index in range(len(programs))]


def _run_one_apart(request: VirtualRequest) -> VirtualRun:
    program = f"{request.program.name} on a {request.cpu}"
    return run_apart(run_in_virtual_time, request, program=program)
