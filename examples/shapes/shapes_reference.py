"""What Drawing::Area has to give, in Python, and the drawings to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Drawing:
    """A scene: shapes, which are boxes and triangles by turns, and which of them are meant.

    Attributes:
        width: (n,) of the rectangles around the shapes, in pixels.
        height: (n,) likewise.
        sides: 4 for boxes, 3 for triangles, 0 for both, 5 for none.
    """

    width: np.ndarray
    height: np.ndarray
    sides: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many shapes."""
        return len(self.width)

    def keep(self, indices: np.ndarray) -> Drawing:
        """The same with some of the shapes only, for `macproof explain` to shrink a scene."""
        return replace(self, width=self.width[indices], height=self.height[indices])


@dataclass(frozen=True)
class Answer:
    """The reference's answer, in square pixels."""

    area: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Drawing:
    """The scene of a seed, the same on every machine."""
    drawn, *words = PCG64(seed).random_raw(1 + 2 * objects).tolist()
    most = 10_000 if generator == "large" else 100
    sizes = np.array([word % most for word in words], np.int64).reshape(2, objects)
    return Drawing(*sizes, (0, 3, 4, 5)[drawn % 4], generator, seed)


def area_of(scene: Drawing) -> Answer:
    """Of a triangle half of the rectangle around it."""
    area = 0
    for number, (width, height) in enumerate(
        zip(scene.width.tolist(), scene.height.tolist(), strict=True)
    ):
        sides = 3 if number % 2 else 4
        if scene.sides in (0, sides):
            area += width * height // (2 if number % 2 else 1)
    return Answer(area)
