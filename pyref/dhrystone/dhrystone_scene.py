"""Scenes of Dhrystone: a number of runs, and the initial contents of the tables and texts.

The tables are zeros in the benchmark. In *varied* scenes they are random, so that every store into
them can be seen. In scenes with *other texts* the texts and the first record's variant and choice
are random too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyref.scene import check_origin
from pyref.streams import Stream

SMALL = 50  # numbers in the row, rows and columns of the table
GENERATORS = ("standard", "varied", "other-texts")

FIRST, SECOND, THIRD, FOURTH, FIFTH = range(5)
_LETTERS = 30  # the most letters of a text
_APART = 2**32 + 15  # makes the texts differ between numbers of runs
_COMPARED = 4  # letters that are compared even if a text is shorter
_PUBLISHED = (
    b"DHRYSTONE PROGRAM, SOME STRING",
    b"DHRYSTONE PROGRAM, 1'ST STRING",
    b"DHRYSTONE PROGRAM, 2'ND STRING",
)
_LARGEST = 1000  # the limit of initial numbers in a varied table


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """A scene: how often the work is done, and the initial data.

    Attributes:
        objects: the number of runs.
        generator: one of `GENERATORS`.
        seed: what the generator started from.
        row: int32 of shape (50,), the initial row of numbers.
        table: int32 of shape (50, 50), the initial table.
        texts: three texts: that of the first record, with 30 letters, and the two that are
            compared, with 4 to 30 letters. No letter is 0. The third letter of the second text and
            the fourth of the third differ.
        variant: the first record's variant, 0 to 2.
        choice: the first record's choice, 0 to 4.
    """

    objects: int
    generator: str
    seed: int
    row: NDArray[np.int32]
    table: NDArray[np.int32]
    texts: tuple[bytes, bytes, bytes] = _PUBLISHED
    variant: int = FIRST
    choice: int = THIRD

    @property
    def some_text(self) -> NDArray[np.int8]:
        """The first record's text, with its final zero."""
        return letters(self.texts[0])

    @property
    def first_text(self) -> NDArray[np.int8]:
        """The first of the compared texts, with its final zero."""
        return letters(self.texts[1])

    @property
    def second_text(self) -> NDArray[np.int8]:
        """The second of the compared texts, with its final zero."""
        return letters(self.texts[2])

    def keep(self, indices: ArrayLike) -> Runs:
        """The scene with as many runs as there are indices; all runs are alike."""
        return replace(self, objects=len(np.asarray(indices).reshape(-1)))


def make_scene(generator: str, objects: int, seed: int, *, width: int = 0, height: int = 0) -> Runs:
    """Make the scene of a number of runs.

    Args:
        generator: one of `GENERATORS`.
        objects: the number of runs.
        seed: 0 <= seed < 2**64; changes what varied tables hold.
        width: not used; there is no screen.
        height: not used.

    Raises:
        ValueError: there is no such generator, or a number is outside the limits.
    """
    check_origin(generator, seed, GENERATORS)
    if objects < 0:
        raise ValueError(f"{objects} runs: the number must not be negative")
    size = SMALL + SMALL * SMALL
    before = np.zeros(size, dtype=np.int32)
    stream = Stream(seed)
    if generator != "standard":
        before = stream.below(size, _LARGEST)[:, 0]
    scene = Runs(objects, generator, seed, before[:SMALL], before[SMALL:].reshape(SMALL, SMALL))
    if generator != "other-texts":
        return scene
    # Other texts for every number of runs, because there are few scenes of each number.
    stream = Stream((seed + _APART * objects) % 2**64)
    some = _random_letters(stream, _LETTERS)
    variant, choice = stream.below(1, 3, 5)[0].tolist()
    return replace(scene, texts=(some, *_two_texts(stream)), variant=variant, choice=choice)


def _random_letters(stream: Stream, count: int) -> bytes:
    """Letters from 1 to 255; those above 127 are negative on processors with signed char."""
    return bytes(1 + letter for letter in stream.below(count, 255)[:, 0].tolist())


def _two_texts(stream: Stream) -> tuple[bytes, bytes]:
    """Two texts to compare: equal, one letter apart, one a prefix of the other, or unrelated.

    "One letter apart" means that codes of one letter differ by 1, the smallest difference.
    """
    length, kind, place, other = stream.below(1, _LETTERS - _COMPARED, 5, 1000, 1000)[0].tolist()
    first = bytearray(_random_letters(stream, _COMPARED + 1 + length))
    first[3] = _another(first[2], other)
    second = bytearray(first)
    last = len(first) - 1
    if kind == 1:  # one letter apart
        at = _COMPARED + place % (last - _COMPARED + 1)
        first[at] = 2 + other % 253
        second = bytearray(first)
        second[at] += -1 if place % 2 else 1
        second[at + 1 :] = _random_letters(stream, last - at)
    elif kind == 2:
        del second[_COMPARED + place % (last - _COMPARED + 1) :]
    elif kind == 3:
        del first[_COMPARED + place % (last - _COMPARED + 1) :]
    elif kind == 4:
        second = bytearray(_random_letters(stream, _COMPARED + other % (_LETTERS - _COMPARED + 1)))
        second[3] = _another(first[2], place)
    return bytes(first), bytes(second)


def _another(letter: int, draw: int) -> int:
    """Any other letter; in a quarter of the draws the negative one, if char is signed."""
    if draw % 4 == 0 and letter != 128:
        return 256 - letter
    return (letter + draw % 254) % 255 + 1


def letters(text: bytes) -> NDArray[np.int8]:
    """A text with its final zero, as signed chars."""
    return np.frombuffer(text + b"\0", dtype=np.int8)
