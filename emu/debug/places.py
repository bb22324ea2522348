"""Memory of a program that is debugged, and where its segments lie."""

from __future__ import annotations

from emu.debug.requests import LoadedSegment
from emu.machine.memory.memory import MemoryRegion
from emu.toolbox.macintosh import Macintosh

_MOST = 1 << 20
"""The most bytes that are read at once."""


class DebuggedMemory:
    """Reads and writes guest memory for a debugger, and nothing that is not there.

    Args:
        mac: the Macintosh.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._memory = mac.engine.memory

    def regions(self) -> tuple[MemoryRegion, ...]:
        """The memory that the program sees."""
        return tuple(region for region in self._memory.regions if self._is_open(region))

    def _is_open(self, region: MemoryRegion) -> bool:
        return self._mac.guest.is_mapped(region.address, 1)

    def find(self, address: int) -> tuple[int, int]:
        """Where the byte at an address is, and how many bytes there are from there on: 0 if none.

        A processor with fewer than 32 address lines ignores the others, where nothing is mapped.
        """
        lines = (1 << self._mac.cpu.address_lines) - 1
        for place in (address, address & lines):
            region = self._memory.find(place)
            if region is not None and self._is_open(region):
                return place, region.end - place
        return address, 0

    def read(self, address: int, size: int) -> bytes:
        """The bytes from an address on, up to the end of the region there."""
        place, room = self.find(address)
        return self._memory.view(place, min(size, room, _MOST)).tobytes() if room else b""

    def write(self, address: int, data: bytes) -> str:
        """Store bytes; the problem in words, or ""."""
        place, room = self.find(address)
        if room < len(data):
            return f"there is no memory for {len(data)} bytes at 0x{address:08x}"
        self._memory.write(place, data)
        self._mac.engine.forget_code(place, len(data))
        return ""


def segments_of(mac: Macintosh) -> tuple[LoadedSegment, ...]:
    """The code and data of an application where they lie in memory now."""
    if mac.cpu.architecture == "powerpc":
        return tuple(
            LoadedSegment(region.name, region.address, region.size)
            for region in mac.layout.sections
        )
    segments = []
    for resource in mac.host.application.resources.of_type("CODE"):
        handle = mac.resources.loaded("CODE", resource.id)
        if resource.id and handle:
            place = mac.memory.address(handle)
            size = mac.memory.handle_size(handle)
            segments.append(LoadedSegment(f"CODE {resource.id}", place, size))
    start, end = mac.layout.globals_start, mac.layout.a5
    return (*segments, LoadedSegment("globals below A5", start, end - start))
