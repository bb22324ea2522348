"""What Expand has to do, in Python, and the packed bytes to try it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64


@dataclass(frozen=True)
class Items:
    """A scene: literal bytes (length 1), and repetitions of what came before.

    Attributes:
        literal: (n,) the bytes; of no meaning for a repetition.
        distance: (n,) how many bytes before this place the repeated ones begin, 1 to 4096.
        length: (n,) how many bytes, 1 or 3 to 18.
    """

    literal: np.ndarray
    distance: np.ndarray
    length: np.ndarray
    generator: str
    seed: int

    @property
    def objects(self) -> int:
        """How many items."""
        return len(self.length)

    def keep(self, indices: np.ndarray) -> Items:
        """The same with some of the items only, for `macproof explain` to shrink a scene."""
        kept = (array[indices] for array in (self.literal, self.distance, self.length))
        return valid(Items(*kept, self.generator, self.seed))

    @property
    def packed(self) -> bytes:
        """The items, each eight of them behind a byte of flags."""
        packed = b""
        for start in range(0, self.objects, 8):
            items = range(start, min(start + 8, self.objects))
            flags = sum(1 << n for n, item in enumerate(items) if self.length[item] == 1)
            packed += bytes([flags]) + b"".join(map(self._item, items))
        return packed

    @property
    def size(self) -> int:
        """How many bytes the packed items are."""
        return len(self.packed)

    def _item(self, index: int) -> bytes:
        if self.length[index] == 1:
            return bytes([self.literal[index]])
        distance = int(self.distance[index]) - 1
        return bytes([distance & 0xFF, distance >> 8 << 4 | int(self.length[index]) - 3])


@dataclass(frozen=True)
class Expanded:
    """The reference's answer."""

    expanded: bytes
    length: int


def valid(items: Items) -> Items:
    """The items, with every distance within what has been expanded before."""
    distance, length = items.distance.copy(), items.length.copy()
    if len(length):
        length[0] = 1  # there is nothing to repeat yet
    for index, before in enumerate(np.cumsum(length) - length):
        distance[index] = min(distance[index], max(before, 1))
    return Items(items.literal, distance, length, items.generator, items.seed)


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Items:
    """The scene of a seed, the same on every machine."""
    words = PCG64(seed).random_raw(4 * objects).reshape(4, objects)
    literal = (words[0] % 256).astype(np.int64)
    distance = (1 + words[1] % (4 if generator == "overlapping" else 4096)).astype(np.int64)
    length = (3 + words[2] % 16).astype(np.int64)
    is_literal = words[3] % 3 == 0 if generator != "literals" else words[3] >= 0
    return valid(Items(literal, distance, np.where(is_literal, 1, length), generator, seed))


def expand(scene: Items) -> Expanded:
    """Every item in turn; a repetition may overlap what it writes."""
    found: list[int] = []
    for literal, distance, length in zip(scene.literal, scene.distance, scene.length, strict=True):
        for _ in range(length):
            found.append(int(literal) if length == 1 else found[-distance])
    return Expanded(bytes(found), len(found))
