"""Scenes with what the reference says of them, and with the memory that each call begins with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from emu.cases.case import Case
from emu.cases.parts import Scene
from emu.cases.scenes import scene_of
from emu.verify.answers import ask_reference
from emu.verify.fills import Donor, Fill, Preparation
from emu.verify.repeatable import require_repeatable
from emu.verify.verdicts import SceneSpec


@dataclass(frozen=True, slots=True)
class Scenes:
    """Scenes with equal numbers of objects, what the reference says of them, and memory for them.

    Several may be the same scene with other fills of memory.
    """

    specs: tuple[SceneSpec, ...]
    scenes: tuple[Scene, ...]
    references: tuple[Any, ...]
    preparations: tuple[Preparation, ...]
    inputs: tuple[bytes, ...]

    @classmethod
    def make(cls, case: Case, specs: Sequence[SceneSpec]) -> Scenes:
        """Make the scenes again, and ask the reference once for each.

        Raises:
            UsageError: one of the two refuses.
            CaseError: the reference changes a scene, or one of the two does otherwise each time.
        """
        known: dict[tuple[str, int, int], Donor] = {}
        found = [_answered(case, spec, known) for spec in specs]
        if specs:  # one of many: it is to cost nothing
            require_repeatable(case, specs[0], found[0].scene, found[0].answer)
        return cls(
            tuple(specs),
            tuple(one.scene for one in found),
            tuple(one.answer for one in found),
            tuple(_prepare(case, spec, known) for spec in specs),
            tuple(_digest(case, one.scene) for one in found),
        )

    @classmethod
    def of(cls, case: Case, scenes: Sequence[Scene]) -> Scenes:
        """Scenes that somebody else has made; the reference is asked. Memory is as loaded.

        Raises:
            UsageError: it refuses.
            CaseError: it changes a scene.
        """
        specs = tuple(SceneSpec(one.generator, one.objects, one.seed) for one in scenes)
        return cls(
            specs,
            tuple(scenes),
            tuple(ask_reference(case, scene) for scene in scenes),
            (Preparation(),) * len(scenes),
            tuple(_digest(case, scene) for scene in scenes),
        )

    def first(self, count: int) -> Scenes:
        """The first of them."""
        return Scenes(
            self.specs[:count],
            self.scenes[:count],
            self.references[:count],
            self.preparations[:count],
            self.inputs[:count],
        )


def prepare(case: Case, spec: SceneSpec) -> Preparation:
    """How memory is filled before a call.

    Raises:
        UsageError: it is to hold another scene's results, and there are none.
    """
    return _prepare(case, spec, {})


def _prepare(case: Case, spec: SceneSpec, known: dict[tuple[str, int, int], Donor]) -> Preparation:
    # The scene next to it, so that of two neighbours in a plan each can use the other's answer.
    other = replace(spec, seed=spec.seed ^ 1)
    donor = _answered(case, other, known) if spec.fill is Fill.STALE else None
    return Preparation(spec.fill, spec.seed // len(Fill), donor)


def _answered(case: Case, spec: SceneSpec, known: dict[tuple[str, int, int], Donor]) -> Donor:
    if spec.scene not in known:
        scene = scene_of(case, *spec.scene)
        known[spec.scene] = Donor(scene, ask_reference(case, scene))
    return known[spec.scene]


def _digest(case: Case, scene: Scene) -> bytes:
    """Of what a scene lays into memory: two scenes with one digest are one and the same test."""
    digest = hashlib.blake2b(repr(scene.objects).encode(), digest_size=8)
    for name in case.attributes:
        values = np.asarray(getattr(scene, name, 0))
        digest.update(f"{values.dtype}{values.shape}".encode())
        digest.update(values.tobytes())
    return digest.digest()
