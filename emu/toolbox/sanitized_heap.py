"""Keeps the shadow of a heap for programs that GCC's address sanitizer checks.

Such a program looks into a shadow in its own memory before each access: a byte says of eight bytes
how many of them, from the first on, may be accessed. Here the bytes for blocks of the Memory
Manager are written. What lies between blocks, behind the end of one, or in one that was disposed
of, may not be accessed.
"""

from __future__ import annotations

import struct

import numpy as np

from emu.machine.layout import GRANULE, SHADOW, Shadowed
from emu.machine.memory import GuestMemory
from emu.toolbox.macintosh import Macintosh
from emu.toolbox.managers.memory.heap_space import HeapSpace

CLOSED = 0xFA
"""The shadow of eight bytes of which none may be accessed."""


class SanitizedHeap:
    """The shadow of all heap zones of a Macintosh.

    Args:
        mac: the Macintosh. The shadow is written whenever guest code goes on.
    """

    def __init__(self, mac: Macintosh) -> None:
        self._mac = mac
        self._revisions: list[tuple[int, int]] = []
        mac.on_resume = self._mark

    def _mark(self) -> None:
        """Write the shadow of the zones, if blocks have come, gone or moved since the last time."""
        zones = [zone.space for zone in self._mac.memory.zones]
        revisions = [(space.start, space.revision) for space in zones]
        if revisions != self._revisions:
            self._revisions = revisions
            for space in zones:
                _mark_zone(self._mac.guest.memory, space)


def _mark_zone(memory: GuestMemory, space: HeapSpace) -> None:
    blocks = list(space.walk())
    begin = blocks[0].start if blocks else space.last.start
    first, last = -(-begin // GRANULE), space.last.start // GRANULE
    shadow = memory.view(SHADOW + first, last - first)
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


def with_heap(memory: GuestMemory, shadowed: Shadowed, end: int) -> None:
    """Tell a program that memory up to an address has a shadow.

    Args:
        memory: the memory with the program.
        shadowed: what it is told without the heap.
        end: the address.
    """
    start = shadowed.words[0]
    table = memory.view(shadowed.table + 4, 4)
    table[:] = np.frombuffer(struct.pack(">I", end - start), np.uint8)
