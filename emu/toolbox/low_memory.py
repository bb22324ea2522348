"""Detects when a program writes to the system's low-memory globals."""

from __future__ import annotations

from collections.abc import Callable

from emu.toolbox.guest_access import GuestAccess
from emu.toolbox.layout import LOW_MEMORY_SIZE, LowMemory

_CLOCK = (
    slice(LowMemory.TICKS, LowMemory.TICKS + 4),
    slice(LowMemory.TIME, LowMemory.TIME + 4),
)

# Globals that applications may set, as Inside Macintosh says where it describes each.
_APPLICATIONS_OWN = (
    range(LowMemory.MEMORY_ERROR, LowMemory.MEMORY_ERROR + 2),
    range(LowMemory.SYSTEM_EVENT_MASK, LowMemory.SYSTEM_EVENT_MASK + 2),
    range(LowMemory.RESOURCE_LOAD, LowMemory.RESOURCE_LOAD + 2),
    range(LowMemory.RESOURCE_ERROR, LowMemory.RESOURCE_ERROR + 2),
    range(LowMemory.CURRENT_A5, LowMemory.CURRENT_A5 + 4),
    range(LowMemory.SCRATCH_20, LowMemory.SCRATCH_20 + 20),
    range(0xA06, 0xA0A),  # MBarHook, MBarEnable: documented as hooks for applications
    range(0xA78, 0xA84),  # ApplScratch
    range(0xA8C, 0xA96),  # ResumeProc and DAStrings
)


def first_of_the_system(address: int, size: int) -> int | None:
    """The first of some bytes that belongs to the system's globals; None if none does."""
    return next(
        (
            place
            for place in range(address, min(address + size, LOW_MEMORY_SIZE))
            if not any(place in own for own in _APPLICATIONS_OWN)
        ),
        None,
    )


class LowMemoryGuard:
    """At every call of a routine, compares low memory with what the Toolbox left there."""

    def __init__(self, guest: GuestAccess) -> None:
        self._memory = guest.memory.buffer[:LOW_MEMORY_SIZE].data
        self._accepted = bytearray(self._memory)
        self._guest = guest

    def accept(self) -> None:
        """Accept the present contents: the Toolbox has written them."""
        self._accepted[:] = self._memory

    def accept_time(self) -> None:
        """Accept new values of the globals that hold the time."""
        for place in _CLOCK:
            self._accepted[place] = self._memory[place]

    def check(self, report: Callable[[str, str], None]) -> None:
        """Report what the program has written since the last call of `accept`."""
        if self._accepted == self._memory:
            return
        changed = [
            address
            for address in range(LOW_MEMORY_SIZE)
            if self._accepted[address] != self._memory[address]
            and not any(address in own for own in _APPLICATIONS_OWN)
        ]
        if changed:
            first = changed[0]
            report(
                "low memory",
                f"the program wrote to low memory at 0x{first:04x}"
                + (f" and {len(changed) - 1} bytes more" if len(changed) > 1 else ""),
            )
        self.accept()
