"""Parts of the timing report: comparisons of the predictions with known speeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from emu.cases.keys.parts import ChosenCode
from posts.timing.comparison import ModelChange


@dataclass(frozen=True, slots=True)
class ChosenBuild:
    """The build by which one machine's published speeds are judged.

    Attributes:
        cpu: the machine's processor.
        build: the name of the build, with whose code it is if that is for another processor.
        code: that processor, why its code was chosen, and when; null if it is the machine's own.
    """

    cpu: str
    build: str
    code: ChosenCode | None


@dataclass(frozen=True, slots=True)
class Choice:
    """The build that was chosen in advance to be judged by the targets.

    Attributes:
        build: the name of the build, without whose code it is.
        why: how it was chosen, as a clause.
        is_here: whether it is among the timed programs.
        by_machine: the same with its code, by the machine with published speeds.
    """

    build: str
    why: str
    is_here: bool
    by_machine: Mapping[str, ChosenBuild]

    def is_of(self, cpu: str, build: str) -> bool:
        """Whether a processor's build is the chosen one, of one of its machines or without any."""
        builds = [
            chosen_build.build
            for chosen_build in self.by_machine.values()
            if chosen_build.cpu == cpu
        ]
        return build in (builds or [self.build])


@dataclass(frozen=True, slots=True)
class NearestShape:
    """The program with the smallest shape error.

    Attributes:
        build: the name of the build.
        source: the short name of its source.
        shape_rms: its shape error, the root mean square.
    """

    build: str
    source: str
    shape_rms: float


@dataclass(frozen=True, slots=True)
class NearestScale:
    """The program whose scale is nearest to 1.

    Attributes:
        build: the name of the build.
        source: the short name of its source.
        scale: its scale: the geometric mean of predicted / published speed.
    """

    build: str
    source: str
    scale: float


@dataclass(frozen=True, slots=True)
class NearestPrograms:
    """The programs nearest to a machine's published speeds. They were found by comparing.

    Attributes:
        machine: the name of the machine.
        nearest_shape: the program nearest in shape; None if there is only one number of objects.
        nearest_scale: the program nearest in scale.
    """

    machine: str
    nearest_shape: NearestShape | None
    nearest_scale: NearestScale


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """How much the prediction of a program depends on assumptions of the model.

    Attributes:
        cpu: the name of the processor.
        build: the name of the build.
        source: the short name of its source.
        machine: the machine whose published speeds it is compared with; None if there is none.
        changes: one entry for each assumption that was changed.
    """

    cpu: str
    build: str
    source: str
    machine: str | None
    changes: tuple[ModelChange, ...]


@dataclass(frozen=True, slots=True)
class LoopTiming:
    """A loop whose time on a real machine is known.

    Attributes:
        cpu: the name of the processor.
        name: the name of the loop.
        code: the loop in assembly language.
        measured: the measured clocks per iteration.
        arithmetic: how these clocks were computed from the published figures.
        source: who measured it, and where it was published.
        predicted: the clocks per iteration by the model.
        ratio: predicted / measured.
        checks: whether the loop checks the model. It does not if a number of the model was taken
            from it, or if it times memory.
        remark: why it does not check the model; "" if it does.
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
