"""What MapPoints has to do, in Python, and the matrices and points to try it on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from macproof import simpler_numbers

ONE = 1 << 16


@dataclass(frozen=True)
class Mapping:
    """A scene: a matrix and points, all in 65,536ths."""

    a: int
    b: int
    c: int
    d: int
    tx: int
    ty: int
    x: np.ndarray
    y: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many points."""
        return len(self.x)

    def keep(self, indices: np.ndarray) -> Mapping:
        """The same with some of the points only, for `macproof explain` to shrink a scene."""
        return replace(self, x=self.x[indices], y=self.y[indices])

    def simpler(self) -> Iterator[Mapping]:
        """Scenes with numbers nearer to 0."""
        for name in ("a", "b", "c", "d", "tx", "ty"):
            for number in simpler_numbers(getattr(self, name)):
                yield replace(self, **{name: number})
        for name in ("x", "y"):
            for place, value in enumerate(getattr(self, name).tolist()):
                for number in simpler_numbers(value):
                    values = getattr(self, name).copy()
                    values[place] = number
                    yield replace(self, **{name: values})


@dataclass(frozen=True)
class Mapped:
    """The reference's answer."""

    x: np.ndarray
    y: np.ndarray


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Mapping:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(6 + 2 * objects).astype(np.int64) & 0xFFFFFFFF
    x, y = words[6:].reshape(2, objects) % (200 * ONE) - 100 * ONE
    matrix = [int(word) % (20 * ONE) - 10 * ONE for word in words[:6]]
    if generator == "rotation":
        angle = math.tau * int(words[0]) / 2**32
        cosine, sine = round(math.cos(angle) * ONE), round(math.sin(angle) * ONE)
        matrix[:4] = cosine, sine, -sine, cosine
    elif generator == "halves":  # products that lie half-way between two Fixed numbers
        matrix[:4] = ONE // 2, -ONE // 2, ONE // 2, ONE // 2
        x, y = x | 1, y | 1
    return Mapping(*matrix, x, y, generator, seed)


def times(one: int, others: np.ndarray) -> np.ndarray:
    """Products, rounded to the nearest, a half upward."""
    return (one * others + ONE // 2) // ONE


def map_points(scene: Mapping) -> Mapped:
    """Every point by the matrix."""
    return Mapped(
        times(scene.a, scene.x) + times(scene.c, scene.y) + scene.tx,
        times(scene.b, scene.x) + times(scene.d, scene.y) + scene.ty,
    )
