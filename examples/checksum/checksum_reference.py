"""What Checksum has to give, in Python, and the words to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Words:
    """A scene: words of 16 bits."""

    words: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many words."""
        return len(self.words)

    def keep(self, indices: np.ndarray) -> Words:
        """The same with some of the words only, for `macproof explain` to shrink a scene."""
        return replace(self, words=self.words[indices])


@dataclass(frozen=True)
class Answer:
    """The reference's answer."""

    checksum: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Words:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(objects).astype(np.int64) % 65536
    if generator == "large":  # nearly every addition carries
        words |= 0xFF00
    if generator == "twice" and objects:  # when the carries come in again, that carries too
        words[-1] = (0xFFFF - int(words[:-1].sum())) % 65536
    return Words(words, generator, seed)


def checksum(scene: Words) -> Answer:
    """The complement of the ones' complement sum (RFC 1071)."""
    total = sum(scene.words.tolist())
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return Answer(total ^ 0xFFFF)
