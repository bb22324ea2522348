"""The parts of a case: what a scene must provide, what is observed and what is ignored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.functions import FAILURES, failed
from emu.cases.keys.arguments import Phrase
from emu.cases.keys.scene_name import SceneName
from emu.toolchain.builds import Build


class Scene(Protocol):
    """What macproof needs of a scene; `pyref.scene.Scene` is an example.

    A scene also has the numbers and arrays that its case's ``input`` names. If it can be drawn it
    has ``corners``, an array of integers of shape (objects, 2) with the objects' upper-left corners
    in pixels. If it is a dataclass with such a field, it can be shrunk by moving its objects.

    It may have a method ``simpler`` that gives simpler scenes with as many items, the simplest
    first: one with a shorter buffer, or with a number nearer to 0. ``macproof explain`` goes on
    from the first of them that still fails. `macproof.simpler_numbers` and
    `macproof.simpler_bytes` help to write it.
    """

    @property
    def objects(self) -> int:
        """How many items it has: objects on a screen, or steps of a script."""

    @property
    def generator(self) -> str:
        """The name of the generator that made the scene."""

    @property
    def seed(self) -> int:
        """The seed it was made from."""

    def keep(self, indices: NDArray[np.int64]) -> Scene:
        """Make a scene of the same class and origin with only these items, in this order.

        ``indices`` ascend. A ValueError means that no such scene exists, and so does a scene with
        another number of items.
        """


@dataclass(frozen=True, slots=True)
class ObservedVariable:
    """A guest variable, or a member of it, and what the reference says that it must be.

    Attributes:
        variable: the name of the global; ``*out`` is what the argument ``out`` points to, and
            ``return`` the result.
        member: the path to a member of a struct or of an array of structs ("bounds.top"); "" for
            the whole variable.
        phrase: the attribute of the reference's answer, and how it is read.
    """

    variable: str
    member: str
    phrase: Phrase

    @property
    def attribute(self) -> str:
        """The name of the attribute of the reference's answer."""
        return self.phrase.attribute


@dataclass(frozen=True, slots=True)
class CaseProof:
    """For which inputs the routine is proved, and to be what.

    Attributes:
        specification: the dotted name of a Python function (scene) that says what is right, on
            numbers as on terms; "" for the reference. Observed values that its answer lacks are
            not proved.
        generator: makes the scene whose numbers are replaced by symbols; "" for the case's first.
        objects: the number of objects of that scene; None for the least that is not 0.
        where: the least and the largest value of fields of the scene, by their names. Any other
            number has all values that its type has.
        fixed: fields of the scene that stay as they were made.
        rounds: how often a path may part at one instruction, which bounds loops.
    """

    specification: str = ""
    generator: str = ""
    objects: int | None = None
    where: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    fixed: tuple[str, ...] = ()
    rounds: int = 64


ALL_INPUTS = CaseProof()
"""Of a case that says nothing of proofs."""


@dataclass(frozen=True, slots=True)
class ScenePicture:
    """How a scene is drawn.

    Attributes:
        outline: names of observed arrays, as "variable" or "variable.member". With one name, object
            i is drawn as an outline if element i is not 0. With two names, elements i of both are
            the numbers of two objects that are drawn as outlines. Without a name no object is.
        object_size: side or diameter in pixels; or the name of the scene's attribute that holds it
            for each object; or the names of two attributes that hold widths and heights.
        shape: "square" or "circle".
        grid: the dotted name of a Python function (scene, answer) whose result is drawn in light
            grey below the outlines, or "". It returns rectangles (left, top, right, bottom) in
            pixels; all four edges belong to the rectangle, so left = right makes a vertical line.
        draw: the dotted name of a Python function (scene, answer) that draws everything in place of
            the others, or "". The answer has what is observed of the program or expected. The
            function returns uint8 of shape (height, width) for grey or (height, width, 3) for RGB.
    """

    outline: tuple[str, ...]
    object_size: int | str | tuple[str, str]
    shape: str = "square"
    grid: str = ""
    draw: str = ""


@dataclass(frozen=True, slots=True)
class ChosenCode:
    """For which processor the program is taken to be compiled whose speed was published.

    Attributes:
        cpu: the name of that processor.
        why: the reason for taking it, as a clause.
        since: when it was decided, and what was known then.
    """

    cpu: str
    why: str
    since: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Published figures of a routine's speed on one machine.

    Attributes:
        machine: the machine's name ("25 MHz 68040").
        cpu: the processor's name in `CPUS`.
        megahertz: the processor's clock.
        source: who published them, and where.
        calls_per_second: by number of objects.
        code: for which processor the program is taken to be compiled; None for its own.
    """

    machine: str
    cpu: str
    megahertz: float
    source: str
    calls_per_second: Mapping[int, float]
    code: ChosenCode | None = None


@dataclass(frozen=True, slots=True)
class CaseTiming:
    """Which scenes of a case are timed, and the figures that their times are compared with.

    Attributes:
        generator: the generator of the scenes that are timed.
        objects: the numbers of objects of these scenes.
        builds: further builds that are timed but not verified, by name.
        figures: published figures.
    """

    generator: str
    objects: tuple[int, ...]
    builds: Mapping[str, Build]
    figures: tuple[Figures, ...]


class InitialValue(StrEnum):
    """What a variable that is ignored holds when the routine is called."""

    KEPT = "kept"
    SCRATCH = "scratch"
    FRESH = "fresh"

    @property
    def words(self) -> str:
        """The value in words, as the end of a sentence whose subject is some variables."""
        return _BEGINNINGS[self]


_BEGINNINGS = {
    InitialValue.KEPT: "as loaded",
    InitialValue.SCRATCH: "filled like all other memory without input",
    InitialValue.FRESH: "as loaded; a call that finds what an earlier one has left was not tried",
}


@dataclass(frozen=True, slots=True)
class IgnoredVariable:
    """A variable that the routine may change and that is not compared.

    Attributes:
        variable: the name of a global, or of a static (Function::name); or "*work" for what the
            argument ``work`` points to.
        begins: what it holds when the routine is called.
    """

    variable: str
    begins: InitialValue = InitialValue.KEPT

    @property
    def is_own(self) -> bool:
        """Whether it is the program's own; what an argument points to is passed anew each time."""
        return not self.variable.startswith("*")


class OtherCountError(UsageError):
    """A scene has another number of items than it was asked for."""


def require_scene(scene: Any, objects: int, who: str, what: str) -> None:
    """Raise an error unless an object can be used as a scene with this number of items.

    Raises:
        UsageError: attributes are missing, or the number of items is wrong.
    """
    try:
        _require_attributes(scene, objects, who, what)
    except UsageError:
        raise
    except FAILURES as error:  # a property, or __getattr__, may be anybody's code
        raise failed(f"{who} for {what} a scene whose attributes cannot be read", error) from error


def _require_attributes(scene: Any, objects: int, who: str, what: str) -> None:
    wanted = ("objects", "generator", "seed", "keep")
    missing = [name for name in wanted if not hasattr(scene, name)]
    if missing:
        raise UsageError(f"{who} no scene for {what}: it has no {', no '.join(missing)}")
    if scene.objects != objects:
        raise OtherCountError(f"{who} {scene.objects} objects for {what}")
    shape = np.shape(scene.corners) if hasattr(scene, "corners") else (objects, 2)
    if shape != (objects, 2):
        raise UsageError(f"{who} corners of shape {shape} for {what}, not ({objects}, 2)")


def describe_scene(scene: Scene) -> str:
    """How a scene was made, for messages: its generator, number of objects and seed."""
    return str(SceneName(scene.generator, scene.objects, scene.seed))
