"""The program's own measurements, in the time of a machine of 1994.

A program that measures how often it can do something in half a minute is run on the clock of a
cycle model. It then prints what it would have printed on the modelled machine, as far as the model
is right; half a minute takes as long as it takes here.
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
from emu.runner.runner import Progress, RunRequest, run_request
from emu.toolbox.settings import Settings

QUICK_SECONDS = 3
"""How long an experiment is in the short form. On the PowerPC the program's clock has ticks of a
sixtieth of a second, so this is good to half a percent."""

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
    """One line of the program's: so many iterations in so much of its time.

    Attributes:
        objects: how many there were on the screen.
        iterations: complete detections.
        microseconds: of the modelled machine.
    """

    objects: int
    iterations: int
    microseconds: int

    @property
    def per_second(self) -> float:
        """Iterations a second."""
        return self.iterations * 1e6 / self.microseconds


@dataclass(frozen=True, slots=True)
class VirtualRun:
    """What a program printed in virtual time.

    Attributes:
        program: the application.
        cpu: the processor's name.
        model: what was modelled, as a heading.
        megahertz: the modelled clock.
        lines: all that the program printed.
        experiments: the lines that give a measurement.
        clock_calls: how often the program asked for the time.
        virtual_seconds: how long the modelled machine would have taken for the whole program.
        seconds: how long it took here.
        assumptions: what the model, and the clock made of it, take for granted.
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
    request: VirtualRequest, on_progress: Callable[[Progress], None] = lambda progress: None
) -> VirtualRun:
    """Run a program on the clock of a cycle model, and read what it has measured.

    Raises:
        UsageError: there is no model of the processor.
        ProgramError: the file is damaged, or no application.
        GuestError: the program did not come to its end, or printed no measurement.
    """
    model = model_for(request.cpu)
    result = run_request(
        RunRequest(
            program=request.program,
            cpu=request.cpu,
            # Its code stays where it is, as on a Macintosh with enough memory.
            settings=Settings(timeout=request.timeout, scramble=False),
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
    """The measurements among lines that a program has printed.

    A line whose time or number of iterations is 0 is none.
    """
    found = [match for line in lines if (match := _EXPERIMENT.match(line))]
    experiments = [Experiment(*(int(number) for number in match.groups())) for match in found]
    return tuple(e for e in experiments if e.iterations and e.microseconds)
