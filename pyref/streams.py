"""Random integers for scenes, from the raw words of NumPy's PCG64.

The documentation of :class:`numpy.random.PCG64` guarantees the words of a seed, which the methods
of ``numpy.random.Generator`` do not have (NEP 19). Integer arithmetic turns them into numbers below
a bound, so that a seed gives the same numbers on every platform.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyref.seeds import pcg64

_HALF = np.uint64(32)  # bits of a word
_FEWEST = 512  # words that are drawn at once


class Stream:
    """Random integers below bounds, made from the raw words of PCG64 for a seed."""

    __slots__ = ("_bits", "seed")

    def __init__(self, seed: int) -> None:
        """Start the stream of `seed`, 0 <= seed < 2**64."""
        self.seed = seed
        self._bits = pcg64(seed)

    def below(self, rows: int, *bounds: int) -> NDArray[np.int32]:
        """Draw `rows` rows with one integer for each bound, from 0 to the bound less one.

        The formula is that of the 1994 program, ``max * r / (RAND_MAX + 1)`` cut to an integer, but
        r has the upper 32 bits of a word and not 15 bits. Words are used up row by row.

        Args:
            rows: how many rows.
            bounds: one exclusive upper limit for each column, at most 2**31.

        Returns:
            int32 of shape ``(rows, len(bounds))``.
        """
        return _below(self._bits.random_raw((rows, len(bounds))), bounds)


class Streams:
    """The streams of several seeds, which are drawn from together."""

    __slots__ = ("_at", "_seeds")

    def __init__(self, seeds: Sequence[int]) -> None:
        """Start the stream of each seed, 0 <= seed < 2**64."""
        self._seeds = seeds
        self._at = 0

    def below(self, rows: int, *bounds: int) -> NDArray[np.int32]:
        """What `Stream.below` draws of each stream; int32 of shape (seeds, rows, len(bounds))."""
        part = slice(self._at, self._at + rows * len(bounds))
        self._at = part.stop
        capacity = _FEWEST << max(0, (part.stop - 1) // _FEWEST).bit_length()
        words = np.empty((len(self._seeds), part.stop - part.start), dtype=np.uint64)
        for own, seed in zip(words, self._seeds, strict=True):
            own[:] = _first_words(seed, capacity)[part]
        return _below(words.reshape(len(words), rows, len(bounds)), bounds)


@functools.lru_cache(maxsize=1024)
def _first_words(seed: int, count: int) -> NDArray[np.uint64]:
    """The first words of a stream; kept, as scenes of all generators begin with the same seeds."""
    return np.asarray(pcg64(seed).random_raw(count))


def _below(words: NDArray[np.uint64], bounds: tuple[int, ...]) -> NDArray[np.int32]:
    return (((words >> _HALF) * _limits(bounds)) >> _HALF).astype(np.int32)


@functools.lru_cache(maxsize=64)
def _limits(bounds: tuple[int, ...]) -> NDArray[np.uint64]:
    return np.array(bounds, dtype=np.uint64)


AnyStream: TypeAlias = Stream | Streams
"""One stream, or several that are drawn from together, whose numbers have one axis more."""
