"""The Mixed Mode Manager, as far as programs use it to hand out their routines.

Source: Inside Macintosh: PowerPC System Software, chapter 2; p. 2-39 (RoutineDescriptor).
"""

from __future__ import annotations

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.procedure_information import ROUTINE_DESCRIPTOR, ProcedureInformation
from emu.toolbox.calls.trap_table import trap_at
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.system import RoutineDescriptor

_VERSION = 7


class MixedModeManager(Manager):
    """Routine descriptors."""

    plumbing = True
    powerpc_only = True

    _memory: MemoryManager
    _dispatcher: Dispatcher

    def __post_init__(self) -> None:
        self._exception_handler = 0

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
            descriptor.goMixedModeTrap, descriptor.version = ROUTINE_DESCRIPTOR, _VERSION
            routine_record = descriptor.routineRecords
            routine_record.procInfo, routine_record.ISA = information, processor
            routine_record.procDescriptor = procedure
        return address

    @routine("PROCEDURE DisposeRoutineDescriptor (theDescriptor: ProcPtr)", architecture="powerpc")
    def dispose_routine_descriptor(self, address: int) -> None:
        """Free a descriptor."""
        if address and RoutineDescriptor(self.guest, address).goMixedModeTrap == ROUTINE_DESCRIPTOR:
            self._memory.dispose_pointer(address)

    @routine(
        "FUNCTION NewRoutineDescriptor (theProc: ProcPtr; theProcInfo: UInt32; "
        "theISA: SignedByte): ProcPtr",
        architecture="m68k",
    )
    def plain_procedure(self, procedure: int, information: int, processor: int) -> int:
        """The routine itself: a 68K Macintosh has no descriptors."""
        return procedure

    @routine("PROCEDURE DisposeRoutineDescriptor (theDescriptor: ProcPtr)", architecture="m68k")
    def keep_procedure(self, address: int) -> None:
        """Do nothing; see `plain_procedure`."""

    @routine(
        "PROCEDURE CallUniversalProc (theProcPtr: ProcPtr; theProcInfo: UInt32)",
        architecture="powerpc",
        imports=("CallOSTrapUniversalProc",),
    )
    def call_universal_proc(self, procedure: int, information: int) -> None:
        """Go on in a routine, whose own arguments follow; 68K code is done at once.

        So is a trap that takes registers: its routine of the same name has other arguments.

        Raises:
            GuestStopped: the routine is nil.
        """
        if not procedure:
            raise self.host.stopped("CallUniversalProc was given nil, and not a routine")
        dispatcher = self._dispatcher
        assert isinstance(dispatcher, PowerPcDispatcher)
        convention = ProcedureInformation.of(information)
        count, is_trap = convention.count, trap_at(procedure) is not None
        if self.host.is_68k(procedure) or (is_trap and convention.is_by_registers):
            words = dispatcher.further_arguments(2, count)
            dispatcher.give_result(self.host.call_68k(procedure, information, words))
            return
        dispatcher.drop_arguments(2, count)
        dispatcher.go_on_in(procedure)

    @routine(
        "FUNCTION InstallExceptionHandler (theHandler: ProcPtr): ProcPtr", architecture="powerpc"
    )
    def install_exception_handler(self, handler: int) -> int:
        """Have a routine called at exceptions of the PowerPC; the one before.

        None is called: an exception ends the run, and the report says which and where.
        """
        before, self._exception_handler = self._exception_handler, handler
        return before
