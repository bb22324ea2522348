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
from emu.toolbox.managers.memory.block import POINTER, Block
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
        for block in blocks:
            if block.address not in self._blocks and self._lend_new(block):
                self._blocks[block.address] = block
                self._before[block.address] = self._bytes(block.address, block.room).tobytes()

    def _lend_new(self, given_block: GivenBlock) -> bool:
        size = self._size(given_block)
        if not given_block.master:
            form = self._manager.heap.space.form
            start, physical = given_block.address - form.size, form.size + given_block.room
            block = Block(start, physical, POINTER, form)
            block.logical = size
            self._manager.adopted[given_block.address] = block
            return True
        return self._word(given_block.master) == given_block.address and self._manager.heap.adopt(
            given_block.master, size
        )

    def lend(self) -> None:
        """Put the caller's bytes into the blocks, before guest code goes on."""
        manager = self._manager
        for address, given_block in self._blocks.items():
            block = self.block_of(given_block)
            if self.is_freed(given_block):
                self._bytes(address, given_block.room)[:] = manager.heap.space.memory.filling
                if given_block.master:
                    manager.heap.spoil(given_block.master)
            elif given_block.master:
                self._put_word(given_block.master, block.content if block is not None else 0)
                if block is not None:
                    size = min(block.logical, given_block.room)
                    self._bytes(block.content, size)[:] = self._bytes(address, size)

    def take_back(self) -> None:
        """Put the bytes of the blocks where the caller has them. Freed memory is filled."""
        for address, given_block in self._blocks.items():
            block = self.block_of(given_block)
            if self.is_freed(given_block):
                self._bytes(address, given_block.room)[:] = self._manager.heap.space.memory.filling
            elif given_block.master and block is not None:
                size = min(block.logical, given_block.room)
                self._bytes(address, size)[:] = self._bytes(block.content, size)
            if given_block.length and not self.is_freed(given_block):
                self._put_word(given_block.length, 0 if block is None else block.logical)
            if given_block.master:
                self._put_word(given_block.master, address)

    def check(self) -> None:
        """Report writes to blocks that do not move and that were disposed of."""
        for address, block in self._blocks.items():
            written = self._bytes(address, block.room) != self._manager.heap.space.memory.filling
            if not block.master and self.is_freed(block) and written.any():
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
            for address, block in self._blocks.items()
            if self.is_freed(block)
        )

    @property
    def moved(self) -> tuple[tuple[range, int], ...]:
        """Where the blocks of handles are now, and where they are before and after the call."""
        pairs = [(self.block_of(block), block) for block in self._blocks.values() if block.master]
        return tuple(
            (range(block.content, block.content + given_block.room + 1), given_block.address)
            for block, given_block in pairs
            if block is not None
        )

    @property
    def every(self) -> tuple[GivenBlock, ...]:
        """All of them."""
        return tuple(self._blocks.values())

    def is_freed(self, block: GivenBlock) -> bool:
        """Whether a block has been disposed of."""
        if block.master:
            return not self._manager.is_handle(block.master)
        return block.address not in self._manager.adopted

    def block_of(self, block: GivenBlock) -> Block | None:
        """What the Memory Manager has of it; None of an emptied handle or a freed block."""
        if block.master:
            return self._manager.heap.handles.get(block.master)
        return self._manager.adopted.get(block.address)

    def _size(self, block: GivenBlock) -> int:
        return min(self._word(block.length), block.room) if block.length else block.room

    def _bytes(self, address: int, size: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        return self._memory.view(address, size)

    def _word(self, address: int) -> int:
        return int.from_bytes(self._bytes(address, 4).tobytes(), "big")

    def _put_word(self, address: int, value: int) -> None:
        self._memory.write(address, value.to_bytes(4, "big"))
