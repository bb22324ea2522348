"""All data memory of a program as one array of bytes, before a call and after it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.machine.memory.memory import GuestMemory, MemoryRegion


class DataImage:
    """The writable regions of guest memory but the stack, in the order of their addresses.

    Writing an image resets the program. Comparing the images before and after a call finds every
    store, also a stray one.

    Args:
        memory: the memory that has the regions.
        stack: the region that is left out, because what a call leaves there is no result.
    """

    def __init__(self, memory: GuestMemory, stack: MemoryRegion) -> None:
        self._regions: Sequence[MemoryRegion] = [
            r for r in memory.regions if r.writable and r != stack
        ]
        self._starts = [sum(r.size for r in self._regions[:n]) for n in range(len(self._regions))]
        self.size = sum(region.size for region in self._regions)
        """The size of an image in bytes."""
        self.pieces = [
            (slice(start, start + region.size), memory.view(region.address, region.size))
            for start, region in zip(self._starts, self._regions, strict=True)
        ]
        """For each region: its slice of an image, and a view of it in guest memory."""

    @property
    def addresses(self) -> range:
        """From the first guest address of data memory to its last."""
        return range(self._regions[0].address, self._regions[-1].end)

    def copy(self) -> NDArray[np.uint8]:
        """The image as it is now, shape (size,)."""
        image = np.empty(self.size, dtype=np.uint8)
        for part, memory in self.pieces:
            image[part] = memory
        return image

    def put(self, image: NDArray[np.uint8]) -> None:
        """Write an image of shape (size,) into guest memory."""
        for part, memory in self.pieces:
            memory[:] = image[part]

    def offset(self, address: int) -> int:
        """The index in an image of the byte at a guest address.

        Raises:
            UsageError: the address is not in data memory.
        """
        for start, region in zip(self._starts, self._regions, strict=True):
            if address in region:
                return start + address - region.address
        raise UsageError(f"0x{address:08x} is not in the program's data memory")

    def address(self, offset: int) -> int:
        """The guest address of a byte of an image.

        Raises:
            UsageError: an image has no such byte.
        """
        for start, region in zip(self._starts, self._regions, strict=True):
            if start <= offset < start + region.size:
                return region.address + offset - start
        raise UsageError(f"the image has no byte {offset}")

    def room(self, address: int) -> int:
        """Bytes from an address to the end of its region; 0 if it is not in data memory."""
        return next((region.end - address for region in self._regions if address in region), 0)
