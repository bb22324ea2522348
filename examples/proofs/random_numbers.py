"""What _RandScalar has to give, in Python, and seeds to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import PCG64


@dataclass(frozen=True)
class Draw:
    """The limit of a number, and the seed that it is drawn from."""

    limit: int
    random_seed: int
    generator: str
    seed: int
    objects: int = 1

    def keep(self, indices: Sequence[int]) -> Draw:
        """The same: there is nothing to leave out."""
        return self


@dataclass(frozen=True)
class Number:
    """The number, and the seed of the next one."""

    number: int
    next_seed: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Draw:
    """Any limit, and any seed."""
    limit, random_seed = PCG64(seed).random_raw(2).tolist()
    return Draw(limit % 32768, random_seed % 2**32, generator, seed)


def rand_scalar(scene: Draw) -> Number:
    """15 bits of the next seed, as a fraction of the limit."""
    seed = (scene.random_seed * 1103515245 + 12345) % 2**32
    return Number(scene.limit * (seed // 2**16 % 2**15) // 2**15, seed)
