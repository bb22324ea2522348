"""Spans of memory: what some cover and others do not, and where two copies differ."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from emu.quickdraw.bitmap import Cells

Piece = tuple[int, bytes]
"""An address, and the bytes there."""
Span = tuple[int, int]
"""An address, and how many bytes there are."""


def pieces(spans: Iterable[tuple[int, int]], without: Iterable[tuple[int, int]]) -> list[range]:
    """Addresses that some spans of bytes cover and others do not, as ranges in their order."""
    hidden = joined(without)
    ends = [part.stop for part in hidden]
    found: list[range] = []
    for part in joined(spans):
        start = part.start
        at = bisect_right(ends, start)
        while at < len(hidden) and hidden[at].start < part.stop:
            if hidden[at].start > start:
                found.append(range(start, hidden[at].start))
            start = hidden[at].stop
            at += 1
        if start < part.stop:
            found.append(range(start, part.stop))
    return found


def joined(spans: Iterable[tuple[int, int]]) -> list[range]:
    """The addresses that spans cover, as ranges that do not touch each other, in their order."""
    joined: list[range] = []
    for start, size in sorted(spans):
        if size <= 0:
            continue
        if joined and start <= joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, start + size))
        else:
            joined.append(range(start, start + size))
    return joined


def changes(before: NDArray[np.uint8], after: NDArray[np.uint8], start: int) -> list[Span]:
    """Where memory has changed.

    Args:
        before: a copy of memory.
        after: what is there now.
        start: the address of the first byte.
    """
    if len(before) % 8:
        (differ,) = np.nonzero(before != after)
    else:
        (words,) = np.nonzero(before.view(np.uint64) != after.view(np.uint64))
        bytes_ = (words[:, np.newaxis] * 8 + np.arange(8)).ravel()
        differ = bytes_[before[bytes_] != after[bytes_]]
    return _runs(differ + start)


def cell_changes(before: Cells, after: Cells, start: int) -> list[Span]:
    """Where pixels have changed.

    Args:
        before: a copy of rows of cells.
        after: the cells themselves, in memory.
        start: the address of the first one.
    """
    rows, columns = np.nonzero(before.view(np.uint8) != after.view(np.uint8))
    return _runs(rows * after.strides[0] + columns + start)


def _runs(addresses: NDArray[np.int64]) -> list[Span]:
    """Addresses in their order as spans."""
    if not len(addresses):
        return []
    (last,) = np.nonzero(np.diff(addresses) > 1)
    starts = addresses[np.concatenate(([0], last + 1))]
    ends = addresses[np.concatenate((last, [len(addresses) - 1]))] + 1
    return list(zip(starts.tolist(), (ends - starts).tolist(), strict=True))
