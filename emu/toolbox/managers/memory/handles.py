"""The Memory Manager's routines for blocks: handles and their states, and pointers.

A handle's block can move; it may be locked, purgeable or a resource's. A pointer's never moves.
Source: Inside Macintosh: Memory, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.block import LOCKED, PURGEABLE, RESOURCE
from emu.toolbox.managers.memory.manager import CLEAR, SYSTEM, MemoryManager
from emu.toolbox.records.results import ResultCode


class MemoryHandles(Manager):
    """Relocatable blocks."""

    plumbing = True

    _memory: MemoryManager

    @routine(
        "FUNCTION NewHandle (logicalSize: Size): Handle",
        variants={"NewHandleClear": 0xA322, "NewHandleSys": 0xA522, "NewHandleSysClear": 0xA722},
    )
    def new_handle(self, size: int, *, trap: int) -> int:
        """Make a relocatable block."""
        memory, clear, of_system = self._memory, bool(trap & CLEAR), bool(trap & SYSTEM)
        return memory.with_growth(lambda: memory.new_handle(size, clear, of_system=of_system), size)

    @routine("FUNCTION NewEmptyHandle: Handle", variants={"NewEmptyHandleSys": 0xA566})
    def new_empty_handle(self, *, trap: int = 0) -> int:
        """Make a handle without a block; memory moves only for more master pointers."""
        return self._memory.new_empty_handle()

    @routine("PROCEDURE DisposeHandle (h: Handle)")
    def dispose_handle(self, handle: int) -> None:
        """Free a handle and its block."""
        if not self._memory.check_handle(handle):
            return
        if self._memory.flags(handle) & RESOURCE:
            self.host.report(
                "disposed resource",
                f"DisposeHandle was given the resource {self._memory.resources.describe(handle)}; "
                "ReleaseResource frees resources",
            )
            self._memory.resources.forget(handle)
        self._memory.zones.of_handle(handle).release_handle(handle)
        self._memory.error(0)

    @routine("FUNCTION GetHandleSize (h: Handle): Size", imports=("InlineGetHandleSize",))
    def get_handle_size(self, handle: int) -> int:
        """The size of a relocatable block; on 68K a negative error."""
        if not self._memory.check_handle(handle):
            return self._memory.size_error()
        self._memory.error(0)
        return self._memory.handle_size(handle)

    @routine("PROCEDURE SetHandleSize (h: Handle; newSize: Size)")
    def set_handle_size(self, handle: int, size: int) -> int:
        """Change the size of a relocatable block; the error."""
        return self._memory.set_handle_size(handle, size)

    @routine("PROCEDURE EmptyHandle (h: Handle)")
    def empty_handle(self, handle: int) -> None:
        """Free a handle's block and keep the handle."""
        if self._memory.check_handle(handle):
            self._memory.error(self._purge(handle))

    def _purge(self, handle: int) -> int:
        """Free a handle's block, if it has one that is not locked; the error."""
        block = self._memory.zones.of_handle(handle).block_of(handle)
        if block is not None:
            if block.flags & LOCKED:
                return ResultCode.memPurErr
            self._memory.zones.of_handle(handle).dispose(block)
        return 0

    @routine("PROCEDURE ReallocateHandle (h: Handle; logicalSize: Size)")
    def reallocate_handle(self, handle: int, size: int) -> None:
        """Give a handle a new block, whatever it held before."""
        if self._memory.check_handle(handle):
            error = self._purge(handle)
            if not error and not self._memory.zones.of_handle(handle).fill_handle(handle, size):
                error = ResultCode.memFullErr
            self._memory.error(error)


class MemoryPointers(Manager):
    """Nonrelocatable blocks."""

    plumbing = True

    _memory: MemoryManager

    @routine(
        "FUNCTION NewPtr (logicalSize: Size): Ptr",
        variants={"NewPtrClear": 0xA31E, "NewPtrSys": 0xA51E, "NewPtrSysClear": 0xA71E},
    )
    def new_ptr(self, size: int, *, trap: int) -> int:
        """Make a nonrelocatable block."""
        memory, clear, of_system = self._memory, bool(trap & CLEAR), bool(trap & SYSTEM)
        return memory.with_growth(
            lambda: memory.new_pointer(size, clear, of_system=of_system), size
        )

    @routine("PROCEDURE DisposePtr (p: Ptr)")
    def dispose_ptr(self, address: int) -> None:
        """Free a nonrelocatable block."""
        self._memory.dispose_pointer(address)

    @routine("FUNCTION GetPtrSize (p: Ptr): Size")
    def get_ptr_size(self, address: int) -> int:
        """The size of a nonrelocatable block; on 68K a negative error."""
        block = self._memory.find_pointer(address)
        if block is None:
            return self._memory.size_error()
        self._memory.error(0)
        return block.logical

    @routine("PROCEDURE SetPtrSize (p: Ptr; newSize: Size)")
    def set_ptr_size(self, address: int, size: int) -> None:
        """Change the size of a nonrelocatable block."""
        self._memory.resize_pointer(address, size)


class MemoryStatesManager(Manager):
    """Sets what may be done with a handle's block."""

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
