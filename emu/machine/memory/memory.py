"""Guest memory: one NumPy buffer, cut into regions with unmapped pages between them.

The engine maps the buffer itself. So the guest reads at once what Python writes here, and Python
reads at once what the guest writes; nothing is copied.
"""

from __future__ import annotations

import itertools
import mmap
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError

PAGE = 4096


def page_floor(address: int) -> int:
    """The first address of the page that holds ``address``."""
    return address & -PAGE


def page_ceiling(address: int) -> int:
    """The first page boundary at or above ``address``."""
    return -(-address // PAGE) * PAGE


@dataclass(frozen=True, slots=True)
class MemoryRegion:
    """Whole pages of guest memory with one set of permissions; every region can be read."""

    name: str
    address: int
    size: int
    writable: bool
    executable: bool

    @property
    def end(self) -> int:
        """The first address after the region."""
        return self.address + self.size

    def __contains__(self, address: int) -> bool:
        return self.address <= address < self.end


class GuestMemory:
    """The buffer and its regions.

    Args:
        regions: page-aligned, disjoint; whatever lies between them stays unmapped.
    """

    def __init__(self, regions: Iterable[MemoryRegion]) -> None:
        self.regions = tuple(sorted(regions, key=lambda r: r.address))
        for region in self.regions:
            if region.address % PAGE or region.size % PAGE:
                raise UsageError(f"region {region.name} is not made of whole pages")
        for before, after in itertools.pairwise(self.regions):
            if before.end > after.address:
                raise UsageError(f"regions {before.name} and {after.name} overlap")
        self.base = self.regions[0].address
        self._starts = [region.address for region in self.regions]
        # An anonymous mapping is page-aligned, as the engine demands, and costs no memory for
        # the gaps.
        self._mapping = mmap.mmap(
            -1, self.regions[-1].end - self.base, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        )
        self.buffer: NDArray[np.uint8] = np.frombuffer(self._mapping, dtype=np.uint8)
        self._start = int(self.buffer.ctypes.data) - self.base

    def region(self, name: str) -> MemoryRegion:
        """The region of that name, which has to be there."""
        return next(r for r in self.regions if r.name == name)

    def find_region(self, name: str) -> MemoryRegion | None:
        """The region of that name, or None if this memory has none, such as a heap."""
        return next((r for r in self.regions if r.name == name), None)

    def find(self, address: int) -> MemoryRegion | None:
        """The region that holds an address, or None where nothing is mapped."""
        at = bisect_right(self._starts, address) - 1
        return self.regions[at] if at >= 0 and address in self.regions[at] else None

    def host_address(self, address: int) -> int:
        """Where the byte at a guest address lies in this process."""
        return self._start + address

    def guest_address(self, array: NDArray[Any]) -> int:
        """The guest address of the first byte of a view of this memory."""
        return int(array.__array_interface__["data"][0]) - self.host_address(0)

    def view(self, address: int, size: int) -> NDArray[np.uint8]:
        """A writable view of ``size`` bytes at a guest address.

        Raises:
            UsageError: some of the bytes are not inside a region.
        """
        region = self.find(address)
        while region is not None and address + size > region.end:
            region = self.find(region.end)  # a piece of code may go on where data is, too
        if region is None:
            raise UsageError(f"guest memory 0x{address:08x}..0x{address + size:08x} is not mapped")
        start = address - self.base
        return self.buffer[start : start + size]

    def write(self, address: int, data: bytes) -> None:
        """Store bytes, also into regions the guest itself may not write."""
        self.view(address, len(data))[:] = np.frombuffer(data, dtype=np.uint8)
