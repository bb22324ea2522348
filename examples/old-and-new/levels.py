"""Sounds to try the mixer on. What it has to do with them, the old program says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Levels:
    """A scene: the levels of a sound, and the volume from 0 to 64 to play it at."""

    levels: np.ndarray
    volume: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many levels."""
        return len(self.levels)

    def keep(self, indices: np.ndarray) -> Levels:
        """The same with some of the levels only, for `macproof explain` to shrink a scene."""
        return Levels(self.levels[indices], self.volume, self.generator, self.seed)


def make_levels(generator: str, objects: int, seed: int, *, width: int, height: int) -> Levels:
    """The scene of a seed: quiet levels, whose products fit 16 bits, or levels of any kind."""
    words = PCG64(seed).random_raw(objects + 1).astype(np.int64)
    most = 512 if generator == "quiet" else 32768
    return Levels(words[1:] % (2 * most) - most, int(words[0] % 65), generator, seed)
