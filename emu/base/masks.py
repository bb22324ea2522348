"""Finds the rows of two arrays of bytes that differ in bits that matter."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_CACHED = 1 << 17  # bytes of rows that are compared at once, so that they stay in the cache


class Mask:
    """The bits of a row that matter.

    Most are in words of which all bits matter. Those are compared by `!=`, which takes a tenth of
    the time that a difference and a mask take.

    Args:
        bits: uint8 of shape ``(row size,)``.
    """

    def __init__(self, bits: NDArray[np.uint8]) -> None:
        self._size = len(bits)
        words = _words(bits)
        self._is_whole = words == np.iinfo(words.dtype).max
        self._parts = np.flatnonzero((words != 0) & ~self._is_whole)
        self._bits = words[self._parts]
        self._is_all_whole = bool(self._is_whole.all())

    def differing(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Which rows differ.

        Args:
            before: uint8 of shape ``(rows, row size)``.
            after: likewise.

        Returns:
            Shape ``(rows,)``.
        """
        first, second = _words(before), _words(after)
        rows = np.zeros(len(first), np.bool_)
        few = max(1, _CACHED // max(1, self._size))
        for start in range(0, len(first), few):
            part = slice(start, start + few)
            different = first[part] != second[part]
            if not self._is_all_whole:
                different &= self._is_whole
            if different.any():  # mostly nothing is, which a third of the time shows
                rows[part] = different.any(axis=1)
        if len(self._parts):
            changed = first[:, self._parts] ^ second[:, self._parts]
            rows |= ((changed & self._bits) != 0).any(axis=1)
        return rows


def _words(rows: NDArray[np.uint8]) -> NDArray[Any]:
    """Rows as words of eight bytes, of which the processor takes as many at once."""
    return rows.view(np.uint64) if rows.shape[-1] % 8 == 0 else rows


def same_bytes(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays have the same bytes."""
    size = first.dtype.itemsize
    pair = [np.ascontiguousarray(values).reshape(-1).view(np.uint8) for values in (first, second)]
    return np.asarray((pair[0] == pair[1]).reshape(*first.shape, size).all(axis=-1))
