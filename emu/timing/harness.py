"""The program's own measurements beside the predictions: its ``main`` run in virtual time.

The prediction of a routine leaves out what the program around it does: asking for the time, making
scenes, counting. The program run whole, on a clock that the same cycle model drives, has all of it
but the Toolbox, and prints the lines that it would have printed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import GuestError
from emu.base.workers import WorkerDied, run_all
from emu.cases.case import Harness
from emu.runner.virtual_time import (
    QUICK_SECONDS,
    VirtualRequest,
    VirtualRun,
    run_in_virtual_time,
)
from emu.toolchain.applications import find_applications
from emu.toolchain.builds import Build
from emu.toolchain.mac_app import build_application


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


def build_own(
    harness: Harness,
    source: str,
    cpu: str,
    build: Build,
    megahertz: float,
    mac_sources: Path,
    folder: Path,
    *,
    is_quick: bool,
) -> HarnessProgram:
    """Build the application that comes with a case.

    Raises:
        UsageError: there is no application of the name that the case gives.
        ToolMissingError: the compiler is not installed.
    """
    (application,) = find_applications([harness.application], mac_sources)
    path = build_application(
        application.source_paths(mac_sources),
        application.title,
        cpu,
        mac_sources / application.resources,
        folder / f"{cpu}-{build.name}",
        build=build,
        flags=(f"-D{harness.seconds}={QUICK_SECONDS}",) if is_quick else (),
    )
    return HarnessProgram(path, cpu, build.name, source, megahertz, is_quick)


def build_given(
    source: Path, name: str, cpu: str, build: Build, megahertz: float, folder: Path
) -> HarnessProgram:
    """Build the application of somebody else's source, which has a ``main`` of its own.

    Raises:
        ToolMissingError, CompileError: it cannot be built.
    """
    folder = folder / f"{cpu}-{build.name}-given"
    path = build_application([source], "Given", cpu, None, folder, build=build)
    return HarnessProgram(path, cpu, build.name, name, megahertz, is_quick=False)


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
    if not programs:
        return []
    found: dict[int, HarnessRun] = {}

    def take(index: int, outcome: VirtualRun) -> None:
        found[index] = HarnessRun(programs[index], outcome)
        on_progress(1)

    calls = [(VirtualRequest(p.path, p.cpu, p.megahertz),) for p in programs]
    try:
        run_all(run_in_virtual_time, calls, jobs=jobs, on_result=take)
    except WorkerDied as error:
        raise GuestError("a program brought the engine's process down in virtual time") from error
    return [found[index] for index in range(len(programs))]
