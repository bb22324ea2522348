"""The master pointers of a heap zone's handles, and the flags of their blocks.

With 24-bit addressing the flags are in the highest byte of a master pointer, and programs set and
clear them there. With 32-bit addressing a program that does so spoils the address.
Source: Inside Macintosh: Memory, chapter 1.
"""

from __future__ import annotations

from emu.toolbox.managers.memory.block import LOCKED, PURGEABLE, RESOURCE, Block, HeapOwner
from emu.toolbox.managers.memory.heap_space import HeapSpace

_ALL_FLAGS = LOCKED | PURGEABLE | RESOURCE
_ADDRESS = 0xFFFFFF


class UsedMasters:
    """Writes master pointers, and checks what the program has left in them.

    Args:
        space: the zone's space.
        owner: the object that is told of mistakes.
        movable: the zone's blocks that are not locked.
        hold_flags: whether the highest byte of a master pointer has the flags.
    """

    def __init__(
        self, space: HeapSpace, owner: HeapOwner, movable: dict[Block, None], hold_flags: bool
    ) -> None:
        self._space = space
        self._owner = owner
        self._movable = movable
        self._hold_flags = hold_flags

    def point(self, block: Block) -> None:
        """Let a block's master pointer lead to it."""
        flags = block.flags << 24 if self._hold_flags else 0
        self._space.memory.put(block.handle, block.content | flags)

    def set_flags(self, block: Block, flags: int) -> None:
        """Set a block's flags."""
        self._note(block, flags)
        self.point(block)

    def verify(self, handle: int, block: Block | None) -> None:
        """Check that a master pointer holds the address of the handle's block, and take its flags.

        Raises:
            Exception: it does not; as of `HeapOwner.heap_damaged`.
        """
        expected = block.content if block is not None else 0
        master = self._space.memory.get(handle)
        if self._hold_flags and block is not None and master & _ADDRESS == expected:
            self._note(block, master >> 24 & _ALL_FLAGS)
        elif block is not None and master != expected == master & ~(_ALL_FLAGS << 24):
            self._report_flags(block, master >> 24)
            self.set_flags(block, block.flags | master >> 24)
        elif master != expected:
            # A write past a block's end also damages the next header, and that message says more.
            self._space.verify_all()
            if block is None or block.handle:  # else the program has made it one that stays
                raise self._damage(handle, block, master, expected)

    def _note(self, block: Block, flags: int) -> None:
        if flags == block.flags:
            return
        block.flags = flags
        self._space.write_header(block)
        if flags & LOCKED:
            self._movable.pop(block, None)
        else:
            self._movable[block] = None

    def _report_flags(self, block: Block, flags: int) -> None:
        self._owner.heap_finding(
            "master pointer flags",
            f"the program set 0x{flags:02x} in the highest byte of the master pointer of handle "
            f"0x{block.handle:08x} ({block.size_and_maker}); that spoils it with 32-bit addressing",
        )

    def _damage(self, handle: int, block: Block | None, master: int, expected: int) -> Exception:
        whose = f"the empty handle 0x{handle:08x}"
        if block is not None:
            whose = f"handle 0x{handle:08x} ({block.size_and_maker})"
        problem = (
            f"the master pointer of {whose} was overwritten: it holds 0x{master:08x} instead "
            f"of 0x{expected:08x}.{self._space.last_time()}"
        )
        return self._owner.heap_damaged(problem)
