"""Reads what a program measures of itself when its clock is that of a modelled machine of 1994.

Take a program that counts how often it can do something in half a minute. Here it runs with a clock
that a cycle model drives. So it prints what it would have printed on the modelled machine, as far
as the model is right. Its half minute may take more or less real time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from emu.base.errors import GuestError
from emu.cycles.models import model_for
from emu.machine.cpu import CPUS
from emu.runner.model_meter import TOOLBOX_COSTS
from emu.runner.runner import RunProgress, RunRequest, run_request
from emu.toolbox.computer.settings import Settings

QUICK_SECONDS = 3
"""The length of an experiment in the short form. On the PowerPC the program's clock has ticks of a
sixtieth of a second, so the result is accurate to half a percent."""

_CLOCK_ROUTINES = ("Microseconds", "TickCount")
_EXPERIMENT = re.compile(r"^(\d+) objects: (\d+) in (\d+) us\b")


@dataclass(frozen=True, slots=True)
class VirtualRequest:
    """A program to be run in virtual time.

    Attributes:
        program: the application.
        cpu: the processor's name; there must be a cycle model of it.
        megahertz: the processor's clock, or None for the model's own.
        timeout: seconds of real time.
    """

    program: Path
    cpu: str
    megahertz: float | None = None
    timeout: float = 900.0


@dataclass(frozen=True, slots=True)
class Experiment:
    """One line that the program printed: how many iterations it did in how much time.

    Attributes:
        objects: the number of objects on the screen.
        iterations: the number of complete detections.
        microseconds: how long they took on the modelled machine.
        per_second: iterations a second.
    """

    objects: int
    iterations: int
    microseconds: int
    per_second: float


@dataclass(frozen=True, slots=True)
class VirtualRun:
    """What a program printed, and how the run went.

    Attributes:
        program: the application.
        cpu: the processor's name.
        model: the modelled processor, as a heading.
        megahertz: the clock rate of the modelled processor.
        lines: all that the program printed.
        experiments: the measurements among these lines.
        clock_calls: how often the program asked for the time.
        virtual_seconds: how long the modelled machine would have taken for the whole program.
        seconds: how long the run took in real time.
        assumptions: the assumptions of the model and of the clock that it drives.
    """

    program: Path
    cpu: str
    model: str
    megahertz: float
    lines: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    clock_calls: int
    virtual_seconds: float
    seconds: float
    assumptions: tuple[str, ...]


def run_in_virtual_time(
    request: VirtualRequest, on_progress: Callable[[RunProgress], None] = lambda progress: None
) -> VirtualRun:
    """Run a program with the clock of a cycle model, and read what it measured.

    Raises:
        UsageError: there is no model of the processor.
        ProgramError: the file is damaged, or no application.
        GuestError: the program did not end, or printed no measurement.
    """
    model = model_for(request.cpu)
    result = run_request(
        RunRequest(
            program=request.program,
            cpu=request.cpu,
            # Blocks of memory are not moved: a Macintosh with enough memory would not move code
            # either.
            settings=Settings(depth=1, timeout=request.timeout, scramble=False),
            clock="model",
            megahertz=request.megahertz,
        ),
        on_progress,
    )
    if result.problem:
        raise GuestError(f"{request.program.name} on the {request.cpu}: {result.problem}")
    lines = tuple(result.text.splitlines())
    experiments = read_experiments(lines)
    if not experiments:
        raise GuestError(
            f"{request.program.name} on the {request.cpu} printed no measurement, that is no line "
            "like '50 objects: 10200 in 30000000 us'"
        )
    return VirtualRun(
        program=request.program,
        cpu=request.cpu,
        model=model.title,
        megahertz=request.megahertz or model.megahertz,
        lines=lines,
        experiments=experiments,
        clock_calls=sum(result.calls.get(name, 0) for name in _CLOCK_ROUTINES),
        virtual_seconds=result.virtual_microseconds / 1e6,
        seconds=result.seconds,
        assumptions=(
            *model.assumptions(),
            f"Toolbox: {TOOLBOX_COSTS[CPUS[request.cpu].architecture].source.title}.",
        ),
    )


def read_experiments(lines: tuple[str, ...]) -> tuple[Experiment, ...]:
    """Find the measurements among the lines that a program has printed.

    A line whose time or number of iterations is 0 does not count.
    """
    found = [match for line in lines if (match := _EXPERIMENT.match(line))]
    numbers = [tuple(map(int, match.groups())) for match in found]
    return tuple(
        Experiment(objects, iterations, microseconds, iterations * 1e6 / microseconds)
        for objects, iterations, microseconds in numbers
        if iterations and microseconds
    )
