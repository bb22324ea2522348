"""The Mixed Mode Manager, as far as programs use it to hand out their routines.

Source: Inside Macintosh: PowerPC System Software, p. 2-39 (RoutineDescriptor).
"""

from __future__ import annotations

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.system import RoutineDescriptor

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
        address = self._memory.new_pointer(RoutineDescriptor.size)
        if address:
            descriptor = RoutineDescriptor(self.guest, address)
            descriptor.clear()
            descriptor.goMixedModeTrap, descriptor.version = _TRAP, _VERSION
            routine_record = descriptor.routineRecords
            routine_record.procInfo, routine_record.ISA = information, processor
            routine_record.procDescriptor = procedure
        return address

    @routine("PROCEDURE DisposeRoutineDescriptor (theDescriptor: ProcPtr)", architecture="powerpc")
    def dispose_routine_descriptor(self, address: int) -> None:
        """Free a descriptor."""
        if address and RoutineDescriptor(self.guest, address).goMixedModeTrap == _TRAP:
            self._memory.dispose_pointer(address)
