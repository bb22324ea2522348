"""The Memory Manager's routines for handles: blocks that move.

Source: Inside Macintosh: Memory, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.block import LOCKED, RESOURCE
from emu.toolbox.managers.memory.manager import CLEAR, MemoryManager
from emu.toolbox.records.results import ResultCode


class MemoryHandles(Manager):
    """Relocatable blocks."""

    title = "Memory Manager"
    plumbing = True

    _memory: MemoryManager

    @routine(
        "FUNCTION NewHandle (logicalSize: Size): Handle",
        variants={"NewHandleClear": 0xA322, "NewHandleSys": 0xA522, "NewHandleSysClear": 0xA722},
    )
    def new_handle(self, size: int, *, trap: int) -> int:
        """Make a relocatable block."""
        clear = bool(trap & CLEAR)
        return self._memory.with_growth(lambda: self._memory.new_handle(size, clear), size)

    @routine("FUNCTION NewEmptyHandle: Handle", variants={"NewEmptyHandleSys": 0xA566})
    def new_empty_handle(self, *, trap: int = 0) -> int:
        """Make a handle without a block; memory moves only for more master pointers."""
        return self._memory.new_empty_handle()

    @routine("PROCEDURE DisposeHandle (h: Handle)", imports=("DisposHandle",))
    def dispose_handle(self, handle: int) -> None:
        """Free a handle and its block."""
        if not self._memory.known(handle):
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

    @routine("FUNCTION GetHandleSize (h: Handle): Size")
    def get_handle_size(self, handle: int) -> int:
        """The size of a relocatable block; on 68K a negative error."""
        if not self._memory.known(handle):
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
        if self._memory.known(handle):
            self._memory.error(self._purge(handle))

    def _purge(self, handle: int) -> int:
        """Free a handle's block, if it has one that is not locked; the error."""
        block = self._memory.zones.of_handle(handle).block_of(handle)
        if block is not None:
            if block.flags & LOCKED:
                return ResultCode.memPurErr
            self._memory.zones.of_handle(handle).dispose(block)
        return 0

    @routine(
        "PROCEDURE ReallocateHandle (h: Handle; logicalSize: Size)", imports=("ReallocHandle",)
    )
    def reallocate_handle(self, handle: int, size: int) -> None:
        """Give a handle a new block, whatever it held before."""
        if self._memory.known(handle):
            error = self._purge(handle)
            if not error and not self._memory.zones.of_handle(handle).fill_handle(handle, size):
                error = ResultCode.memFullErr
            self._memory.error(error)
