"""Parts of the timing report: the case, its scenes, and the predictions for each program.

Times are in cycles per call, speeds in calls per second. Ratios are predicted / published speed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from emu.machine.provenance import Provenance
from emu.report.file_digest import FileDigest
from emu.report.limits import FLAT
from emu.timing.provenance import Footprint
from emu.toolchain.builds import unlabelled
from emu.verify.report.receipt import CaseIdentity
from posts.timing.comparison import PublishedComparison
from posts.timing.fit import EventCosts

ByObjects: TypeAlias = Mapping[int, float]
"""A figure for each number of objects."""


@dataclass(frozen=True, slots=True)
class TimedCase:
    """The case that was timed.

    Attributes:
        identity: the case file as it was read.
        reference: the dotted name of the reference function.
    """

    identity: Annotated[CaseIdentity, FLAT]
    reference: str


@dataclass(frozen=True, slots=True)
class TimedScenes:
    """The scenes whose calls were counted.

    Attributes:
        generator: the name of the generator.
        objects: the numbers of objects, ascending.
        of_each: the number of scenes for each number of objects.
        seed: the seed of the first scene.
    """

    generator: str
    objects: tuple[int, ...]
    of_each: int
    seed: int


@dataclass(frozen=True, slots=True)
class EventCounts:
    """The mean number of each event per call, by number of objects, then by the event's name.

    Attributes:
        fitted: the events whose cost in cycles is fitted.
        also: events that are counted only.
    """

    fitted: Mapping[int, Mapping[str, float]]
    also: Mapping[int, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The cycle model of a processor.

    Attributes:
        title: the title of the model.
        megahertz: the clock of predicted speeds, in MHz.
        assumptions: the assumptions of the model, a sentence each.
    """

    title: str
    megahertz: float
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedSpeeds:
    """The published speeds of one machine.

    Attributes:
        machine: the name of the machine.
        cpu: the name of its processor.
        megahertz: its clock, in MHz.
        source: who published the speeds, and where.
        per_second: calls per second, by number of objects.
        cycles: cycles per call, computed from speed and clock, by number of objects.
        event_fit: the cost of each event, fitted to these cycles.
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
    """The predicted time of a call with one number of objects. Figures are means per call.

    Attributes:
        calls: the number of calls that were counted; all of them had right results.
        bytes_compared: the bytes of data memory compared with the reference, in all calls.
        instructions: the number of executed instructions.
        cycles: the cycles by the model.
        cycles_per_instruction: cycles / instructions.
        per_second: calls per second.
        mix: the number of executed instructions by mnemonic, the most frequent first.
    """

    calls: int
    bytes_compared: int
    instructions: float
    cycles: float
    cycles_per_instruction: float
    per_second: float
    mix: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ProgramTiming(FileDigest):
    """One program that was timed.

    Attributes:
        cpu: the name of the processor that executes it.
        code: the processor that the code is for, if that is another one; else "".
        build: the name of the build, with whose code it is if that is for another processor.
        source: the short name of its source.
        origin: "compiled", "cache", "prebuilt" or "given".
        compiler: the compiler's version line.
        flags: the compiler's flags.
        megahertz: the clock of predicted speeds, in MHz.
        sizes: the predicted times, by number of objects.
        event_fit: the cost of each event, fitted to the predicted cycles.
        against: the comparison with each machine that has this processor.
        footprint: the memory that a call uses, and whether the caches hold it.
        cycles_by_kind_of_source: the share of the cycles, from 0 to 1, by kind of price source.
    """

    cpu: str
    code: str
    build: str
    source: str
    origin: str
    compiler: str
    flags: tuple[str, ...]
    megahertz: float
    sizes: Mapping[int, TimedSize]
    event_fit: EventCosts
    against: tuple[PublishedComparison, ...]
    footprint: Footprint
    cycles_by_kind_of_source: Mapping[str, float]

    @property
    def plain_build(self) -> str:
        """The name of the build without whose code it is."""
        return unlabelled(self.build)

    def beside(self, machine: str) -> PublishedComparison | None:
        """The comparison with a machine; None if they have no number of objects in common."""
        return next(
            (comparison for comparison in self.against if comparison.machine == machine), None
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingReceipt(Provenance):
    """How to make the report again.

    Attributes:
        programs: where the programs came from, in words.
    """

    programs: str
