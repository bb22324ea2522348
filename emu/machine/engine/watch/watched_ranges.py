"""Tells when code reads or stores in some ranges of memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import unicorn
from unicorn import unicorn_const

_LONGEST = 16
"""Bytes of one access. The engine compares only where an access begins with the range of a hook."""


@dataclass(frozen=True, slots=True)
class WatchedRange:
    """Bytes from an address on, and whether stores are told of, too, or reads alone."""

    address: int
    size: int
    has_stores: bool


class WatchedRanges:
    """The ranges that are watched on an engine.

    As long as there is one, every access of the program takes the engine's slow way, which is 15 to
    28 times slower; Python is called for accesses near a range only. Instructions that Python
    executes in place of the engine are not seen, and neither is the Toolbox.

    Args:
        engine: the engine.
        on_access: called with a range while the instruction is executed that accesses it.
    """

    def __init__(self, engine: unicorn.Uc, on_access: Callable[[WatchedRange], None]) -> None:
        self._engine, self._on_access = engine, on_access
        self._ranges: tuple[WatchedRange, ...] = ()
        self._hooks: list[int] = []

    def set(self, ranges: Sequence[WatchedRange]) -> None:
        """Watch these, and no others; not while the engine runs."""
        if tuple(ranges) == self._ranges:
            return
        for hook in self._hooks:
            self._engine.hook_del(hook)
        self._ranges = tuple(ranges)
        self._hooks = [self._watch(watched) for watched in ranges]
        self._engine.ctl_flush_tb()  # translated code has accesses that call no hook

    def _watch(self, watched: WatchedRange) -> int:
        kinds = unicorn_const.UC_HOOK_MEM_READ
        if watched.has_stores:
            kinds |= unicorn_const.UC_HOOK_MEM_WRITE
        end = watched.address + watched.size
        hook: int = self._engine.hook_add(
            kinds, self._look, watched, max(watched.address - _LONGEST + 1, 0), end - 1
        )
        return hook

    def _look(
        self, uc: unicorn.Uc, kind: int, address: int, size: int, value: int, watched: WatchedRange
    ) -> None:
        if address + size > watched.address:
            self._on_access(watched)
