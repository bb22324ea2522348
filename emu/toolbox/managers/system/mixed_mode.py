"""The Mixed Mode Manager, as far as programs use it to hand out their routines.

Source: Inside Macintosh: PowerPC System Software, p. 2-39 (RoutineDescriptor).
"""

from __future__ import annotations

import struct

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager

_DESCRIPTOR = struct.Struct(">HBBIBBH IBBHIII")
_TRAP = 0xAAFE
_VERSION = 7


class MixedModeManager(Manager):
    """Routine descriptors."""

    title = "Mixed Mode Manager"
    plumbing = True

    _memory: MemoryManager

    @routine(
        "FUNCTION NewRoutineDescriptor (theProc: ProcPtr; theProcInfo: UInt32; "
        "theISA: SignedByte): ProcPtr",
        architecture="powerpc",
    )
    def new_routine_descriptor(self, procedure: int, information: int, processor: int) -> int:
        """A descriptor of a routine; 0 if memory is full."""
        if not procedure:
            return 0
        address = int(self._memory.new_pointer(_DESCRIPTOR.size))
        if address:
            data = _DESCRIPTOR.pack(
                _TRAP, _VERSION, 0, 0, 0, 0, 0, information, 0, processor & 0xFF, 0, procedure, 0, 0
            )
            self.guest.write(address, data)
        return address

    @routine("PROCEDURE DisposeRoutineDescriptor (theDescriptor: ProcPtr)", architecture="powerpc")
    def dispose_routine_descriptor(self, address: int) -> None:
        """Free a descriptor."""
        if address and self.guest.u16(address) == _TRAP:
            self._memory.dispose_pointer(address)
