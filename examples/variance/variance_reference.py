"""What Variance has to give, in Python, and the samples to try it on."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Samples:
    """A scene: at least one sample."""

    samples: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many samples."""
        return len(self.samples)

    def keep(self, indices: np.ndarray) -> Samples:
        """The same with some of the samples only, for `macproof explain` to shrink a scene."""
        return replace(self, samples=self.samples[indices])


@dataclass(frozen=True)
class Answer:
    """The reference's answer."""

    mean: float
    variance: float


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Samples:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(objects)
    samples = 1 + (words >> 12) / 2**52
    if generator == "spread":  # of very different sizes
        samples = np.ldexp(samples, (words % 60).astype(np.int32) - 30)
    return Samples(samples, generator, seed)


def variance(scene: Samples) -> Answer:
    """Rounded after each operation, as IEEE 754 has it."""
    samples = scene.samples.tolist()
    mean = sum_of(samples) / len(samples)
    return Answer(mean, sum_of([(one - mean) * (one - mean) for one in samples]) / len(samples))


def sum_of(numbers: list[float]) -> float:
    """One after another; Python's own sum is more exact from version 3.12 on."""
    total = 0.0
    for number in numbers:
        total += number
    return total
