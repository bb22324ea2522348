"""The master pointers of a heap zone that no handle uses now.

A Macintosh links them in a list. Here each holds a value that makes any use of it a fault, and a
freed one is reused as late as possible, so that a program that goes on using a handle that it has
disposed of is found.
Source: Inside Macintosh: Memory, chapter 1.
"""

from __future__ import annotations

from collections import deque

from emu.toolbox.managers.memory.block import FILL, Block, HeapOwner, HeapUse
from emu.toolbox.managers.memory.heap_space import HeapSpace

_NO_MASTER = FILL * 0x01010101


class FreeMasters:
    """Master pointers for new handles, those that were never used or were freed longest ago first.

    Args:
        space: the zone's space.
        owner: the object that is told of mistakes.
    """

    def __init__(self, space: HeapSpace, owner: HeapOwner) -> None:
        self._space = space
        self._owner = owner
        self._free: deque[int] = deque()
        self._disposed: dict[int, HeapUse] = {}
        self._blocks: list[tuple[int, int]] = []

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._free)

    def add(self, block: Block) -> None:
        """Divide a new block into master pointers."""
        end = block.content + block.logical
        self._blocks.append((block.content, end))
        self._free.extend(range(block.content, end, 4))

    def take(self) -> int:
        """The address of one, for a new handle."""
        handle = self._free.popleft()
        self._inspect(handle)
        self._disposed.pop(handle, None)
        return handle

    def give_back(self, handle: int) -> None:
        """Free that of a handle that is disposed of."""
        self._disposed[handle] = self._owner.heap_use()
        if self._space.start < handle < self._space.last.start:  # not one that was adopted
            self._free.append(handle)
        self.spoil(handle)

    def spoil(self, handle: int) -> None:
        """Let any use of a master pointer be a fault."""
        self._space.memory.put(handle, _NO_MASTER)

    def disposed(self, handle: int) -> HeapUse | None:
        """The call that disposed of a handle; None if there is no such handle, or none did."""
        return self._disposed.get(handle)

    def verify_all(self) -> None:
        """Report writes to any of them."""
        for start, end in self._blocks:
            # Most hold the value that they should, and are not looked at one by one.
            for number in self._space.memory.words(start, end, _NO_MASTER):
                if start + 4 * number in self._free:
                    self._inspect(start + 4 * number)

    def _inspect(self, handle: int) -> None:
        """Report a write to a master pointer that is not in use."""
        master = self._space.memory.get(handle)
        if master != _NO_MASTER:
            whose = "a disposed handle" if handle in self._disposed else "no handle"
            self._owner.heap_finding(
                "master pointer",
                f"the program wrote 0x{master:08x} to the master pointer 0x{handle:08x} of {whose}",
            )
            self._space.memory.put(handle, _NO_MASTER)
