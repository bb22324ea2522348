"""What FadeStep has to do, in Python, and the palettes to try it on."""

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Palette:
    """A scene: colours, and by how much they get darker."""

    red: np.ndarray
    green: np.ndarray
    blue: np.ndarray
    amount: int
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many colours."""
        return len(self.red)

    def keep(self, indices: np.ndarray) -> "Palette":
        """The same with some of its colours only; `macproof explain` looks for the fewest."""
        parts = self.red[indices], self.green[indices], self.blue[indices]
        return replace(self, red=parts[0], green=parts[1], blue=parts[2])


def make_palette(generator: str, objects: int, seed: int, *, width: int, height: int) -> Palette:
    """The palette of a seed; raw words of PCG64 are the same on every machine."""
    words = np.random.PCG64(seed).random_raw(3 * objects + 1).astype(np.int64)
    amount = int(words[0] % 65536)
    parts = words[1:].reshape(3, objects) % 65536
    if generator == "near":  # parts that reach black just now, or just not
        parts = np.clip(amount + parts % 5 - 2, 0, 65535)
    return Palette(*parts, amount, generator, seed)


@dataclass(frozen=True)
class Faded:
    """The answer."""

    red: np.ndarray
    green: np.ndarray
    blue: np.ndarray
    black: int


def fade(palette: Palette) -> Faded:
    """One step: every part is less by the amount, or 0."""
    parts = np.array([palette.red, palette.green, palette.blue])
    left = np.maximum(parts - palette.amount, 0)
    return Faded(*left, black=int(not left.any()))
