"""Bytes of guest memory that are watched: what they were, what they are now, and their reads."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from emu.debug.requests import Watchpoint
from emu.debug.stops import WatchHit, WatchKind
from emu.machine.engine.hooks.instruction_counter import WatchedWord
from emu.machine.engine.hosted_engine import HostedEngine
from emu.machine.engine.watch.watched_ranges import WatchedRange
from emu.machine.memory.memory import GuestMemory

_WORD = 8


class WatchedBytes:
    """The watchpoints of one memory, with the bytes that were there when it was looked last.

    Args:
        memory: guest memory.
        watchpoints: what is watched; all of it lies in regions.
    """

    def __init__(self, memory: GuestMemory, watchpoints: Sequence[Watchpoint]) -> None:
        self._memory = memory
        self._watchpoints = [each for each in watchpoints if each.kind is not WatchKind.READS]
        self._bytes = [self._read(watched) for watched in self._watchpoints]

    def change(self, routine: str) -> WatchHit | None:
        """The first watched bytes that have changed since this was asked last; None for none.

        Args:
            routine: the routine of the Toolbox that has changed them; "" for the program.
        """
        old, self._bytes = self._bytes, [self._read(watched) for watched in self._watchpoints]
        for watched, before, after in zip(self._watchpoints, old, self._bytes, strict=True):
            if before != after:
                return WatchHit(watched.address, before, after, routine, watched.kind)
        return None

    def words(self) -> list[WatchedWord]:
        """What has to be compared before each instruction, with the bytes as they are now."""
        return [word for watched in self._watchpoints for word in self._words(watched)]

    def _words(self, watched: Watchpoint) -> list[WatchedWord]:
        memory, end = self._memory, watched.address + watched.size
        words = []
        for start in range(watched.address & -_WORD, end, _WORD):
            mask = bytes(
                0xFF if watched.address <= at < end else 0 for at in range(start, start + _WORD)
            )
            # A region is whole pages, so all eight bytes are there.
            data = memory.view(start, _WORD).tobytes()
            bits = int.from_bytes(mask, sys.byteorder)
            expected = int.from_bytes(data, sys.byteorder) & bits
            words.append(WatchedWord(memory.host_address(start), bits, expected))
        return words

    def _read(self, watched: Watchpoint) -> bytes:
        return self._memory.view(watched.address, watched.size).tobytes()


class WatchedReads:
    """The first access of the program to watched bytes, if reading them is watched.

    Args:
        engine: the program's engine.
        stop: stops it before the next instruction.
    """

    def __init__(self, engine: HostedEngine, stop: Callable[[], None]) -> None:
        self._memory, self._stop = engine.memory, stop
        self._ranges = engine.watch_ranges(self._on_access)
        self._accessed: WatchedRange | None = None

    def set(self, watchpoints: Sequence[Watchpoint]) -> None:
        """Watch those of these of which reads matter, and no others."""
        self._accessed = None
        self._ranges.set(
            [
                WatchedRange(each.address, each.size, each.kind is WatchKind.ACCESSES)
                for each in watchpoints
                if each.kind is not WatchKind.CHANGES
            ]
        )

    def take(self) -> WatchHit | None:
        """The access since this was asked last, with the bytes as they are now; None for none."""
        watched, self._accessed = self._accessed, None
        if watched is None:
            return None
        data = self._memory.view(watched.address, watched.size).tobytes()
        kind = WatchKind.ACCESSES if watched.has_stores else WatchKind.READS
        return WatchHit(watched.address, data, data, kind=kind)

    def _on_access(self, watched: WatchedRange) -> None:
        self._accessed = self._accessed or watched
        self._stop()


def words_of(watchpoint: Watchpoint) -> int:
    """How many of the counter's watched words a watchpoint takes."""
    first = watchpoint.address & -_WORD
    return -(-(watchpoint.address + watchpoint.size - first) // _WORD)
