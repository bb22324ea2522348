"""How memory is filled before a call, wherever a routine has been promised nothing.

That is what the case observes, the ends of input arrays behind what a scene fills in, the whole
stack, and every register that carries nothing. A routine that reads any of it and comes to a
right result with one fill comes to a wrong one with another.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.cases.parts import Scene
from emu.machine import PLAIN, Surroundings, layout

_VARIANTS = 4
_MOST_REGISTERS = 256
_SMALL = 64


class Fill(StrEnum):
    """The ways of filling memory, in the order in which scenes take their turns."""

    LOADED = "loaded"
    POISON = "poison"
    NOISE = "noise"
    STALE = "stale"

    @property
    def words(self) -> str:
        """What memory then is, as the end of a sentence."""
        return _WORDS[self]


_WORDS = {
    Fill.LOADED: "as loaded",
    Fill.POISON: f"filled with 0x{layout.FILL:02X}",
    Fill.NOISE: "filled with random bytes",
    Fill.STALE: "as another scene's results had left it",
}


@dataclass(frozen=True, slots=True, eq=False)
class Donor:
    """The scene whose results a stale memory holds, and what the reference says of it."""

    scene: Scene
    answer: Any


@dataclass(frozen=True, slots=True, eq=False)
class Preparation:
    """How memory is made ready for one call.

    Attributes:
        fill: with what.
        variant: which of the random fills; any number.
        donor: whose results, if the fill is stale.
        inverted: whether every filled byte is turned into its complement. A byte that is the same
            after calls with both was written, or was no filled one.
    """

    fill: Fill = Fill.LOADED
    variant: int = 0
    donor: Donor | None = None
    inverted: bool = False

    def __post_init__(self) -> None:
        if (self.fill is Fill.STALE) != (self.donor is not None):
            raise ValueError("stale memory, and no other, has a donor")

    def pattern(self, size: int) -> NDArray[np.uint8]:
        """What poisoned or noisy memory holds, shape (size,)."""
        return _pattern(self.fill, self.variant % _VARIANTS, size)

    def surroundings(self, addresses: tuple[int, ...]) -> Surroundings:
        """The stack and the registers.

        Args:
            addresses: what pointers of the program may hold, for a stale stack to hold too.
        """
        if self.fill is Fill.LOADED:
            return PLAIN
        # Calls in equal surroundings share them, so that a machine makes their frames once.
        return _surroundings(self.fill, self.variant % _VARIANTS, addresses)


@functools.lru_cache(maxsize=64)
def _pattern(fill: Fill, variant: int, size: int) -> NDArray[np.uint8]:
    if fill is Fill.POISON:
        return np.full(size, layout.FILL, dtype=np.uint8)
    words = np.random.PCG64([variant, 1994]).random_raw(size // 8 + 1)
    return np.asarray(words).view(np.uint8)[:size]


@functools.lru_cache(maxsize=256)
def _surroundings(fill: Fill, variant: int, addresses: tuple[int, ...]) -> Surroundings:
    if fill is Fill.STALE:
        # Words that a routine may take for its own: pointers, indices, counts, flags.
        likely = np.array([*addresses, *range(-2, _SMALL)], dtype=np.int64).astype(">u4")
        drawn = np.random.PCG64([variant, 601]).random_raw(layout.STACK_SIZE // 4)
        words = likely[(drawn % len(likely)).astype(np.int64)]
        stack = words.view(np.uint8)
    else:
        stack = _pattern(fill, variant, layout.STACK_SIZE)
    return Surroundings(stack, stack[: 4 * _MOST_REGISTERS].view(">u4").astype(np.uint32))
