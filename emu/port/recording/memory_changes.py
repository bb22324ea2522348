"""Finds what calls of the Toolbox read and change, without comparing all memory each time.

Managers reach guest memory through methods that note it: stores, and accesses of pixels or of a
heap's free space, of which a part is changed. So only these are compared. Whether a routine reaches
memory in another way is tried at its first calls and now and then; all memory is compared at every
call of one that does. Code of the program that a routine calls back notes nothing, so memory is
copied before it runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.memory import MemoryRegion
from emu.port.recording.spans import Piece, Span, cell_changes, changes, joined, pieces
from emu.toolbox.guest.guest_access import NotedAccesses
from emu.toolbox.macintosh import Call, Macintosh, Perform
from emu.toolbox.managers.memory.heap_space import HeapSpace

_RARER = 8
"""All memory is compared at so many first calls of a routine, and again when it has been called by
one part in so many more often."""
_MOST_READ = 4096


@dataclass(frozen=True, slots=True)
class MemoryAccesses:
    """What a call of the Toolbox did to memory.

    Attributes:
        result: the call's result.
        reads: what it read, and did not write before.
        writes: what it wrote or changed.
    """

    result: Any
    reads: tuple[Piece, ...]
    writes: tuple[Piece, ...]


@dataclass(slots=True)
class _Copy:
    """Memory as it was.

    Attributes:
        regions: all of it before something that notes nothing; None if there was nothing such.
        heap: what heaps have written to, before they did.
    """

    regions: dict[int, NDArray[np.uint8]] | None
    heap: list[tuple[int, NDArray[np.uint8]]] = field(default_factory=list)


class MemoryChanges:
    """Makes calls of the Toolbox, and tells what they do to memory.

    Args:
        mac: the Macintosh.
        regions: the memory that is looked at.

    Attributes:
        unnoted: the routines that change memory in a way that is not noted.
    """

    def __init__(self, mac: Macintosh, regions: Sequence[MemoryRegion]) -> None:
        self._mac, self._memory, self._regions = mac, mac.engine.memory, regions
        self._guest = mac.guest
        self._calls: Counter[str] = Counter()
        self._due: Counter[str] = Counter()
        self._under_way: list[_Copy] = []
        self._watched: list[HeapSpace] = []
        self.unnoted: set[str] = set()
        mac.on_resume.append(self._copy_before_guest_code)

    def perform(self, perform: Perform, call: Call) -> MemoryAccesses:
        """Make a call.

        Args:
            perform: makes it.
            call: the call.
        """
        name = call[0].name
        is_trial = self._is_trial(name)
        copy = _Copy(self._copies() if is_trial else None)
        self._watch_heap()
        with self._guest.noting() as noted:
            self._under_way.append(copy)
            try:
                result = perform(*call)
            finally:
                self._under_way.pop()
        written = [*noted.writes, *self._noted_changes(noted, copy)]
        if copy.regions is not None:
            changed = self._all_changes(copy.regions)
            if is_trial and pieces(changed, written):
                self.unnoted.add(name)
            written += changed
        spans = [(address, min(size, _MOST_READ)) for address, size in noted.reads]
        reads = (
            (part.start, content)
            for part in pieces(spans, noted.writes)
            if (content := self._before(copy, part)) is not None
        )
        return MemoryAccesses(result, tuple(reads), tuple(map(self._piece, joined(written))))

    def _is_trial(self, name: str) -> bool:
        """Whether all memory is compared at the next call of a routine."""
        self._calls[name] += 1
        number = self._calls[name]
        if number >= self._due[name]:
            self._due[name] = number + 1 + number // _RARER
            return True
        return name in self.unnoted

    def _watch_heap(self) -> None:
        """Copy what heaps are about to write to while calls are made: they change a part of it."""
        for zone in self._mac.memory.zones:
            if zone.space not in self._watched:
                self._watched.append(zone.space)
                zone.space.memory.note_writes(self._copy_heap)

    def _copy_heap(self, address: int, size: int) -> None:
        for copy in self._under_way:
            copy.heap.append((address, self._view(address, size).copy()))

    def _noted_changes(self, noted: NotedAccesses, copy: _Copy) -> Iterator[Span]:
        for address, content in copy.heap:
            yield from changes(content, self._view(address, len(content)), address)
        for cells, content in noted.cells:
            yield from cell_changes(content, cells, self._memory.guest_address(cells))

    def _all_changes(self, copies: dict[int, NDArray[np.uint8]]) -> list[Span]:
        return [
            span
            for address, content in copies.items()
            for span in changes(content, self._view(address, len(content)), address)
        ]

    def _copy_before_guest_code(self) -> None:
        for copy in self._under_way:
            if copy.regions is None:
                copy.regions = self._copies()

    def _copies(self) -> dict[int, NDArray[np.uint8]]:
        return {r.address: self._view(r.address, r.size).copy() for r in self._regions}

    def _view(self, address: int, size: int) -> NDArray[np.uint8]:
        return self._memory.view(address, size)

    def _piece(self, part: range) -> Piece:
        start = part.start - self._memory.base
        return part.start, bytes(self._guest.contents[start : start + len(part)])

    def _before(self, copy: _Copy, part: range) -> bytes | None:
        """Bytes as they were read; None if recordings do not keep them.

        What no store has changed since is there still, but in the heap: a routine reads a region,
        and then moves it, so that a heap has a new address of it and other bytes at the old one.
        """
        for region in self._regions:
            if region.address <= part.start and part.stop <= region.end:
                if copy.regions is not None:
                    start = part.start - region.address
                    return copy.regions[region.address][start : start + len(part)].tobytes()
                content = bytearray(self._piece(part)[1])
                for address, before in reversed(copy.heap):
                    first, end = max(part.start, address), min(part.stop, address + len(before))
                    if first < end:
                        old = before[first - address : end - address].tobytes()
                        content[first - part.start : end - part.start] = old
                return bytes(content)
        return None
