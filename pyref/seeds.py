"""Starts NumPy's PCG64 from a seed, with the hashing of many seeds done at once.

``PCG64(seed)`` hashes the seed with :class:`numpy.random.SeedSequence`, which takes as long as some
thousand random numbers. Scenes of a run have seeds that follow one another, so the seeds of a block
are hashed together here, by the same integer arithmetic in arrays, and the block is kept. What
:func:`pcg64` gives is bit for bit what ``PCG64(seed)`` is; the tests hold one against the other.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.random import PCG64
from numpy.random.bit_generator import ISeedSequence
from numpy.typing import NDArray

_BLOCK = 256  # seeds; twice as many take nearly twice as long
_BLOCKS_KEPT = 16
_POOL = 4  # words of 32 bits
_WORDS = 4  # of 64 bits, which PCG64 asks for

# The constants of SeedSequence, whose stream NumPy guarantees.
_MIX, _MIX_FACTOR = 0x43B0D7E5, 0x931E8875
_OUTPUT, _OUTPUT_FACTOR = 0x8B51F9DD, 0x58F38DED
_LEFT, _RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
_HALF = np.uint32(16)

_Hashes: TypeAlias = Iterator[tuple[np.uint32, np.uint32]]


def pcg64(seed: int) -> PCG64:
    """The same as ``PCG64(seed)``, 0 <= seed < 2**64, but its ``seed_seq`` cannot spawn others."""
    block, place = divmod(seed, _BLOCK)
    words = _Words(_block(block)[place])
    return PCG64(words)  # type: ignore[arg-type]  # any ISeedSequence will do


def seed_words(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What ``SeedSequence(seed).generate_state(4, np.uint64)`` is for each seed.

    Args:
        seeds: uint64 of shape ``(n,)``.

    Returns:
        uint64 of shape ``(n, 4)``.
    """
    halves = [seeds.astype(np.uint32), (seeds >> np.uint64(32)).astype(np.uint32)]
    halves += [np.zeros_like(halves[0])] * (_POOL - len(halves))
    hashes = _constants(_MIX, _MIX_FACTOR)
    pool = [_hashed(half, hashes) for half in halves]
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                mixed = _LEFT * pool[target] - _RIGHT * _hashed(pool[source], hashes)
                pool[target] = mixed ^ (mixed >> _HALF)
    hashes = _constants(_OUTPUT, _OUTPUT_FACTOR)
    words = [_hashed(pool[n % _POOL], hashes).astype(np.uint64) for n in range(2 * _WORDS)]
    return np.stack(words[::2], axis=1) | (np.stack(words[1::2], axis=1) << np.uint64(32))


class _Words(ISeedSequence):
    """Gives PCG64 the words to start from."""

    def __init__(self, words: NDArray[np.uint64]) -> None:
        self._words = words

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> NDArray[Any]:
        """The words.

        Raises:
            ValueError: another number or kind of words is asked for than PCG64 does.
        """
        if n_words != _WORDS or np.dtype(dtype) != np.uint64:
            raise ValueError(f"these are {_WORDS} words of 64 bits, which start a PCG64")
        return self._words


@functools.lru_cache(maxsize=_BLOCKS_KEPT)
def _block(number: int) -> NDArray[np.uint64]:
    words = seed_words(np.arange(_BLOCK, dtype=np.uint64) + np.uint64(number * _BLOCK))
    words.setflags(write=False)
    return words


def _constants(first: int, factor: int) -> _Hashes:
    """The constants that hashes use up one after the other, each with the one after it."""
    powers = [first * factor**power % 2**32 for power in range(_POOL * _POOL + 1)]
    return pairwise(map(np.uint32, powers))


def _hashed(values: NDArray[np.uint32], hashes: _Hashes) -> NDArray[np.uint32]:
    before, after = next(hashes)
    values = (values ^ before) * after
    return values ^ (values >> _HALF)
