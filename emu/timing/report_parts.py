"""Parts of the report: what was timed, and what was counted and predicted of each program.

Times are in cycles of a call or in calls a second; ratios are predicted over published speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from emu.timing.comparison import Reason
from emu.timing.provenance import Footprint

ByObjects: TypeAlias = Mapping[int, float]
"""A number for each number of objects."""


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """The case that was timed.

    Attributes:
        name: its name.
        title: what it is about.
        credit: who wrote the original, and when; or "".
        file: the case file.
        sha256: the file's digest, as it was read.
        reference: the dotted name of the Python function that says what is right.
    """

    name: str
    title: str
    credit: str
    file: Path
    sha256: str
    reference: str


@dataclass(frozen=True, slots=True)
class TimedScenes:
    """The scenes that were counted.

    Attributes:
        generator: what made them.
        objects: the numbers of objects, ascending.
        of_each: how many scenes of each number.
        seed: of the first.
    """

    generator: str
    objects: tuple[int, ...]
    of_each: int
    seed: int


@dataclass(frozen=True, slots=True)
class EventCounts:
    """How often each event happens in a call, by number of objects and by the event's name.

    Attributes:
        fitted: events whose cost is fitted.
        also: further events.
    """

    fitted: Mapping[int, Mapping[str, float]]
    also: Mapping[int, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The cycle model of a processor.

    Attributes:
        title: what it models.
        megahertz: the clock of predicted speeds.
        assumptions: what it takes for granted, a sentence each.
    """

    title: str
    megahertz: float
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventCosts:
    """The cycles of a call taken apart by its events.

    Attributes:
        cycles_of_one: cycles of one event, by its name; empty if they cannot be told.
        errors: fitted cycles over given cycles, less 1.
        worst: the largest of these without its sign; 0 if there is no fit.
        spare_figures: how many more figures there are than costs; with 0 any figures would fit.
        problem: why there is no fit, or None.
    """

    cycles_of_one: Mapping[str, float]
    errors: ByObjects
    worst: float
    spare_figures: int
    problem: str | None


@dataclass(frozen=True, slots=True)
class PublishedSpeeds:
    """What was published of one machine.

    Attributes:
        machine: in words.
        cpu: its processor.
        megahertz: its clock.
        source: who published it, and where.
        per_second: calls in a second.
        cycles: of a call, which these speeds stand for.
        event_fit: the cycles by events.
    """

    machine: str
    cpu: str
    megahertz: float
    source: str
    per_second: ByObjects
    cycles: ByObjects
    event_fit: EventCosts


@dataclass(frozen=True, slots=True)
class TimedSize:
    """What a call takes with one number of objects; means over the scenes.

    Attributes:
        calls: how many calls were counted; every one was right.
        bytes_compared: in all calls, with what the reference demands.
        instructions: executed in a call.
        cycles: of a call, by the model.
        cycles_per_instruction: their ratio.
        per_second: calls in a second.
        mix: instructions of a call by mnemonic, the commonest first.
    """

    calls: int
    bytes_compared: int
    instructions: float
    cycles: float
    cycles_per_instruction: float
    per_second: float
    mix: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class BesidePublished:
    """A program's predicted speeds beside those published of one machine.

    Attributes:
        machine: which machine.
        ratios: predicted over published.
        scale: their geometric mean.
        shape_errors: each ratio over the scale, less 1.
        shape_rms: the root of the mean square of these; None for a single size, which has none.
        shape_worst: the largest of them without its sign; or None.
        errors_with_scale_of_smallest: the errors of all sizes but the smallest, with its ratio for
            a scale.
        implied_cycles_per_instruction: what the published speeds leave for each instruction.
        least_cycles_per_instruction: the fewest that the processor can do with.
        cannot_be: why the program cannot be what was timed; empty if it can.
    """

    machine: str
    ratios: ByObjects
    scale: float
    shape_errors: ByObjects
    shape_rms: float | None
    shape_worst: float | None
    errors_with_scale_of_smallest: ByObjects
    implied_cycles_per_instruction: ByObjects
    least_cycles_per_instruction: ByObjects
    cannot_be: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class ProgramTiming:
    """One program that was timed.

    Attributes:
        cpu: the processor.
        build: the build.
        source: what it was compiled from.
        file: the program.
        sha256: its digest.
        origin: "compiled", "cache", "prebuilt" or "given".
        compiler: the compiler's version line.
        flags: the flags that it was given.
        megahertz: the clock of predicted speeds.
        sizes: what a call takes, by number of objects.
        event_fit: the cycles by events.
        against: beside the published speeds of each machine with this processor.
        footprint: how much memory a call needs, and whether the caches hold it.
        cycles_by_kind_of_source: the part of the cycles that rests on each kind of source.
    """

    cpu: str
    build: str
    source: str
    file: Path
    sha256: str
    origin: str
    compiler: str
    flags: tuple[str, ...]
    megahertz: float
    sizes: Mapping[int, TimedSize]
    event_fit: EventCosts
    against: tuple[BesidePublished, ...]
    footprint: Footprint
    cycles_by_kind_of_source: Mapping[str, float]

    def beside(self, machine: str) -> BesidePublished | None:
        """This program beside one machine; None if they have no size in common."""
        return next((one for one in self.against if one.machine == machine), None)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What it takes to have the same again.

    Attributes:
        command: the command line.
        programs: where the programs came from, in words.
        macproof: its version.
        python: Python's version.
        numpy: NumPy's version.
        engine: the engine and its version.
        seconds: how long it took.
    """

    command: tuple[str, ...]
    programs: str
    macproof: str
    python: str
    numpy: str
    engine: str
    seconds: float
