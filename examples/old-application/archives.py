"""Bytes to try the checksum on. What it has to be, the old application says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Bytes:
    """A scene: bytes, the sum of those before them, and how many came before."""

    bytes: np.ndarray
    sum: int
    before: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many bytes."""
        return len(self.bytes)

    def keep(self, indices: np.ndarray) -> Bytes:
        """The same with some of the bytes only, for `macproof explain` to shrink a scene."""
        return Bytes(self.bytes[indices], self.sum, self.before, self.generator, self.seed)


def make_bytes(generator: str, objects: int, seed: int, *, width: int, height: int) -> Bytes:
    """The scene of a seed."""
    words = PCG64(seed).random_raw(objects + 2)
    return Bytes(words[2:] % 256, int(words[0] % 65536), int(words[1] % 10**9), generator, seed)
