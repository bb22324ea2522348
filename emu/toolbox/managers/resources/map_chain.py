"""The resource maps in guest memory, which some programs walk themselves from TopMapHndl.

Microsoft's applications look up where their p-code lies in their file in this way. Each map is as
the file has it when it is opened: the handles of resources that are loaded, and what the program
adds or changes, are not entered.
Source: Inside Macintosh: More Macintosh Toolbox, chapter 1, "Resource Map".
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.managers.resources.manager import ResourceManager

_HEADER_SIZE = 16
_LINK = struct.Struct(">IH")
"""The handle of the next map and the file's reference number, behind a copy of the header."""


class MapChain(Manager):
    """A linked list of maps: of the file opened last first, of the System file last."""

    _memory: MemoryManager
    _resources: ResourceManager

    def __post_init__(self) -> None:
        self._maps: dict[int, int] = {}

    def start(self) -> None:
        """Make the System file's map; the program's own follows when its file is open."""
        system = self._resources.system
        self.add(system.reference, system.fork())
        self.guest.put32(LowMemory.SYSTEM_MAP_HANDLE, self._maps[system.reference])
        self.guest.put16(LowMemory.SYSTEM_MAP, system.reference)

    def add(self, reference: int, fork: bytes) -> None:
        """Put the map of a file that has been opened in front of the others."""
        _, start, _, size = struct.unpack_from(">4I", fork)
        following = self.guest.u32(LowMemory.TOP_MAP_HANDLE)
        link = _LINK.pack(following, reference & 0xFFFF)
        data = fork[:_HEADER_SIZE] + link + fork[start + _HEADER_SIZE + _LINK.size : start + size]
        handle = self._memory.handle_from(data)
        if handle:  # else memory is full, and the file has no map there
            self._maps[reference] = handle
            self.guest.put32(LowMemory.TOP_MAP_HANDLE, handle)

    def remove(self, reference: int) -> None:
        """Take away the map of a file that is closed."""
        gone = self._maps.pop(reference, 0)
        if not self._memory.is_handle(gone):
            return
        following = self._next(gone)
        if self.guest.u32(LowMemory.TOP_MAP_HANDLE) == gone:
            self.guest.put32(LowMemory.TOP_MAP_HANDLE, following)
        for handle in self._maps.values():
            if self._memory.is_handle(handle) and self._next(handle) == gone:
                self.guest.put32(self._memory.address(handle) + _HEADER_SIZE, following)
        self._memory.dispose_handle(gone)

    def handle_of(self, reference: int) -> int:
        """The handle of an open file's map; 0 if it has none."""
        handle = self._maps.get(reference, 0)
        return handle if self._memory.is_handle(handle) else 0

    def reference_of(self, handle: int) -> int:
        """The reference number of the file whose map this is; -1 if it is none."""
        return next((number for number, known in self._maps.items() if known == handle), -1)

    def _next(self, handle: int) -> int:
        return self.guest.u32(self._memory.address(handle) + _HEADER_SIZE)
