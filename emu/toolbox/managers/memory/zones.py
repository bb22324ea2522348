"""The heap zones: the application's, the system's, and those that a program makes with InitZone.

A zone may lie in a block of another one. It is gone when that block is disposed of.
Source: Inside Macintosh II, The Memory Manager (InitZone, SetZone, GetZone).
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.block import HeapOwner
from emu.toolbox.managers.memory.heap import Heap

_SPARE = 1 << 10
"""Bytes of the system's zone that are kept for master pointers."""


class Zones:
    """All zones.

    Args:
        guest: guest memory.
        application: the application's zone.
        system: the system's zone.
    """

    def __init__(self, guest: GuestAccess, application: Heap, system: Heap) -> None:
        self._guest = guest
        self._application = application
        self.system = system
        self._made = [system]

    def __iter__(self) -> Iterator[Heap]:
        yield self._application
        yield from self._made

    @property
    def current(self) -> Heap:
        """The zone that new blocks come from: the one of TheZone, or else the application's."""
        start = self._guest.u32(LowMemory.THE_ZONE)
        return next((zone for zone in self._made if zone.start == start), self._application)

    def for_block(self, size: int, *, of_system: bool = False) -> Heap:
        """The zone that a new block of a size comes from.

        On a Macintosh the system's zone grows. Here the application's is taken where it is full.

        Args:
            size: in bytes.
            of_system: whether the block is asked for in the system's zone, not the current one.
        """
        zone = self.system if of_system else self.current
        has_room = zone is not self.system or size + _SPARE <= zone.largest
        return zone if has_room else self._application

    def of_handle(self, handle: int) -> Heap:
        """The zone of a handle; the application's if it is none."""
        if handle in self._application.handles:
            return self._application
        return next((zone for zone in self._made if handle in zone.handles), self._application)

    def at(self, address: int) -> Heap:
        """The zone whose blocks hold an address: of zones inside one another the one made last."""
        application = self._application
        for zone in self._made:
            if zone.start < address < zone.end:
                application = zone
        return application

    def make(self, start: int, end: int, owner: HeapOwner, masters: int) -> Heap:
        """Make a zone of a piece of memory, and make it the current one."""
        self.forget(start, end)
        flagged = self._application.flags_in_masters
        zone = Heap(self._guest.memory, start, end, owner, masters, flags_in_masters=flagged)
        zone.more_masters()
        self._made.append(zone)
        self._guest.put32(LowMemory.THE_ZONE, start)
        return zone

    def forget(self, start: int, end: int) -> None:
        """Forget the zones that begin in a piece of memory which gets another use."""
        if len(self._made) > 1:
            self._made = [heap for heap in self._made if not start <= heap.start < end]
