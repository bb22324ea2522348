"""The data of the JSON form ``macproof.systems-report/1`` of ``macproof compare``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.cases.programs.selection import Omission
from emu.machine.provenance import Provenance
from posts.comparison.judge import AllRound, BestSystem, Crossover
from posts.comparison.measure import SystemResult

SCHEMA = "macproof.systems-report/1"


@dataclass(frozen=True, slots=True)
class ScenesOfAll:
    """The objects that all systems were given.

    Attributes:
        make: the Python function that made them.
        generators: kinds of scenes.
        objects: numbers of objects, ascending.
        object_size: the side of every object, in pixels.
        area: width and height of the area in which corners lie, in pixels.
        seed: the seed of the first scene of each kind and number of objects.
        count: how many scenes of each kind there were, by number of objects.
        rule: when two objects collide, in words.
    """

    make: str
    generators: Sequence[str]
    objects: Sequence[int]
    object_size: int
    area: tuple[int, int]
    seed: int
    count: Mapping[int, int]
    rule: str


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor, as its cycles and speeds were predicted.

    Attributes:
        model: the title of the cycle model.
        megahertz: the clock.
        code: the processor that the code is for.
    """

    model: str
    megahertz: float
    code: str


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A program that was run.

    Attributes:
        compiled_for: the processor that it was compiled for.
        sha256: SHA-256 of the program's file.
        source_sha256: SHA-256 of all its sources together.
        compiler: the compiler and its version.
        flags: the flags given to the compiler.
        origin: where the program came from: compiled or prebuilt.
    """

    compiled_for: str
    sha256: str
    source_sha256: str
    compiler: str
    flags: Sequence[str]
    origin: str


@dataclass(frozen=True, slots=True)
class FormRun:
    """A form of a system.

    Attributes:
        case: the case's name.
        programs: the programs, by the processor that they were run on.
    """

    case: str
    programs: Mapping[str, ProgramRun]


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system, and its results in all scenes together.

    Attributes:
        name: the case's name.
        title: its name in tables.
        rule: when two objects collide, in words.
        own_rule: whether its rule differs from that of the other systems.
        defect: its known defect, or "".
        blind: why it is not asked which objects collide, or "".
        note: a further remark, or "".
        counts_tests: whether the program counts its tests itself.
        tells_who: whether the program's own memory tells which objects collide.
        can_be_chosen: whether it tells which objects collide and was right everywhere.
        has_setup: whether the cost of its set-up has been subtracted from the figures.
        timed: the form that is timed in its place, or null.
        forms: the forms that were run; the second has more room.
        scenes: in how many scenes it was asked which objects collide.
        judged: how many objects those scenes have.
        colliding: how many of those objects collide.
        judged_where_all_collide: how many objects are in scenes where every object collides.
        missed: how many objects collide and were not found.
        invented: how many objects were found and do not collide.
    """

    name: str
    title: str
    rule: str
    own_rule: bool
    defect: str
    blind: str
    note: str
    counts_tests: bool
    tells_who: bool
    can_be_chosen: bool
    has_setup: bool
    timed: FormRun | None
    forms: Sequence[FormRun]
    scenes: int
    judged: int
    colliding: int
    judged_where_all_collide: int
    missed: int
    invented: int

    @property
    def is_right(self) -> bool:
        """Whether it named exactly the objects that collide."""
        return not (self.missed or self.invented)


@dataclass(frozen=True, slots=True)
class Room:
    """The most objects with which a call is quick enough.

    Attributes:
        how: "at", "more than" or "fewer than".
        objects: the number of objects.
    """

    how: str
    objects: float


@dataclass(frozen=True, slots=True)
class ProcessorChoice:
    """Which systems are the best on a processor.

    Attributes:
        best: by kind of scenes, the best for each number of objects.
        crossovers: by kind of scenes, where the best system changes.
        all_round: the system whose worst case is the best, or null.
        most_objects: by kind of scenes and system, the most objects at ``BestSystems.rate``.
    """

    best: Mapping[str, Sequence[BestSystem]]
    crossovers: Mapping[str, Sequence[Crossover]]
    all_round: AllRound | None
    most_objects: Mapping[str, Mapping[str, Room]]


@dataclass(frozen=True, slots=True)
class BestSystems:
    """Which systems are the best.

    Attributes:
        close: systems whose cycles exceed the fewest by at most this fraction count as equally
            good.
        rate: the calls in a second for which ``most_objects`` is told.
        eligible: the systems that can be chosen.
        by_processor: the best of them, by processor.
    """

    close: float
    rate: int
    eligible: Sequence[str]
    by_processor: Mapping[str, ProcessorChoice]


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """A comparison of collision systems on the same objects.

    Attributes:
        macproof: the version of macproof.
        verdict: agree, disagree or inconclusive.
        note: a sentence that tells which figures are counted and which are predicted.
        build: the build's name.
        scenes: the objects.
        processors: the processors, by name.
        systems: the systems that took part.
        cells: the results by system, kind of scenes and number of objects.
        choice: which systems are the best.
        not_run: what was left out, and the scenes that systems refused.
        receipt: how to make the report again.
    """

    macproof: str
    verdict: str
    note: str
    build: str
    scenes: ScenesOfAll
    processors: Mapping[str, Processor]
    systems: Sequence[ComparedSystem]
    cells: Sequence[SystemResult]
    choice: BestSystems
    not_run: Sequence[Omission]
    receipt: Provenance

    def title_of(self, system: str) -> str:
        """The name of a system in tables."""
        return next(
            compared_system.title
            for compared_system in self.systems
            if compared_system.name == system
        )
