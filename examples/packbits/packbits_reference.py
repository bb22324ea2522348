"""What UnpackBytes has to do, in Python, and the packed bytes to try it on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64

from macproof import simpler_bytes

MOST = 28  # bytes of a run or a literal here; the format allows 128
NOTHING = b"\x80"  # the count -128 stands for nothing


@dataclass(frozen=True)
class Packed:
    """A scene: runs and literals, each with its count byte."""

    pieces: tuple[bytes, ...]
    generator: str
    seed: int

    def __post_init__(self) -> None:
        """Refuse pieces that are neither, as `macproof fuzz` may make them."""
        for whole in self.pieces:
            piece = whole.removeprefix(NOTHING)
            count = piece[0] if piece else 128
            if len(piece) != (count + 2 if count < 128 else 2):
                raise ValueError(f"{whole.hex()} is neither a run nor a literal")

    @property
    def objects(self) -> int:
        """How many runs and literals."""
        return len(self.pieces)

    @property
    def packed(self) -> bytes:
        """All of them, one after another."""
        return b"".join(self.pieces)

    @property
    def length(self) -> int:
        """How many bytes they unpack to."""
        return len(unpack(self).unpacked)

    def keep(self, indices: np.ndarray) -> Packed:
        """The same with some of the pieces only, for `macproof explain` to shrink a scene."""
        return Packed(tuple(self.pieces[i] for i in indices), self.generator, self.seed)

    def simpler(self) -> Iterator[Packed]:
        """Scenes whose pieces are shorter, or have 0 in place of other bytes."""
        for place, whole in enumerate(self.pieces):
            piece = whole.removeprefix(NOTHING)
            head, count, content = whole[: -len(piece)], piece[0], piece[1:]
            if count < 128:
                shorter = [bytes([len(less) - 1]) + less for less in simpler_bytes(content) if less]
            else:
                shorter = [bytes([count + 1]) + content] if count < 255 else []
                shorter += [bytes([count, 0])] if content != b"\0" else []
            for less in [piece] * bool(head) + [head + less for less in shorter]:
                pieces = (*self.pieces[:place], less, *self.pieces[place + 1 :])
                yield Packed(pieces, self.generator, self.seed)


@dataclass(frozen=True)
class Unpacked:
    """The reference's answer."""

    unpacked: bytes
    consumed: int
    length: int


def make_scene(generator: str, objects: int, seed: int, *, width: int, height: int) -> Packed:
    """The scene of a seed, the same on every machine."""
    words = [int(word) for word in PCG64(seed).random_raw(objects * (MOST + 2))]
    pieces = []
    for number in range(objects):
        kind, length, *data = words[number * (MOST + 2) :][: MOST + 2]
        length = 1 + length % MOST
        content = bytes(word & 0xFF for word in data[:length])
        is_run = {"mixed": kind & 1, "runs": 1, "literals": 0}[generator]
        piece = bytes([length - 1]) + content
        if is_run and length > 1:
            piece = bytes([257 - length, content[0]])
        if generator == "mixed" and kind & 6 == 0:
            piece = NOTHING + piece
        pieces.append(piece)
    return Packed(tuple(pieces), generator, seed)


def unpack(scene: Packed) -> Unpacked:
    """Unpack all of them."""
    packed, found, place = scene.packed, b"", 0
    while place < len(packed):
        count = packed[place]
        place += 1
        if count < 128:
            found += packed[place : place + count + 1]
            place += count + 1
        elif count > 128:
            found += packed[place : place + 1] * (257 - count)
            place += 1
    return Unpacked(found, place, len(found))


def draw(scene: Packed, answer: Unpacked) -> np.ndarray:
    """The unpacked bytes as a picture of 64 pixels a row, each four wide and high; 1 is black."""
    bits = np.unpackbits(np.frombuffer(answer.unpacked, dtype=np.uint8))
    rows = np.zeros((max(1, -(-len(bits) // 64)), 64), dtype=np.uint8)
    rows.flat[: len(bits)] = bits
    return np.kron(255 - 255 * rows, np.ones((4, 4), dtype=np.uint8))
