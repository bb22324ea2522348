"""The guard between heap and stack, which nobody may write.

A Macintosh has none: there the stack runs into the heap, and the system notices at the next tick
(system error 28), if the program comes that far. Here it is stopped at the store. Whatever a
program has at the end of its heap may be read on from, as Pascal programs do that copy all 256
bytes of a short string.
"""

from __future__ import annotations

from typing import Protocol

from emu.machine.memory.memory import PAGE
from emu.toolbox.guest.layout import GAP


class StorePermission(Protocol):
    """What decides about stores, page by page."""

    def allow_stores(self, pages: range, allowed: bool) -> None:
        """Let pages be stored into, or not."""


class StackGuard:
    """The pages behind the heap, as many as `GAP` has.

    Args:
        end: where the guard ends at first.

    Attributes:
        place: the addresses of the guard.
    """

    def __init__(self, end: int) -> None:
        self.place = range(end - GAP, end)
        self._permissions: list[StorePermission] = []

    def keep(self, permission: StorePermission) -> None:
        """Have it refuse stores into the guard from now on."""
        self._permissions.append(permission)
        permission.allow_stores(_pages(self.place), False)

    def move(self, start: int) -> None:
        """Put the guard behind a heap that ends there."""
        former, self.place = self.place, range(start, start + GAP)
        for permission in self._permissions:
            permission.allow_stores(_pages(former), True)
            permission.allow_stores(_pages(self.place), False)


def _pages(place: range) -> range:
    return range(place.start, place.stop, PAGE)
