"""Scenes and answers of the routine that changes itself."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any


@dataclass(frozen=True)
class Scene:
    """What the instruction is to return; in every fifth scene it is left alone."""

    generator: str
    objects: int
    seed: int

    @property
    def value(self) -> int:
        return 0 if self.seed % 5 == 0 else self.seed % 100 + 2

    def keep(self, indices: Any) -> Scene:
        return self


def make(generator: str, objects: int, seed: int, **more: int) -> Scene:
    return Scene(generator, objects, seed)


def reference(scene: Scene) -> SimpleNamespace:
    return SimpleNamespace(out=scene.value or 1)
