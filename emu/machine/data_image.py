"""All data memory of a program as one byte string: what a call begins with and leaves behind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from emu.base.errors import UsageError
from emu.machine.memory import GuestMemory, Region


class DataImage:
    """The writable regions of guest memory but the stack, in the order of their addresses.

    To set an image resets the program; to compare one finds every stray store.

    Args:
        memory: where the regions lie.
        stack: the region that is left out: what a call leaves there is nobody's result.
    """

    def __init__(self, memory: GuestMemory, stack: Region) -> None:
        self._regions: Sequence[Region] = [r for r in memory.regions if r.writable and r != stack]
        self._starts = [sum(r.size for r in self._regions[:n]) for n in range(len(self._regions))]
        self.size = sum(region.size for region in self._regions)
        """In bytes."""
        self.pieces = [
            (slice(start, start + region.size), memory.view(region.address, region.size))
            for start, region in zip(self._starts, self._regions, strict=True)
        ]
        """For each region its place in an image, and a view of it in guest memory."""

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
        """Where a guest address lies in an image.

        Raises:
            UsageError: it is not data memory.
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
        """How many bytes of one region begin at an address; 0 where there is no data memory."""
        return next((region.end - address for region in self._regions if address in region), 0)
