"""Where code is shown that is not in memory yet.

A debugger looks at a routine before it sets a breakpoint there, also if its segment is loaded
later. Until then the segment has addresses at which no Macintosh has memory.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from emu.machine.memory.memory import MemoryRegion, page_ceiling, page_floor

UNLOADED = 0xC000_0000
"""Where the address 0 of a file lies that has code to be loaded. It is above all guest memory."""
_LIMIT = 0x1_0000_0000


@dataclass(frozen=True, slots=True)
class UnloadedSection:
    """A section's contents and the address at which they are shown."""

    address: int
    data: bytes


class UnloadedCode:
    """Reads code that is only in a file."""

    def __init__(self, sections: Iterable[UnloadedSection] = ()) -> None:
        self._sections = tuple(
            section for section in sections if UNLOADED <= section.address < _LIMIT
        )

    def read(self, address: int, size: int) -> bytes:
        """The bytes there, fewer at a section's end; none where no section is."""
        for section in self._sections:
            start = address - section.address
            if 0 <= start < len(section.data):
                return section.data[start : start + size]
        return b""

    def regions(self) -> tuple[MemoryRegion, ...]:
        """The memory in which they seem to lie."""
        if not any(section.data for section in self._sections):
            return ()
        start = page_floor(min(section.address for section in self._sections))
        end = page_ceiling(max(s.address + len(s.data) for s in self._sections))
        return (MemoryRegion("not loaded", start, min(end, _LIMIT) - start, True, True),)
