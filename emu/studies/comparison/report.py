"""The comparison as a report: the values of JSON schema ``macproof.systems-report/1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from emu.cases.programs import NotRun
from emu.machine.provenance import Provenance
from emu.studies.comparison.judge import AllRound, Best, Crossover
from emu.studies.comparison.measure import Cell

SCHEMA = "macproof.systems-report/1"


@dataclass(frozen=True, slots=True)
class ScenesOfAll:
    """The objects that all systems were given.

    Attributes:
        make: the Python function that made them.
        generators: kinds of scenes.
        objects: numbers of objects, ascending.
        object_size: the side of every object, in pixels.
        area: width and height of the area that corners lie in, in pixels.
        seed: of the first scene of each kind and number of objects.
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
    """What figures of a processor rest on.

    Attributes:
        model: the cycle model.
        megahertz: the clock.
    """

    model: str
    megahertz: float


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A program that was run.

    Attributes:
        compiled_for: the processor that it was compiled for.
        sha256: of its file.
        source_sha256: of its sources together.
        compiler: and its version.
        flags: given to the compiler.
        origin: where it came from, such as compiled or prebuilt.
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
        programs: by the processor that they were run on.
    """

    case: str
    programs: Mapping[str, ProgramRun]


@dataclass(frozen=True, slots=True)
class ComparedSystem:
    """A system, and what came of it in all scenes together.

    Attributes:
        name: the case's name.
        title: what tables call it.
        rule: when two objects collide, in words.
        own_rule: whether that is another rule than that of the others.
        defect: what is known to be wrong with it, or "".
        blind: why it is not asked who collides, or "".
        note: what else there is to know, or "".
        counts_tests: whether the program counts its tests itself.
        tells_who: whether the program's own memory tells who collides.
        can_be_chosen: whether it tells who collides and was right everywhere.
        has_setup: whether what it takes to set up is taken off the figures.
        timed: the form that is timed in its place, or null.
        forms: what was run; the second has more room.
        scenes: in how many scenes it was asked who collides.
        judged: how many objects they had.
        colliding: how many of those collide.
        judged_where_all_collide: objects in scenes where every object collides.
        missed: objects that collide and were not found.
        invented: objects that were found and do not collide.
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
    """With how many objects a call is quick enough.

    Attributes:
        how: "at", "more than" or "fewer than".
        objects: the number.
    """

    how: str
    objects: float


@dataclass(frozen=True, slots=True)
class ProcessorChoice:
    """Which systems are the best on a processor.

    Attributes:
        best: by kind of scenes, the best for each number of objects.
        crossovers: by kind of scenes, where one gives way to another.
        all_round: the one whose worst case is the best, or null.
        most_objects: by kind of scenes and system.
    """

    best: Mapping[str, Sequence[Best]]
    crossovers: Mapping[str, Sequence[Crossover]]
    all_round: AllRound | None
    most_objects: Mapping[str, Mapping[str, Room]]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which systems are the best.

    Attributes:
        close: systems whose cycles exceed the fewest by this part are as good.
        rate: calls in a second for which it is told how many objects there can be.
        eligible: the systems that can be chosen.
        by_processor: the best ones of them.
    """

    close: float
    rate: int
    eligible: Sequence[str]
    by_processor: Mapping[str, ProcessorChoice]


@dataclass(frozen=True, slots=True)
class ComparisonReport:
    """Collision systems on the same objects.

    Attributes:
        macproof: the version.
        verdict: agree, disagree or inconclusive.
        note: what is counted, and what is a model's.
        build: the build's name.
        scenes: the objects.
        processors: what was run on.
        systems: what took part.
        cells: what came of each system with each kind of scenes and number of objects.
        choice: which systems are the best.
        not_run: what was left out, and what systems cannot take.
        receipt: what the report rests on.
    """

    macproof: str
    verdict: str
    note: str
    build: str
    scenes: ScenesOfAll
    processors: Mapping[str, Processor]
    systems: Sequence[ComparedSystem]
    cells: Sequence[Cell]
    choice: Choice
    not_run: Sequence[NotRun]
    receipt: Provenance

    def title_of(self, system: str) -> str:
        """What tables call a system."""
        return next(one.title for one in self.systems if one.name == system)
