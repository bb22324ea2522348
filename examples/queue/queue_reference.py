"""What the queue has to do, in Python, and the calls to try it with."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

from macproof import simpler_numbers

ROOM = 5
# How often each operation is called in ten.
MIXTURES = {"any": (1, 5, 4), "filling": (0, 8, 2), "draining": (1, 3, 6)}
OPERATIONS = ("Clear", "Push", "Pop")


@dataclass(frozen=True)
class Script:
    """A scene: which routine is called each time, and what is pushed if it is Push.

    Attributes:
        operations: (n,) the names of the routines.
        entries: (n,) what is pushed; 0 for other calls.
    """

    operations: np.ndarray
    entries: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many calls."""
        return len(self.operations)

    def keep(self, indices: np.ndarray) -> Script:
        """Only some of the calls, for `macproof explain` to find the shortest script."""
        return replace(self, operations=self.operations[indices], entries=self.entries[indices])

    def simpler(self) -> Iterator[Script]:
        """The same calls with smaller entries."""
        for place, entry in enumerate(self.entries.tolist()):
            for less in simpler_numbers(entry):
                entries = self.entries.copy()
                entries[place] = less
                yield replace(self, entries=entries)


@dataclass(frozen=True)
class Answer:
    """The reference's answer.

    Attributes:
        results: what each call returns; None for Clear, which returns nothing.
    """

    results: list[int | None]


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Script:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(2 * objects).astype(np.int64)
    chances = np.repeat(OPERATIONS, MIXTURES[generator])
    operations = chances[words[:objects] % len(chances)]
    entries = np.where(operations == "Push", words[objects:] % 1000, 0)
    return Script(operations, entries, generator, seed)


def play(scene: Script) -> Answer:
    """A deque of limited length drops what is at its other end."""
    queue: deque[int] = deque(maxlen=ROOM)
    results: list[int | None] = []
    for operation, entry in zip(scene.operations, scene.entries.tolist(), strict=True):
        if operation == "Push":
            results.append(len(queue) == ROOM)
            queue.append(entry)
        elif operation == "Pop":
            results.append(queue.popleft() if queue else -1)
        else:
            results.append(None)
            queue.clear()
    return Answer(results)
