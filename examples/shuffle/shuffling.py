"""What Shuffle has to do, in Python, and the cards and seeds to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

MODULUS = 2**31 - 1


@dataclass(frozen=True)
class Cards:
    """A scene: cards in their order, and the seed of the guest's random numbers."""

    cards: np.ndarray
    random_seed: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many cards."""
        return len(self.cards)

    def keep(self, indices: np.ndarray) -> Cards:
        """The same with some of the cards only, for `macproof explain` to shrink a scene."""
        return replace(self, cards=self.cards[indices])


@dataclass(frozen=True)
class Shuffled:
    """The reference's answer."""

    shuffled: list[int]
    next_seed: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Cards:
    """The scene of a seed, the same on every machine."""
    drawn = int(PCG64(seed).random_raw())
    random_seed = 1 + drawn % (MODULUS - 1)
    if generator == "wrapping":  # seeds at either end
        random_seed = 1 + drawn % 10 if drawn >> 32 & 1 else MODULUS - 1 - drawn % 10
    return Cards(np.arange(objects), random_seed, generator, seed)


def shuffle(scene: Cards) -> Shuffled:
    """From the last card to the second."""
    cards, seed = scene.cards.tolist(), scene.random_seed
    for count in range(len(cards), 1, -1):
        seed = seed * 16807 % MODULUS
        other = seed % 65536 % count
        cards[count - 1], cards[other] = cards[other], cards[count - 1]
    return Shuffled(cards, seed)
