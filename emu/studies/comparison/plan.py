"""Which objects all systems are given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.base.functions import call
from emu.base.yaml_document import YamlDocument, check_against_schema, did_you_mean
from emu.cases.case import mac_sources

PLAN_FILE = "compare.yaml"

_WORK = 2000  # objects in all scenes of one size, if nobody says how many scenes
_FEWEST, _MOST = 2, 20


@dataclass(frozen=True, slots=True)
class Plan:
    """The objects, and when two of them collide.

    Attributes:
        make: the dotted Python function that makes them.
        generators: kinds of scenes.
        objects: numbers of objects, ascending.
        object_size: side of every object in pixels.
        width: of the area that corners lie in, in pixels.
        height: likewise.
        truth: the dotted Python function (corners) that tells who collides.
        rule: its rule in words.
        scenes: how many scenes of each kind and number of objects; 0 is fewer of larger ones.
        seed: of the first scene.
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
        """How many scenes there are with so many objects."""
        return self.scenes or max(_FEWEST, min(_MOST, _WORK // max(objects, 1)))

    def corners(self, generator: str, objects: int) -> list[NDArray[np.int32]]:
        """The upper-left corners of each scene's objects in pixels, shape (objects, 2).

        Raises:
            UsageError: the function refuses, or gives something else.
        """
        found = []
        for number in range(self.scene_count(objects)):
            seed = self.seed + number
            scene = call(
                self.make, None, generator, objects, seed, width=self.width, height=self.height
            )
            corners = np.asarray(getattr(scene, "corners", ()))
            if corners.shape != (objects, 2) or corners.dtype.kind not in "iu":
                raise UsageError(f"{self.make} gives no corners of {objects} objects")
            found.append(corners)
        return found


def read_plan(
    path: Path | None = None,
    *,
    generators: Sequence[str] = (),
    objects: Sequence[int] = (),
    scenes: int = 0,
    seed: int = 0,
) -> Plan:
    """The plan in a file, by default that of ``mac_src``, with some of it chosen otherwise.

    Raises:
        CaseError: the file is wrong.
        UsageError: it has no such generator, or a scene would have no objects.
    """
    document = YamlDocument(path or mac_sources() / PLAN_FILE, "a plan of scenes")
    schema = json.loads(
        resources.files("emu.studies.comparison").joinpath("plan.schema.json").read_text()
    )
    check_against_schema(document, schema)
    data = document.data
    for name in generators:
        if name not in data["generators"]:
            hint = did_you_mean(name, data["generators"])
            raise UsageError(f"there is no kind of scene {name}{hint}")
    if any(number < 1 for number in objects):
        raise UsageError("systems are compared on 1 object or more")
    return Plan(
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
