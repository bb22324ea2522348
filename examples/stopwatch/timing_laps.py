"""What TimeLaps has to do, in Python, and the times to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

MOST_KEPT = 5
WRAP = 2**32


@dataclass(frozen=True)
class Race:
    """A scene: when the race begins, and how long each lap takes."""

    start: int
    laps: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many laps."""
        return len(self.laps)

    @property
    def ticks(self) -> list[int]:
        """What TickCount answers: at the start, and at the end of each lap."""
        return [(self.start + passed) % WRAP for passed in [0, *np.cumsum(self.laps).tolist()]]

    def keep(self, indices: np.ndarray) -> Race:
        """The same with some of the laps only, for `macproof explain` to shrink a scene."""
        return replace(self, laps=self.laps[indices])


@dataclass(frozen=True)
class Board:
    """The reference's answer."""

    best: list[int]

    @property
    def count(self) -> int:
        """How many laps are kept."""
        return len(self.best)


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Race:
    """The scene of a seed, the same on every machine."""
    start, *drawn = PCG64(seed).random_raw(objects + 1).tolist()
    laps = np.array([1000 + lap % 1000 for lap in drawn], dtype=np.int64)
    if generator == "midnight":  # the count of ticks begins again at 0 during the race
        return Race(WRAP - 1 - start % 3000, laps, generator, seed)
    return Race(start % 1_000_000, laps, generator, seed)


def time_laps(race: Race) -> Board:
    """The shortest laps, in their order."""
    return Board(sorted(race.laps.tolist())[:MOST_KEPT])
