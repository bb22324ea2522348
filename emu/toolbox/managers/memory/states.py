"""The Memory Manager's states of handles: locked, purgeable, a resource's.

Source: Inside Macintosh: Memory, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.block import LOCKED, PURGEABLE, RESOURCE
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode


class MemoryStatesManager(Manager):
    """Sets what may be done with a handle's block."""

    title = "Memory Manager: states"
    plumbing = True

    _memory: MemoryManager

    @routine("PROCEDURE HLock (h: Handle)")
    def h_lock(self, handle: int) -> None:
        """Keep a block where it is."""
        self._memory.change_flags(handle, LOCKED, 0)

    @routine("PROCEDURE HUnlock (h: Handle)")
    def h_unlock(self, handle: int) -> None:
        """Let a block move again."""
        self._memory.change_flags(handle, 0, LOCKED)

    @routine("PROCEDURE HPurge (h: Handle)")
    def h_purge(self, handle: int) -> None:
        """Let a block be thrown away when memory is full."""
        self._memory.change_flags(handle, PURGEABLE, 0)

    @routine("PROCEDURE HNoPurge (h: Handle)")
    def h_no_purge(self, handle: int) -> None:
        """Keep a block when memory is full."""
        self._memory.change_flags(handle, 0, PURGEABLE)

    @routine("PROCEDURE HSetRBit (h: Handle)")
    def h_set_r_bit(self, handle: int) -> None:
        """Mark a handle as a resource's."""
        self._memory.change_flags(handle, RESOURCE, 0)

    @routine("PROCEDURE HClrRBit (h: Handle)")
    def h_clr_r_bit(self, handle: int) -> None:
        """Take that mark away."""
        self._memory.change_flags(handle, 0, RESOURCE)

    @routine("FUNCTION HGetState (h: Handle): SignedByte")
    def h_get_state(self, handle: int) -> int:
        """A handle's flags; a negative error if it has none."""
        block = self._memory.find(handle)
        if block is None:
            return self._memory.last_error
        self._memory.error(0)
        return block.flags

    @routine("PROCEDURE HSetState (h: Handle; flags: SignedByte)")
    def h_set_state(self, handle: int, flags: int) -> None:
        """Set a handle's flags."""
        self._memory.change_flags(handle, flags & 0xE0, 0xE0)

    @routine("PROCEDURE MoveHHi (h: Handle)")
    def move_h_hi(self, handle: int) -> None:
        """Move a block as high as possible, before it is locked."""
        block = self._memory.find(handle)
        if block is not None:
            if block.flags & LOCKED:
                self._memory.error(ResultCode.memLockedErr)
                return
            self._memory.zones.of_handle(handle).move_high(block)
            self._memory.error(0)

    @routine("PROCEDURE HLockHi (h: Handle)")
    def h_lock_hi(self, handle: int) -> None:
        """Move a block high and lock it."""
        self.move_h_hi(handle)
        self._memory.change_flags(handle, LOCKED, 0)
