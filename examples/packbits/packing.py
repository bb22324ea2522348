"""What PackBytes has to do, in Python, and the bytes to try it on."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64

MOST = 128  # bytes of a run or of a literal that one count byte stands for


@dataclass(frozen=True)
class Pieces:
    """A scene: a byte and how often it comes, again and again."""

    values: tuple[int, ...]
    times: tuple[int, ...]
    generator: str
    seed: int

    def __post_init__(self) -> None:
        """Refuse what is no byte, and what comes not at all or too often for a test."""
        if not all(0 <= one < 256 for one in self.values):
            raise ValueError(f"the values {self.values} are not all bytes")
        if not all(0 < n <= 3 * MOST for n in self.times):
            raise ValueError(f"a byte comes 1 to {3 * MOST} times, and not {self.times}")

    @property
    def objects(self) -> int:
        """How many pieces."""
        return len(self.values)

    @property
    def unpacked(self) -> bytes:
        """All of them, one after another."""
        return b"".join(bytes([one]) * n for one, n in zip(self.values, self.times, strict=True))

    @property
    def length(self) -> int:
        """How many bytes they are."""
        return sum(self.times)

    def keep(self, indices: np.ndarray) -> Pieces:
        """The same with some of the pieces only, for `macproof explain` to shrink a scene."""
        values = tuple(self.values[i] for i in indices)
        return Pieces(values, tuple(self.times[i] for i in indices), self.generator, self.seed)


@dataclass(frozen=True)
class Packed:
    """The reference's answer."""

    packed: bytes
    size: int
    length: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Pieces:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(2 * objects).reshape(2, objects).tolist()
    times = [1 + word % {"mixed": 5, "runs": 30}.get(generator, 1) for word in words[1]]
    if generator == "long":  # as many as one count byte stands for, or more
        times = [MOST * (1 + word % 2) + word // 2 % 5 - 2 for word in words[1]]
    return Pieces(tuple(word % 256 for word in words[0]), tuple(times), generator, seed)


def pack(scene: Pieces) -> Packed:
    """Runs of three to 128 bytes, and literals of up to 128 bytes between them."""
    parts: list[tuple[bool, bytes]] = []  # whether it is a run, and its bytes
    for _, group in itertools.groupby(scene.unpacked):
        same = bytes(group)
        for start in range(0, len(same), MOST):
            run = same[start : start + MOST]
            if len(run) > 2:
                parts.append((True, run))
            elif parts and not parts[-1][0]:
                parts[-1] = False, parts[-1][1] + run
            else:
                parts.append((False, run))
    packed = b"".join(_packed(*part) for part in parts)
    return Packed(packed, len(packed), len(scene.unpacked))


def _packed(is_run: bool, data: bytes) -> bytes:
    if is_run:
        return bytes([257 - len(data), data[0]])
    pieces = [data[start : start + MOST] for start in range(0, len(data), MOST)]
    return b"".join(bytes([len(piece) - 1]) + piece for piece in pieces)
