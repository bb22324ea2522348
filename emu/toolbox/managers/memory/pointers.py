"""The Memory Manager's routines for pointers: blocks that never move.

Source: Inside Macintosh: Memory, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import CLEAR, MemoryManager


class MemoryPointers(Manager):
    """Nonrelocatable blocks."""

    title = "Memory Manager"
    plumbing = True

    _memory: MemoryManager

    @routine(
        "FUNCTION NewPtr (logicalSize: Size): Ptr",
        variants={"NewPtrClear": 0xA31E, "NewPtrSys": 0xA51E, "NewPtrSysClear": 0xA71E},
    )
    def new_ptr(self, size: int, *, trap: int) -> int:
        """Make a nonrelocatable block."""
        clear = bool(trap & CLEAR)
        return self._memory.with_growth(lambda: self._memory.new_pointer(size, clear), size)

    @routine("PROCEDURE DisposePtr (p: Ptr)", imports=("DisposPtr",))
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
