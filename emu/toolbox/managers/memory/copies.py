"""The Memory Manager's copying: BlockMove, and handles made of other blocks.

Source: Inside Macintosh: Memory, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.low_memory import first_of_the_system
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode


class MemoryCopiesManager(Manager):
    """Copies bytes, and makes blocks of them."""

    plumbing = True

    _memory: MemoryManager

    def check_target(self, address: int, size: int) -> None:
        """Report that the program lets a routine write bytes to the system's low memory."""
        first = first_of_the_system(address, size)
        if first is not None:
            what = "1 byte" if size == 1 else f"{size:,} bytes"
            where = f"0x{address:04x}" if address else "nil"
            begins = f", of which 0x{first:04x} is the system's" if first > address else ""
            self.host.report(
                "low memory",
                f"{self._memory.heap_user()} wrote {what} to low memory at {where}{begins}",
            )

    @routine(
        "PROCEDURE BlockMove (sourcePtr,destPtr: Ptr; byteCount: Size)",
        variants={"BlockMoveData": 0xA22E},
    )
    @routine("PROCEDURE BlockMoveUncached (sourcePtr,destPtr: Ptr; byteCount: Size)")
    def block_move(self, source: int, target: int, count: int, *, trap: int = 0) -> None:
        """Copy bytes between places that may overlap."""
        self._memory.error(0)
        if count <= 0:
            return
        data = self.guest.read(source, count)
        self.check_target(target, count)
        self.guest.write(target, data)
        self.host.engine.forget_code(target, count)

    @routine("PROCEDURE BlockZero (destPtr: Ptr; byteCount: Size)", imports=("BlockZeroUncached",))
    def block_zero(self, target: int, count: int) -> None:
        """Set bytes to zero."""
        if count > 0:
            self.guest.view(target, count)[:] = 0
            self.check_target(target, count)
            self.host.engine.forget_code(target, count)

    @routine(
        "FUNCTION PtrToHand (srcPtr: Ptr; VAR dstHndl: Handle; size: LONGINT): OSErr",
        architecture="powerpc",
    )
    def ptr_to_hand(self, source: int, target: int, size: int) -> int:
        """Make a handle with a copy of bytes."""
        handle, error = self._handle_with(source, size)
        self.guest.put32(target, handle)
        return error

    @routine(
        "FUNCTION PtrToHand (srcPtr: Ptr; size: LONGINT): Handle",
        registers="A0,D0 -> A0",
        architecture="m68k",
    )
    def ptr_to_hand_68k(self, source: int, size: int) -> int:
        """The same, with the error in D0."""
        handle, error = self._handle_with(source, size)
        self.also_return("d0", error)
        return handle

    def _handle_with(self, source: int, size: int) -> tuple[int, int]:
        memory = self._memory
        if size < 0:
            return 0, memory.error(ResultCode.memFullErr)
        handle = memory.handle_from(self.guest.read(source, size))
        return handle, 0 if handle else ResultCode.memFullErr

    @routine("FUNCTION PtrToXHand (srcPtr: Ptr; dstHndl: Handle; size: LONGINT): OSErr")
    def ptr_to_x_hand(self, source: int, target: int, size: int) -> int:
        """Replace a handle's contents by a copy of bytes."""
        self._give_target(target)
        if size < 0:
            return self._memory.error(ResultCode.memFullErr)
        return self._replace(target, self.guest.read(source, size))

    @routine("FUNCTION PtrAndHand (ptr1: Ptr; hand2: Handle; size: LONGINT): OSErr")
    def ptr_and_hand(self, source: int, target: int, size: int) -> int:
        """Append bytes to a handle's contents."""
        self._give_target(target)
        memory = self._memory
        if size < 0:
            return memory.error(ResultCode.memFullErr)
        if not memory.check_handle(target):
            return ResultCode.memWZErr
        return self._replace(target, memory.contents(target) + self.guest.read(source, size))

    @routine("FUNCTION HandAndHand (hand1,hand2: Handle): OSErr")
    def hand_and_hand(self, source: int, target: int) -> int:
        """Append a handle's contents to another's."""
        self._give_target(target)
        memory = self._memory
        if not memory.check_handle(source) or not memory.check_handle(target):
            return ResultCode.memWZErr
        return self._replace(target, memory.contents(target) + memory.contents(source))

    def _give_target(self, handle: int) -> None:
        """On 68K these routines give their target handle again, in A0."""
        if self.host.cpu.architecture == "m68k":
            self.also_return("a0", handle)

    def _replace(self, handle: int, data: bytes) -> int:
        memory = self._memory
        if not memory.check_handle(handle):
            return ResultCode.memWZErr
        if not memory.set_contents(handle, data):
            return ResultCode.memFullErr
        return memory.error(0)

    @routine("FUNCTION HandToHand (VAR theHndl: Handle): OSErr", architecture="powerpc")
    def hand_to_hand(self, variable: int) -> int:
        """Make a copy of a handle and its contents, and put it in the handle's place."""
        copy, error = self._copy(self.guest.u32(variable))
        if not error:
            self.guest.put32(variable, copy)
        return error

    @routine(
        "FUNCTION HandToHand (theHndl: Handle): Handle", registers="A0 -> A0", architecture="m68k"
    )
    def hand_to_hand_68k(self, handle: int) -> int:
        """The same, with the error in D0."""
        copy, error = self._copy(handle)
        self.also_return("d0", error)
        return handle if error else copy

    def _copy(self, handle: int) -> tuple[int, int]:
        memory = self._memory
        if not memory.check_handle(handle):
            return 0, ResultCode.memWZErr
        copy = memory.handle_from(memory.contents(handle))
        return copy, 0 if copy else ResultCode.memFullErr

    @routine("FUNCTION RecoverHandle (p: Ptr): Handle", variants={"RecoverHandleSys": 0xA528})
    def recover_handle(self, address: int, *, trap: int = 0) -> int:
        """The handle of the relocatable block whose contents are at an address."""
        memory, address = self._memory, self.host.stripped(address)
        block = memory.zones.at(address).blocks.get(address)
        if block is not None and block.handle:
            memory.error(0)
            return block.handle
        memory.error(ResultCode.memWZErr)
        return 0
