"""Finds what calls of the Toolbox read and change, without comparing all memory each time.

Managers reach guest memory through methods that note it: stores, and areas such as pixels or a
heap's free space, of which a part is changed. So only these are compared. Whether a routine reaches
memory in another way is tried at its first calls and now and then; all memory is compared at every
call of one that does. Code of the program that a routine calls back notes nothing, so memory is
copied before it runs.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.machine.memory.memory import MemoryRegion
from emu.port.recording.spans import Piece, changes, pieces
from emu.toolbox.guest.guest_access import NotedAccesses
from emu.toolbox.macintosh import Call, Macintosh, Perform

_FIRST = 8
_EVERY = 64
"""At so many first calls of a routine, and at every so many-th one, all memory is compared."""
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
    """All memory before something that notes nothing; None if there was nothing such."""

    regions: dict[int, NDArray[np.uint8]] | None


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
        self._screen = (mac.layout.screen, mac.layout.screen_size)
        self._calls: Counter[str] = Counter()
        self._under_way: list[_Copy] = []
        self.unnoted: set[str] = set()
        mac.on_resume.append(self._copy_before_guest_code)

    def perform(self, perform: Perform, call: Call) -> MemoryAccesses:
        """Make a call.

        Args:
            perform: makes it.
            call: the call.
        """
        name = call[0].name
        self._calls[name] += 1
        number = self._calls[name]
        is_trial = name in self.unnoted or number <= _FIRST or not number % _EVERY
        copy = _Copy(self._copies() if is_trial else None)
        with self._noting() as noted:
            self._under_way.append(copy)
            try:
                result = perform(*call)
            finally:
                self._under_way.pop()
        written = [*noted.writes, *self._changed_areas(noted)]
        if copy.regions is not None:
            changed = [
                part
                for address, content in copy.regions.items()
                for part in changes(content, self._view(address, len(content)), address)
            ]
            if is_trial and pieces(changed, written):
                self.unnoted.add(name)
            written += changed
        spans = [(address, min(size, _MOST_READ)) for address, size in noted.reads]
        reads = (
            (part.start, content)
            for part in pieces(spans, noted.writes)
            if (content := self._before(copy, part)) is not None
        )
        return MemoryAccesses(result, tuple(reads), tuple(map(self._piece, pieces(written, ()))))

    @contextlib.contextmanager
    def _noting(self) -> Iterator[NotedAccesses]:
        with contextlib.ExitStack() as stack:
            noted = stack.enter_context(self._mac.guest.noting())

            def see(address: int, size: int) -> None:
                noted.areas.setdefault((address, size), self._view(address, size).copy())

            see(*self._screen)  # it is held by a manager
            for zone in self._mac.memory.zones:
                stack.enter_context(zone.space.noting(see))
            yield noted

    def _changed_areas(self, noted: NotedAccesses) -> Iterator[tuple[int, int]]:
        for (address, size), content in noted.areas.items():
            yield from changes(content, self._view(address, size), address)

    def _copy_before_guest_code(self) -> None:
        for copy in self._under_way:
            if copy.regions is None:
                copy.regions = self._copies()

    def _copies(self) -> dict[int, NDArray[np.uint8]]:
        return {r.address: self._view(r.address, r.size).copy() for r in self._regions}

    def _view(self, address: int, size: int) -> NDArray[np.uint8]:
        return self._memory.view(address, size)

    def _piece(self, part: range) -> Piece:
        return part.start, self._view(part.start, len(part)).tobytes()

    def _before(self, copy: _Copy, part: range) -> bytes | None:
        """Bytes as they were read; None if recordings do not keep them.

        What no store has changed since is there still.
        """
        for region in self._regions:
            if region.address <= part.start and part.stop <= region.end:
                if copy.regions is None:
                    return self._piece(part)[1]
                start = part.start - region.address
                return copy.regions[region.address][start : start + len(part)].tobytes()
        return None
