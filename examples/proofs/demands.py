"""What smartAdd makes of the demands of two critters, in Python, and demands to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.random import PCG64

EITHER_WAY, AS_CALLER, NOT_AT_ALL = 0, 1, 2
NOBODY, FIRST, SECOND = 0, 1, 2


@dataclass(frozen=True)
class Demands:
    """What two critters answer when they are asked how they collide."""

    demand: int
    other: int
    generator: str
    seed: int
    objects: int = 2

    def keep(self, indices: Sequence[int]) -> Demands:
        """The same: there are always two."""
        return self


@dataclass(frozen=True)
class Added:
    """Who is to call the other, and how many pairs were added whose demands disagree."""

    caller: int
    clashes: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Demands:
    """Any numbers, or those that the book has names for: -1 to 2."""
    words = PCG64(seed).random_raw(2).tolist()
    few = generator == "known"
    demand, other = (w % 4 - 1 if few else w % 65536 - 32768 for w in words)
    return Demands(demand, other, generator, seed)


def smart_add(scene: Demands) -> Added:
    """As printed: the demand of the other counts only if it is to be left alone."""
    if NOT_AT_ALL in (scene.demand, scene.other):
        return Added(NOBODY, 0)
    caller = FIRST if scene.demand in (EITHER_WAY, AS_CALLER) else SECOND
    return Added(caller, int(scene.demand != -scene.other))
