"""What a case is made of: the scene it needs, what it observes, its picture and its timing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.toolchain.builds import Build


class Scene(Protocol):
    """What macproof needs of a scene; `pyref.scene.Scene` is one.

    Beside these a scene has what its case's ``input`` names: numbers and arrays. One that can be
    drawn has ``corners``, integers of shape (objects, 2), the objects' upper-left corners in
    pixels; a dataclass with such a field can also be shrunk by moving its objects.
    """

    @property
    def objects(self) -> int:
        """How many items it has: objects on a screen, or steps of a script."""

    @property
    def generator(self) -> str:
        """How the scene was made."""

    @property
    def seed(self) -> int:
        """And from which seed."""

    def keep(self, indices: NDArray[np.int64]) -> Scene:
        """A scene of the same class and origin with these items alone, in this order.

        ``indices`` ascend. A ValueError says that there is no such scene.
        """


@dataclass(frozen=True, slots=True)
class Observed:
    """A guest variable, or one member of a struct array, and the reference's name for it."""

    variable: str
    member: str
    attribute: str


@dataclass(frozen=True, slots=True)
class Picture:
    """How a scene is drawn.

    Attributes:
        outline: names of observed arrays, as "variable" or "variable.member". One holds what is
            not 0 for objects drawn as outlines; two hold pairs of objects, both of them outlined.
            None: no object is.
        object_size: side or diameter in pixels, or the scene's attribute that holds them, or the
            two that hold widths and heights.
        shape: "square" or "circle".
        grid: the dotted Python function (scene, answer) that gives rectangles drawn in light
            grey below the outlines, or "". Each is (left, top, right, bottom) in whole pixels, its
            own included, so that one with an edge in common with itself is a line.
    """

    outline: tuple[str, ...]
    object_size: int | str | tuple[str, str]
    shape: str = "square"
    grid: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """Published figures of a routine's speed on one machine.

    Attributes:
        machine: in words ("25 MHz 68040").
        cpu: the processor's name in `CPUS`.
        megahertz: its clock.
        source: who published them, and where.
        calls_per_second: by number of objects.
    """

    machine: str
    cpu: str
    megahertz: float
    source: str
    calls_per_second: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Harness:
    """The application of a case that measures its own speed.

    Attributes:
        application: its name for ``macproof build --mac``.
        seconds: the preprocessor name that says how many seconds an experiment takes.
    """

    application: str
    seconds: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The original of a case, as it stands in a post that is not part of macproof.

    Attributes:
        begin: the line before it ("======= begin"); in a post the row of "=" may be longer or
            shorter, and blanks may follow.
        end: the line behind it, likewise.
        lines: how many lines it has.
        sha256: over its lines without the blanks at their ends, which mailers add and remove.
        file: the name of the file that it is written to.
    """

    begin: str
    end: str
    lines: int
    sha256: str
    file: str


@dataclass(frozen=True, slots=True)
class Timing:
    """Which scenes of a case are timed, and what their times are laid beside.

    Attributes:
        generator: makes the scenes that are timed.
        objects: numbers of objects.
        events: what the work consists of, in words, with the attribute of the reference's answer
            that says how often it happened.
        also: further events, which are shown and nothing more.
        builds: builds that are only timed, by name.
        figures: published figures.
        harness: the application that measures its own speed, or None.
    """

    generator: str
    objects: tuple[int, ...]
    events: Mapping[str, str]
    also: Mapping[str, str]
    builds: Mapping[str, Build]
    figures: tuple[Figures, ...]
    harness: Harness | None = None


@dataclass(frozen=True, slots=True)
class Contender:
    """How a case takes part where systems are compared on the same objects.

    Functions are dotted names of Python functions that take upper-left corners, int32 of shape
    (objects, 2).

    Attributes:
        title: what the system is called in tables and plots.
        scene: the function that gives a scene of the case with these objects.
        setup: the function that gives the same scene without the work that is compared, or "".
            What that takes is taken off.
        tests: the attribute of the reference's answer that counts tests of two objects.
        collided: the attribute that has something else than 0 for each object in a collision, as
            an array that may be longer than there are objects; or "".
        blind: why there is no such attribute, or "".
        truth: the function that tells who collides by the system's own rule, bool of shape
            (objects,); "" for the rule that most systems have.
        rule: that rule in words, or "".
        defect: why the system does not always find what its rule demands, or "".
        larger: the file beside this case's of one that stands in for it where it has no room for
            so many objects, or "". Its scenes and answers are alike.
        timed: the file beside this case's of one whose program is timed in place of this one's, or
            "". It has the same scenes and the same reference, and does less that is only there to
            be verified.
        programs_of: processors that run the programs of other processors.
        note: what else a reader has to know, or "".
    """

    title: str
    scene: str
    tests: str
    setup: str = ""
    collided: str = ""
    blind: str = ""
    truth: str = ""
    rule: str = ""
    defect: str = ""
    larger: str = ""
    timed: str = ""
    programs_of: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def functions(self) -> dict[str, str]:
        """The functions it names, by the keys of the case file."""
        named = {"scene": self.scene, "setup": self.setup, "truth": self.truth}
        return {key: dotted for key, dotted in named.items() if dotted}


def require_scene(scene: Any, objects: int, who: str, what: str) -> None:
    """Refuse what cannot be used as a scene of so many items.

    Raises:
        UsageError: with what it lacks, or has too much of.
    """
    wanted = ("objects", "generator", "seed", "keep")
    missing = [name for name in wanted if not hasattr(scene, name)]
    if missing:
        raise UsageError(f"{who} no scene for {what}: it has no {', no '.join(missing)}")
    if scene.objects != objects:
        raise UsageError(f"{who} {scene.objects} objects for {what}")
    shape = np.shape(getattr(scene, "corners", np.empty((objects, 2))))
    if shape != (objects, 2):
        raise UsageError(f"{who} corners of shape {shape} for {what}, not ({objects}, 2)")


def scene_words(scene: Scene) -> str:
    """How a scene was made, for messages."""
    return f"{scene.generator}, {scene.objects} objects, seed {scene.seed}"
