"""What QuickSort has to do, in Python, and the records to try it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Records:
    """A scene: records to be sorted."""

    key: np.ndarray
    number: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many records."""
        return len(self.key)

    @property
    def last(self) -> int:
        """The index of the last one."""
        return self.objects - 1

    def keep(self, indices: np.ndarray) -> Records:
        """The same with some of the records only, for `macproof explain` to shrink a scene."""
        return Records(self.key[indices], self.number[indices], self.generator, self.seed)


@dataclass(frozen=True)
class Sorted:
    """The reference's answer."""

    key: np.ndarray
    number: np.ndarray


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Records:
    """The scene of a seed, the same on every machine."""
    key = PCG64(seed).random_raw(objects).astype(np.int64) % 65536 - 32768
    if generator == "few":  # many records of the same key
        key = key % 4 - 2
    elif generator != "any":
        key = np.sort(key)[:: 1 if generator == "sorted" else -1]
    return Records(key, np.arange(objects), generator, seed)


def sort(scene: Records) -> Sorted:
    """By key, then by number."""
    records = sorted(zip(scene.key.tolist(), scene.number.tolist(), strict=True))
    return Sorted([key for key, _ in records], [number for _, number in records])
