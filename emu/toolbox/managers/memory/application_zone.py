"""The application's zone, which grows towards the stack.

It begins small, and grows when it has no room, up to ApplLimit; MaxApplZone lets it grow at once.
Until then the stack may have what the zone does not. Behind the zone is the stack's guard, which is
counted as the heap's: HeapEnd is where the guard ends.
Sources: Inside Macintosh: Memory, chapters 1 and 2; of the first size and of what happens to
ApplLimit, Apple's sources of the Process Manager and the Memory Manager of 1994.
"""

from __future__ import annotations

from emu.machine.memory.memory import page_floor
from emu.toolbox.computer.host import Host
from emu.toolbox.guest.layout import GAP, LowMemory
from emu.toolbox.managers.memory.block import HeapOwner
from emu.toolbox.managers.memory.heap import Heap

_FIRST_SIZE, _STEP = 128 << 10, 32 << 10
"""Bytes. A Macintosh begins with 6 KB and grows by whole KB. Here the system keeps some of its own
in this zone, blocks need room to be scrambled in, and memory is compacted before each step."""


class ApplicationZone:
    """The application's zone, and where it ends.

    Args:
        host: the machine.
        owner: who is told of mistakes in the heap.

    Attributes:
        heap: the zone.
    """

    def __init__(self, host: Host, owner: HeapOwner) -> None:
        self._host, self._guest, layout = host, host.guest, host.layout
        self._layout = layout
        most = layout.heap + layout.heap_size
        end = min(layout.heap + _FIRST_SIZE, most) if layout.is_partition else most
        self.heap = Heap(
            host.guest.memory,
            layout.heap,
            end,
            owner,
            flags_in_masters=host.has_24_bits,
            more_space=self._more_space,
        )
        self._tell_end()

    @property
    def end(self) -> int:
        """HeapEnd: where the zone with the guard ends."""
        return self._guest.u32(LowMemory.HEAP_END)

    @property
    def growth(self) -> int:
        """By how many bytes the zone may grow."""
        return max(self._highest() - self.heap.end, 0)

    def _highest(self) -> int:
        """Where it may end: below ApplLimit, which the program may have changed, and the stack."""
        layout, limit = self._layout, self._guest.u32(LowMemory.APPLICATION_LIMIT)
        if not layout.is_partition:
            return self.heap.end
        pointer = self._host.stack_pointer
        if self.heap.end < pointer <= layout.stack_top:
            limit = min(limit, pointer - self._guest.u32(LowMemory.MINIMUM_STACK))
        return min(page_floor(limit) - GAP, layout.stack)

    def _more_space(self, wanted: int) -> bool:
        """Grow until there is a hole of so many bytes; False, and no change, if there cannot be."""
        heap, last = self.heap, self.heap.space.last.before
        here = last.size if heap.space.is_hole(last) else 0
        needed, highest = heap.end + wanted - here, self._highest()
        if needed > highest:
            return False
        self._end_at(min(-(-needed // _STEP) * _STEP, highest))
        return True

    def grow(self) -> None:
        """Grow as far as possible."""
        if self.growth:
            self._end_at(self._highest())

    def notice_glue(self) -> None:
        """See whether the program has let the zone grow by itself, as glue of 1984 does."""
        if self._guest.u32(self.heap.start) != self.heap.space.last.start:
            self._end_at(max(self._highest(), self.heap.end))

    def set_limit(self, limit: int) -> bool:
        """Set ApplLimit, which leaves the stack its usual size; False if the zone needs more."""
        limit = min(limit & -4, self._layout.limit)
        if limit < self.end:
            return False
        self._guest.put32(LowMemory.APPLICATION_LIMIT, limit)
        self._tell_end()
        return True

    def _end_at(self, end: int) -> None:
        self.heap.extend(end)
        self._tell_end()

    def _tell_end(self) -> None:
        layout, end = self._layout, self.heap.end
        if layout.is_partition:
            self._host.guard.move(end)
            limit = self._guest.u32(LowMemory.APPLICATION_LIMIT)
            end = limit if end == page_floor(limit) - GAP else end + GAP
        for place in (LowMemory.HEAP_END, LowMemory.HIGH_HEAP_MARK):
            self._guest.put32(place, end)
