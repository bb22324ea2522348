"""Which memory a changed call may access: the objects that recorded calls have accessed.

An index that runs out of its array reads what lies behind it, and does so in the old program and
in the new one, each in its own way. Such a call says nothing, so it is dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from emu.port.vary.inputs import Moment
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.block import header_form

_DEEPEST_FRAME = 0x10000
_LARGEST_VARIABLES = 0x400
"""So many bytes of the stack may lie untouched between two that a call accesses, or as many as in a
recorded call. What lies deeper was reached by an index that ran out of its array."""
_MOST_BLOCKS = 20_000


class Bounds:
    """Memory that calls of one function may access.

    Args:
        objects: variables, by their addresses.
        used: addresses that the code of the function and of what it calls names; the variables
            there may be accessed, too.
        code: where code is, which may be read.
        callee: the bytes from the stack pointer on that belong to the function.
    """

    def __init__(
        self,
        objects: Collection[range],
        used: Collection[int],
        code: Collection[range],
        callee: int,
    ) -> None:
        self._objects = sorted(objects, key=lambda part: part.start)
        self._code, self._callee = tuple(code), callee
        self._parts = {part for part in self._objects if any(at in part for at in used)}
        self._merged = np.zeros((0, 2), dtype=np.int64)
        self._gap = _LARGEST_VARIABLES

    def add(self, moment: Moment, accesses: NDArray[np.void]) -> None:
        """Take in what a recorded call has accessed, and the objects that it belongs to."""
        blocks: list[range] | None = None
        spans = _spans(accesses)
        self._gap = max(self._gap, int(_gaps(self._frame(moment, spans)).max(initial=0)))
        for start, end in spans[~self._is_own(moment, spans)].tolist():
            if _holds(self._parts, start):
                continue
            part = next((part for part in self._objects if start in part), None)
            if part is None:
                if blocks is None:
                    blocks = list(blocks_of(moment))
                part = next((block for block in blocks if start in block), None)
            whole = part if part is not None and part.stop >= end else range(start, end)
            self._parts.add(whole)
        self._merged = _merged(self._parts)

    def _is_own(self, moment: Moment, spans: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which accesses are to the function's own part of the stack, or to code."""
        first, last = spans[:, 0], spans[:, 1]
        frame = self._frame(moment, spans)
        (far,) = np.nonzero(_gaps(frame) > self._gap)
        deepest = frame[far[-1] + 1] if len(far) else moment.pointer - _DEEPEST_FRAME
        is_own: NDArray[np.bool_] = (first >= deepest) & (last <= moment.pointer + self._callee)
        for part in self._code:
            is_own |= (first >= part.start) & (last <= part.stop)
        return is_own

    def _frame(self, moment: Moment, spans: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where accesses to the stack below its pointer begin, and the pointer itself."""
        first, top = spans[:, 0], moment.pointer
        return np.append(first[(first >= top - _DEEPEST_FRAME) & (first < top)], top)

    def outside(self, moment: Moment, accesses: NDArray[np.void]) -> int | None:
        """The address of an access outside of all; None if there is none."""
        spans = _spans(accesses)
        spans = spans[~self._is_own(moment, spans)]
        index = np.searchsorted(self._merged[:, 0], spans[:, 0], side="right") - 1
        known = index >= 0
        known[known] &= spans[known, 1] <= self._merged[index[known], 1]
        return None if known.all() else int(spans[~known, 0][0])


def _spans(accesses: NDArray[np.void]) -> NDArray[np.int64]:
    """The first and the last address of each access, the last one excluded."""
    first = accesses["address"].astype(np.int64)
    return np.unique(np.stack([first, first + accesses["size"]], axis=1), axis=0)


def _gaps(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distances of places from those that follow them."""
    return places[1:] - places[:-1]


def _holds(parts: Iterable[range], address: int) -> bool:
    return any(address in part for part in parts)


def _merged(parts: Iterable[range]) -> NDArray[np.int64]:
    merged: list[list[int]] = []
    for part in sorted(parts, key=lambda part: part.start):
        if merged and part.start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], part.stop)
        else:
            merged.append([part.start, part.stop])
    return np.array(merged, dtype=np.int64).reshape(-1, 2)


def blocks_of(moment: Moment) -> Iterator[range]:
    """The contents of the blocks of the application's zone, as their headers say."""
    zone = _long(moment, LowMemory.APPLICATION_ZONE)
    form = header_form(has_24_bits=moment.read(LowMemory.ADDRESSING_MODE, 1) == b"\0")
    limit, at = _long(moment, zone), zone + form.zone_size  # bkLim is a zone's first member
    for _ in range(_MOST_BLOCKS):
        header = moment.read(at, form.size) if zone < at < limit else None
        if header is None:
            return
        tag, slack, size = form.fields(header)
        if size < form.size or size % form.alignment:
            return
        if tag:
            yield range(at + form.size, at + size - slack)
        at += size


def _long(moment: Moment, address: int) -> int:
    return int.from_bytes(moment.read(address, 4) or b"", "big")
