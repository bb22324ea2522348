"""The plan of a comparison: the objects that all systems are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.functions import call
from emu.base.yaml_document import YamlDocument, did_you_mean
from macproof import UsageError

PLAN = Path(__file__).with_name("compare.yaml")

_WORK = 2000  # objects in all scenes of one size, unless the number of scenes is given
_FEWEST, _MOST = 2, 20


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The objects, and when two of them collide.

    Attributes:
        make: the dotted name of the Python function that makes them.
        generators: kinds of scenes.
        objects: numbers of objects, ascending.
        object_size: side of every object in pixels.
        width: the width of the area in which corners lie, in pixels.
        height: its height in pixels.
        truth: the dotted name of a Python function that takes corners of shape
            (objects, 2) and returns for each object whether it collides.
        rule: in words, when two objects collide.
        scenes: how many scenes there are of each kind and number of objects; 0 for a number that
            falls with the number of objects.
        seed: the seed of the first scene.
    """

    make: str
    generators: tuple[str, ...]
    objects: tuple[int, ...]
    object_size: int
    width: int
    height: int
    truth: str
    rule: str
    scenes: int = 0
    seed: int = 0

    def scene_count(self, objects: int) -> int:
        """How many scenes there are with a number of objects."""
        return self.scenes or max(_FEWEST, min(_MOST, _WORK // max(objects, 1)))

    def corners(self, generator: str, objects: int) -> list[NDArray[np.int32]]:
        """The upper-left corners of the objects of each scene, in pixels, shape (objects, 2).

        Raises:
            UsageError: the function refuses, or returns something else.
        """
        groups = []
        for number in range(self.scene_count(objects)):
            seed = self.seed + number
            scene = call(
                self.make, None, generator, objects, seed, width=self.width, height=self.height
            )
            corners = np.asarray(getattr(scene, "corners", ()))
            if corners.shape != (objects, 2) or corners.dtype.kind not in "iu":
                raise UsageError(f"{self.make} returns no corners of {objects} objects")
            groups.append(corners)
        return groups


def read_plan(
    path: Path | None = None,
    *,
    generators: Sequence[str] = (),
    objects: Sequence[int] = (),
    scenes: int = 0,
    seed: int = 0,
) -> ComparisonPlan:
    """Read a plan, by default `PLAN`.

    Arguments that are given take the place of what the file says.

    Raises:
        CaseError: the file is wrong.
        UsageError: the plan has no such generator, or a scene would have no objects.
    """
    document = YamlDocument(path or PLAN, "a plan of scenes")
    document.check_by_file("posts.comparison:plan.schema.json")
    data = document.data
    for name in generators:
        if name not in data["generators"]:
            hint = did_you_mean(name, data["generators"])
            raise UsageError(f"there is no kind of scene {name}{hint}")
    if any(number < 1 for number in objects):
        raise UsageError("systems are compared on 1 object or more")
    return ComparisonPlan(
        make=data["make"],
        generators=tuple(dict.fromkeys(generators or data["generators"])),
        objects=tuple(sorted(set(objects or data["objects"]))),
        object_size=data["object_size"],
        width=data["width"],
        height=data["height"],
        truth=data["truth"],
        rule=data["rule"],
        scenes=scenes,
        seed=seed,
    )
