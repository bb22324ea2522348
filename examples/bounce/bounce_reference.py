"""What MoveBalls has to do, in Python, and the scenes to try it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64

ROOM_WIDTH = 512  # pixels


@dataclass(frozen=True)
class Balls:
    """A scene: where the balls are, and how far they go in one step."""

    x: np.ndarray
    dx: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many balls."""
        return len(self.x)

    def keep(self, indices: np.ndarray) -> Balls:
        """The same with some of the balls only, for `macproof explain` to shrink a scene."""
        return Balls(self.x[indices], self.dx[indices], self.generator, self.seed)


@dataclass(frozen=True)
class Moved:
    """The reference's answer."""

    x: np.ndarray
    dx: np.ndarray
    bounces: int
    moves: int  # how often the loop goes round: what the work consists of


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Balls:
    """The scene of a seed, the same on every machine: raw words of PCG64 alone are that."""
    words = PCG64(seed).random_raw(2 * objects).reshape(2, objects)
    dx = (words[1] % 41).astype(np.int64) - 20  # -20 .. 20
    if generator == "walls":  # the last pixels before either wall
        x = np.where(words[0] % 2 == 0, words[0] % 21, ROOM_WIDTH - 1 - words[0] % 21)
    else:
        x = words[0] % ROOM_WIDTH
    return Balls(x.astype(np.int64), dx, generator, seed)


def move_balls(scene: Balls) -> Moved:
    """One step of every ball."""
    x = scene.x + scene.dx
    left, right = x < 0, x >= ROOM_WIDTH
    turned = left | right
    x = np.where(left, -x, np.where(right, 2 * (ROOM_WIDTH - 1) - x, x))
    return Moved(x, np.where(turned, -scene.dx, scene.dx), int(turned.sum()), scene.objects)
