"""What Pinned has to give, in Python, and the points and rectangles to try it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from macproof import simpler_numbers


@dataclass(frozen=True)
class Scene:
    """A point and a rectangle; they are one object."""

    v: int
    h: int
    top: int
    left: int
    bottom: int
    right: int
    generator: str
    seed: int
    objects: int = 1

    def keep(self, indices: np.ndarray) -> Scene:
        """There is nothing that a smaller scene could do without."""
        return self

    def simpler(self) -> Iterator[Scene]:
        """Scenes with numbers nearer to 0, moved as a whole or one number alone."""
        for number in simpler_numbers(self.v):
            by = number - self.v
            yield replace(self, v=number, top=self.top + by, bottom=self.bottom + by)
        for number in simpler_numbers(self.h):
            by = number - self.h
            yield replace(self, h=number, left=self.left + by, right=self.right + by)
        for name in ("v", "h", "top", "left", "bottom", "right"):
            for number in simpler_numbers(getattr(self, name)):
                yield replace(self, **{name: number})


@dataclass(frozen=True)
class Answer:
    """The reference's answer."""

    v: int
    h: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Scene:
    """The scene of a seed, the same on every machine."""
    words = [word % 4000 - 2000 for word in PCG64(seed).random_raw(6).tolist()]
    (top, bottom), (left, right) = sorted(words[:2]), sorted(words[2:4])
    v, h = words[4:]
    if generator == "edges":  # the pixels beside the edges
        v, h = (top, bottom)[v % 2] + v % 3 - 1, (left, right)[h % 2] + h % 3 - 1
    elif generator == "empty":
        bottom = top
    return Scene(v, h, top, left, bottom, right, generator, seed)


def pin(scene: Scene) -> Answer:
    """In an empty rectangle, its upper left corner."""
    v = max(min(scene.v, scene.bottom - 1), scene.top)
    return Answer(v, max(min(scene.h, scene.right - 1), scene.left))
