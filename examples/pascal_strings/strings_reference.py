"""What Append has to do, in Python, and the strings to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64

LONGEST = 255


@dataclass(frozen=True)
class Texts:
    """A scene: a text, and the characters that come behind it."""

    text: str
    more: str
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many characters are to be put behind."""
        return len(self.more)

    def keep(self, indices: np.ndarray) -> Texts:
        """The same with some of the characters only, for `macproof explain` to shrink a scene."""
        return replace(self, more="".join(self.more[i] for i in indices))


@dataclass(frozen=True)
class Joined:
    """The reference's answer."""

    joined: str


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Texts:
    """The scene of a seed, the same on every machine."""
    drawn, *words = PCG64(seed).random_raw(1 + LONGEST + objects).tolist()
    letters = "".join(chr(ord("a") + word % 26) for word in words)
    length = drawn % (LONGEST + 1)
    if generator == "full":  # the last characters just find room, or just not
        length = min(max(LONGEST - objects + drawn % 5 - 2, 0), LONGEST)
    return Texts(letters[:length], letters[LONGEST:], generator, seed)


def append(scene: Texts) -> Joined:
    """Both texts, up to 255 characters."""
    return Joined((scene.text + scene.more)[:LONGEST])
