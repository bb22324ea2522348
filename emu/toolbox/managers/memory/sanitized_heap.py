"""Keeps the shadow of a heap for programs that GCC's address sanitizer checks.

Such a program looks into a shadow in its own memory before each access: a byte says of eight bytes
how many of them, from the first on, may be accessed. Here the bytes for blocks of the Memory
Manager are written. What lies between blocks, behind the end of one, or in one that was disposed
of, may not be accessed.
"""

from __future__ import annotations

import struct

import numpy as np

from emu.machine.memory.layout import GRANULE, SHADOW, ShadowTable
from emu.machine.memory.memory import GuestMemory
from emu.toolbox.managers.memory.heap_space import HeapSpace
from emu.toolbox.managers.memory.manager import MemoryManager

CLOSED = 0xFA
"""The shadow of eight bytes of which none may be accessed."""


class SanitizedHeap:
    """The shadow of all heap zones of a Macintosh.

    Args:
        manager: the Memory Manager, whose zones they are.
        memory: the memory with the zones and the shadow.
        shadow: the address of the shadow of address 0.
    """

    def __init__(self, manager: MemoryManager, memory: GuestMemory, shadow: int = SHADOW) -> None:
        self._manager = manager
        self._memory = memory
        self._shadow = shadow
        self._revisions: list[tuple[int, int]] = []

    def mark(self) -> None:
        """Write the shadow of the zones, if blocks have come, gone or moved since the last time.

        It is to be called before guest code goes on.
        """
        zones = [zone.space for zone in self._manager.zones]
        revisions = [(space.start, space.revision) for space in zones]
        if revisions != self._revisions:
            self._revisions = revisions
            for space in zones:
                _mark_zone(self._memory, space, self._shadow)


def _mark_zone(memory: GuestMemory, space: HeapSpace, whole_shadow: int) -> None:
    blocks = list(space.walk())
    begin = blocks[0].start if blocks else space.last.start
    first, last = -(-begin // GRANULE), space.last.start // GRANULE
    shadow = memory.view(whole_shadow + first, last - first)
    shadow[:] = CLOSED
    for block in blocks:
        if space.is_hole(block):
            continue
        # Blocks begin at multiples of four, so the end of a header may share its eight bytes.
        start, end = block.content // GRANULE - first, block.content + block.logical
        whole = end // GRANULE - first
        shadow[max(start, 0) : whole] = 0
        if end % GRANULE and whole < len(shadow):
            shadow[whole] = end % GRANULE


def with_heap(memory: GuestMemory, shadowed: ShadowTable, end: int) -> None:
    """Tell a program that memory up to an address has a shadow.

    Args:
        memory: the memory with the program.
        shadowed: what it is told without the heap.
        end: the address.
    """
    start = shadowed.words[0]
    table = memory.view(shadowed.table + 4, 4)
    table[:] = np.frombuffer(struct.pack(">I", end - start), np.uint8)
