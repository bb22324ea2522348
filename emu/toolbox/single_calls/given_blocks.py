"""Memory that a call is given, lent to the Memory Manager as blocks of its own.

A handle that is an argument, or a node of a list, is memory of the caller. To the routine it has to
be what NewHandle made: it can be locked, resized and disposed of, and it moves whenever memory
moves. So its bytes lie in the heap while guest code runs, and go back when the call is over. The
word that the handle is the address of stays where it is and serves as the master pointer, so that
no pointer to it has to be changed. Nonrelocatable blocks stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from emu.machine.calls.system import GivenBlock
from emu.toolbox.managers.memory.block import HEADER_SIZE, POINTER, Block
from emu.toolbox.managers.memory.manager import MemoryManager


class GivenBlocks:
    """The blocks that calls on one Macintosh are given.

    Args:
        manager: the Memory Manager. Its memory holds the caller's, too.
    """

    def __init__(self, manager: MemoryManager) -> None:
        self._manager = manager
        self._memory = manager.guest.memory
        self._blocks: dict[int, GivenBlock] = {}
        self._before: dict[int, bytes] = {}

    def add(self, blocks: Iterable[GivenBlock]) -> None:
        """Lend memory that is not lent yet, as far as it is laid out as it should be."""
        for one in blocks:
            if one.address not in self._blocks and self._lend_new(one):
                self._blocks[one.address] = one
                self._before[one.address] = self._bytes(one.address, one.room).tobytes()

    def _lend_new(self, one: GivenBlock) -> bool:
        size = self._size(one)
        if not one.master:
            block = Block(one.address - HEADER_SIZE, HEADER_SIZE + one.room, POINTER)
            block.logical = size
            self._manager.adopted[one.address] = block
            return True
        return self._word(one.master) == one.address and self._manager.heap.adopt(one.master, size)

    def lend(self) -> None:
        """Put the caller's bytes into the blocks, before guest code goes on."""
        manager = self._manager
        for address, one in self._blocks.items():
            block = self.block_of(one)
            if self.is_freed(one):
                self._bytes(address, one.room)[:] = manager.heap.space.fill
                if one.master:
                    manager.heap.spoil(one.master)
            elif one.master:
                self._put_word(one.master, block.content if block is not None else 0)
                if block is not None:
                    size = min(block.logical, one.room)
                    self._bytes(block.content, size)[:] = self._bytes(address, size)

    def take_back(self) -> None:
        """Put the bytes of the blocks where the caller has them. Freed memory is filled."""
        for address, one in self._blocks.items():
            block = self.block_of(one)
            if self.is_freed(one):
                self._bytes(address, one.room)[:] = self._manager.heap.space.fill
            elif one.master and block is not None:
                size = min(block.logical, one.room)
                self._bytes(address, size)[:] = self._bytes(block.content, size)
            if one.length and not self.is_freed(one):
                self._put_word(one.length, 0 if block is None else block.logical)
            if one.master:
                self._put_word(one.master, address)

    def check(self) -> None:
        """Report writes to blocks that do not move and that were disposed of."""
        for address, one in self._blocks.items():
            written = self._bytes(address, one.room) != self._manager.heap.space.fill
            if not one.master and self.is_freed(one) and written.any():
                place = address + int(written.argmax())
                self._manager.heap_finding(
                    "disposed block",
                    f"the program wrote to 0x{place:08x}, in a block that it "
                    "was given and had disposed of",
                )

    @property
    def freed(self) -> tuple[tuple[int, bytes], ...]:
        """The blocks that were disposed of, with what they held at first."""
        return tuple(
            (address, self._before[address])
            for address, one in self._blocks.items()
            if self.is_freed(one)
        )

    @property
    def moved(self) -> tuple[tuple[range, int], ...]:
        """Where the blocks of handles are now, and where they are before and after the call."""
        found = [(self.block_of(one), one) for one in self._blocks.values() if one.master]
        return tuple(
            (range(block.content, block.content + one.room + 1), one.address)
            for block, one in found
            if block is not None
        )

    @property
    def every(self) -> tuple[GivenBlock, ...]:
        """All of them."""
        return tuple(self._blocks.values())

    def is_freed(self, one: GivenBlock) -> bool:
        """Whether a block has been disposed of."""
        if one.master:
            return not self._manager.is_handle(one.master)
        return one.address not in self._manager.adopted

    def block_of(self, one: GivenBlock) -> Block | None:
        """What the Memory Manager has of it; None of an emptied handle or a freed block."""
        if one.master:
            return self._manager.heap.handles.get(one.master)
        return self._manager.adopted.get(one.address)

    def _size(self, one: GivenBlock) -> int:
        return min(self._word(one.length), one.room) if one.length else one.room

    def _bytes(self, address: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return self._memory.view(address, size)

    def _word(self, address: int) -> int:
        return int.from_bytes(self._bytes(address, 4).tobytes(), "big")

    def _put_word(self, address: int, value: int) -> None:
        self._memory.write(address, value.to_bytes(4, "big"))
