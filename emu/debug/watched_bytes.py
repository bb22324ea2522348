"""Bytes of guest memory that are watched: what they were, and what they are now."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from emu.debug.requests import Watchpoint
from emu.debug.stops import WatchHit
from emu.machine.engine.hooks.instruction_counter import WatchedWord
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
        self._watchpoints = watchpoints
        self._bytes = [self._read(watched) for watched in watchpoints]

    def change(self, routine: str) -> WatchHit | None:
        """The first watched bytes that have changed since this was asked last; None for none.

        Args:
            routine: the routine of the Toolbox that has changed them; "" for the program.
        """
        old, self._bytes = self._bytes, [self._read(watched) for watched in self._watchpoints]
        for watched, before, after in zip(self._watchpoints, old, self._bytes, strict=True):
            if before != after:
                return WatchHit(watched.address, before, after, routine)
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


def words_of(watchpoint: Watchpoint) -> int:
    """How many of the counter's watched words a watchpoint takes."""
    first = watchpoint.address & -_WORD
    return -(-(watchpoint.address + watchpoint.size - first) // _WORD)
