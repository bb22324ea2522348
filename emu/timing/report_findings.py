"""Parts of the report: what is laid beside the predictions, and what follows from that."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from emu.timing.report_parts import ByObjects


@dataclass(frozen=True, slots=True)
class Choice:
    """The build that was fixed in advance as the one to judge by.

    Attributes:
        build: its name.
        why: how it was fixed, as a clause.
        is_here: whether it is among the programs.
    """

    build: str
    why: str
    is_here: bool


@dataclass(frozen=True, slots=True)
class PredictedRatio:
    """How much faster the same build is predicted to be on one machine than on another.

    Attributes:
        build: the build.
        source: what it was compiled from.
        ratios: by number of objects.
    """

    build: str
    source: str
    ratios: ByObjects


@dataclass(frozen=True, slots=True)
class MachineRatio:
    """How much faster one machine is than another.

    Attributes:
        faster: the one machine.
        slower: the other.
        published: the ratio of their published speeds.
        predicted: those of predictions, for builds that both have.
    """

    faster: str
    slower: str
    published: ByObjects
    predicted: tuple[PredictedRatio, ...]


@dataclass(frozen=True, slots=True)
class NearestShape:
    """The program with the smallest shape error, ``shape_rms``."""

    build: str
    source: str
    shape_rms: float


@dataclass(frozen=True, slots=True)
class NearestScale:
    """The program whose ``scale`` is nearest to 1."""

    build: str
    source: str
    scale: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The programs that come nearest to a machine, which nobody knew before looking.

    Attributes:
        machine: the machine.
        nearest_shape: in shape; None for a single size.
        nearest_scale: in scale.
    """

    machine: str
    nearest_shape: NearestShape | None
    nearest_scale: NearestScale


@dataclass(frozen=True, slots=True)
class ModelChange:
    """What becomes of a prediction if one thing in the model is changed.

    Attributes:
        what: the change, in words.
        cycles: the cycles then, over those before.
        scale: of the ratios then; None without published speeds.
        shape_rms: their shape error; None too for a single size.
        shape_worst: the worst of it; likewise.
    """

    what: str
    cycles: float
    scale: float | None
    shape_rms: float | None
    shape_worst: float | None


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How much a program's prediction depends on what the model takes for granted.

    Attributes:
        cpu: the program's processor.
        build: its build.
        source: what it was compiled from.
        machine: beside whose published speeds; or None.
        changes: one for each thing changed.
    """

    cpu: str
    build: str
    source: str
    machine: str | None
    changes: tuple[ModelChange, ...]


@dataclass(frozen=True, slots=True)
class SourceShare:
    """The part of predicted cycles that rests on one source.

    Attributes:
        kind: what kind of source: a manual, a measurement, an assumption.
        title: the source.
        share: the part, as 1.
    """

    kind: str
    title: str
    share: float


@dataclass(frozen=True, slots=True)
class LoopTiming:
    """A loop whose time on a real machine is known.

    Attributes:
        cpu: the processor.
        name: the loop's.
        code: it in assembly language.
        measured: clocks of one iteration.
        arithmetic: how these follow from what was published.
        source: who measured.
        predicted: clocks by the model.
        ratio: predicted over measured.
        checks: whether it checks the model; no number of it was set by this loop.
        remark: why it checks nothing, or "".
    """

    cpu: str
    name: str
    code: str
    measured: float
    arithmetic: str
    source: str
    predicted: float
    ratio: float
    checks: bool
    remark: str


@dataclass(frozen=True, slots=True)
class MeasuredSpeeds:
    """Speeds that a user measured on a machine.

    Attributes:
        machine: in words.
        cpu: its processor; None if that is not known, or not among those that were timed.
        file: where the times are from.
        per_second: calls in a second.
        note: what is to be known about them, as a sentence; or None.
    """

    machine: str
    cpu: str | None
    file: Path
    per_second: ByObjects
    note: str | None


@dataclass(frozen=True, slots=True)
class HarnessExperiment:
    """One line that the program printed about itself.

    Attributes:
        objects: how many there were.
        iterations: complete calls.
        microseconds: that they took, of the modelled machine.
        per_second: calls in a second.
    """

    objects: int
    iterations: int
    microseconds: int
    per_second: float


@dataclass(frozen=True, slots=True)
class HarnessTiming:
    """A program that measured itself in virtual time.

    Attributes:
        cpu: the processor.
        build: the build.
        source: what it was compiled from.
        megahertz: the modelled clock.
        is_quick: whether its experiments were shortened.
        lines: what it printed.
        experiments: the measurements in it.
        clock_calls: how often it asked for the time.
        virtual_seconds: how long it ran, by its own clock.
        seconds: how long that took here.
        assumptions: what the model and its clock take for granted, a sentence each.
    """

    cpu: str
    build: str
    source: str
    megahertz: float
    is_quick: bool
    lines: tuple[str, ...]
    experiments: tuple[HarnessExperiment, ...]
    clock_calls: int
    virtual_seconds: float
    seconds: float
    assumptions: tuple[str, ...]
