"""The Device Manager: drivers that a program installs itself, and those of the machine.

A driver that a program installs is 68K code with five routines. It does so mostly to have a desk
accessory of its own: THINK C's console is one, and gets its keys and clicks that way.
Source: Inside Macintosh II, chapter 6 "The Device Manager", and p. II-177 for the traps;
Inside Macintosh: Devices, chapter 1 (DriverInstall, DriverRemove, result codes).
"""

from __future__ import annotations

from collections.abc import Iterator

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import ROM_IO_DONE, LowMemory
from emu.toolbox.managers.hardware.system_drivers import DriverError, SystemDrivers
from emu.toolbox.managers.memory import block as heap
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.files import CntrlParam, IOParam
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DCtlEntry, DriverHeader

_UNIT_TABLE_FULL = -1

_UNIT_TABLE, UNITS = 0x2E00, 64

DRIVER_OPEN = 0x20
"""The bit of dCtlFlags that says that the driver is open."""
DRIVER_IN_HANDLE = 0x40
"""The bit that says that dCtlDriver is a handle, not a pointer."""

_RETURN = bytes.fromhex("4e75")
"""rts: what IODone does where no calls are queued."""

_KILL = 1

_COMPLETION = "PROCEDURE IOCompletion (paramBlock: ParmBlkPtr; result: OSErr)"
_ASYNCHRONOUS = 0x400
_DRIVER = "FUNCTION Driver (block: Ptr; entry: Ptr): INTEGER"


class DeviceManager(Manager):
    """Drivers, by the units of the unit table."""

    _memory: MemoryManager
    _system: SystemDrivers

    def start(self) -> None:
        """The unit table has entries for drivers, and all are empty."""
        self.guest.put32(LowMemory.UNIT_TABLE, _UNIT_TABLE)
        self.guest.put16(LowMemory.UNIT_COUNT, UNITS)
        self.guest.memory.write(ROM_IO_DONE, _RETURN)
        self.guest.put32(LowMemory.IO_DONE_VECTOR, ROM_IO_DONE)

    # -- for other managers ------------------------------------------------------------------------

    def drivers(self) -> Iterator[DCtlEntry]:
        """What is kept of each driver that is installed."""
        for unit in range(UNITS):
            entry = self.driver(~unit)
            if entry is not None:
                yield entry

    def driver(self, reference: int) -> DCtlEntry | None:
        """What is kept of the driver with a reference number; None if there is no such driver."""
        handle = self._handle(reference)
        return DCtlEntry(self.guest, self._memory.address(handle)) if handle else None

    def header_of(self, entry: DCtlEntry) -> int:
        """The address of a driver's header."""
        driver = int(entry.dCtlDriver)
        return self.guest.u32(driver) if entry.dCtlFlags & DRIVER_IN_HANDLE else driver

    def tell(self, reference: int, code: int, parameter: int = 0) -> None:
        """Send a command to a driver, if it is installed.

        Args:
            reference: its reference number.
            code: the command, such as 64 (accEvent).
            parameter: the long word that goes with it, such as the address of an event.
        """
        self._send(reference, code, parameter, DriverHeader.drvrCtl.offset)

    def close(self, reference: int) -> None:
        """Close a driver, if it is installed."""
        self._send(reference, 0, 0, DriverHeader.drvrClose.offset)

    def _send(self, reference: int, code: int, parameter: int, routine_at: int) -> None:
        """Have a driver do a call whose parameter block lies on the program's stack."""
        if not self._handle(reference):
            return
        engine = self.host.engine
        registers, stack_pointer = engine.registers, engine.index[self.host.cpu.stack_pointer]
        registers[stack_pointer] -= CntrlParam.size
        block = CntrlParam(self.guest, registers[stack_pointer])
        self.guest.write(block.address, bytes(CntrlParam.size))
        block.ioCRefNum, block.csCode = reference, code
        self.guest.put32(block.address + CntrlParam.csParam.offset, parameter)
        self.perform(block.address, routine_at)
        registers[stack_pointer] += CntrlParam.size

    def _handle(self, reference: int) -> int:
        if not 0 <= ~reference < UNITS:
            return 0
        return self.guest.u32(_UNIT_TABLE + 4 * ~reference)

    def perform(self, block: int, routine_at: int) -> int:
        """Have a driver do a call; its result.

        Args:
            block: the address of the call's parameter block.
            routine_at: where in the driver's header the offset of the routine is.
        """
        record = IOParam(self.guest, block)
        system = self._of_system(block, routine_at)
        if system is not None:
            record.ioResult = system
            return system
        handle = self._handle(record.ioRefNum)
        if not handle:
            record.ioResult = ResultCode.badUnitErr
            return ResultCode.badUnitErr
        before = self._memory.flags(handle)
        self._memory.lock(handle)
        entry = DCtlEntry(self.guest, self._memory.address(handle))
        driver = self.header_of(entry)
        code = driver + self.guest.i16(driver + routine_at)
        registers = "A0,A1 -> D0"
        result = self.host.call_guest(code, _DRIVER, block, entry.address, registers=registers)
        if self._memory.is_handle(handle) and not before & heap.LOCKED:
            self._memory.unlock(handle)
        record.ioResult = result
        return int(result)

    def _of_system(self, block: int, routine_at: int) -> int | None:
        """Have a driver of the machine do a call; None if it is for no such driver."""
        parameters = CntrlParam(self.guest, block)
        try:
            driver = self._system.find(parameters.ioCRefNum)
        except DriverError as error:
            return error.code
        if driver is None:
            return None
        is_question = routine_at == DriverHeader.drvrStatus.offset
        return driver.status(parameters) if is_question else driver.control(parameters)

    # -- installing --------------------------------------------------------------------------------

    @routine(
        "FUNCTION DriverInstall (drvrHandle: Ptr; refNum: INTEGER): OSErr",
        architecture="powerpc",
        imports=("DrvrInstall",),
    )
    def driver_install(self, driver: int, reference: int) -> int:
        """Make an entry in the unit table, which GetDCtlEntry finds, for the rest to be set."""
        if not 0 <= ~reference < UNITS:
            return ResultCode.badUnitErr
        return 0 if self.install(driver, reference) else _UNIT_TABLE_FULL

    @routine(
        "FUNCTION DriverInstall (drvrHandle: Ptr; refNum: INTEGER): OSErr",
        trap=0xA03D,
        registers="A0,D0 -> D0",
        variants={"DriverInstallImmed": 0xA13D, "DriverInstallReserveMem": 0xA43D},
        architecture="m68k",
    )
    def driver_install_68k(self, driver: int, reference: int, *, trap: int) -> int:
        """Make an entry in the unit table; its handle comes back in A0, for the rest to be set."""
        result = self.driver_install(driver, reference)
        if not result:
            self.also_return("a0", self._handle(reference))
        return result

    def install(self, driver: int, reference: int) -> int:
        """Make an entry in the unit table for the driver at an address; its handle, or 0."""
        handle = self._handle(reference) or self._memory.new_handle(DCtlEntry.size, clear=True)
        if not handle:
            return 0
        entry = DCtlEntry(self.guest, self._memory.address(handle))
        entry.dCtlDriver, entry.dCtlRefNum = driver, reference
        if self.guest.is_mapped(driver, DriverHeader.size):
            header = DriverHeader(self.guest, driver)
            entry.dCtlFlags, entry.dCtlDelay = header.drvrFlags, header.drvrDelay
            entry.dCtlEMask, entry.dCtlMenu = header.drvrEMask, header.drvrMenu
        self.guest.put32(_UNIT_TABLE + 4 * ~reference, handle)
        return handle

    @routine(
        "FUNCTION DriverRemove (refNum: INTEGER): OSErr",
        trap=0xA03E,
        registers="D0 -> D0",
        imports=("DrvrRemove",),
    )
    def driver_remove(self, reference: int) -> int:
        """Remove a driver that is not open from the unit table."""
        entry = self.driver(reference)
        if entry is None:
            return ResultCode.badUnitErr
        if entry.dCtlFlags & DRIVER_OPEN:
            return ResultCode.dRemovErr
        handle = self._handle(reference)
        self.guest.put32(_UNIT_TABLE + 4 * ~reference, 0)
        self._memory.dispose_handle(handle)
        return 0

    @routine("FUNCTION GetDCtlEntry (refNum: INTEGER): Handle")
    def get_d_ctl_entry(self, reference: int) -> int:
        """The entry of a driver; nil if there is no such driver."""
        return self._handle(reference)

    # -- commands ----------------------------------------------------------------------------------

    @routine(
        "FUNCTION PBControl (paramBlock: ParmBlkPtr; async: BOOLEAN): OSErr", architecture="powerpc"
    )
    @routine(
        "FUNCTION PBControlSync (paramBlock: ParmBlkPtr): OSErr",
        architecture="powerpc",
        imports=("PBControlImmed",),
    )
    def control(self, block: int, later: bool = False) -> int:
        """Send a command to a driver."""
        result = self.perform(block, DriverHeader.drvrCtl.offset)
        if later:
            self.complete(block, result)
        return result

    @routine("FUNCTION PBControlAsync (paramBlock: ParmBlkPtr): OSErr", architecture="powerpc")
    def control_later(self, block: int) -> int:
        """Send a command whose end is told to a completion routine."""
        return self.control(block, True)

    @routine(
        "FUNCTION PBControl (paramBlock: ParmBlkPtr): OSErr",
        trap=0xA004,
        registers="A0 -> D0",
        variants={"PBControlImmed": 0xA204, "PBControlAsync": 0xA404},
        architecture="m68k",
    )
    def control_68k(self, block: int, *, trap: int) -> int:
        """Send a command to a driver."""
        return self.control(block, bool(trap & _ASYNCHRONOUS))

    @routine(
        "FUNCTION PBStatus (paramBlock: ParmBlkPtr; async: BOOLEAN): OSErr", architecture="powerpc"
    )
    @routine(
        "FUNCTION PBStatusSync (paramBlock: ParmBlkPtr): OSErr",
        architecture="powerpc",
        imports=("PBStatusImmed",),
    )
    def status(self, block: int, later: bool = False) -> int:
        """Ask a driver about its state."""
        result = self.perform(block, DriverHeader.drvrStatus.offset)
        if later:
            self.complete(block, result)
        return result

    @routine("FUNCTION PBStatusAsync (paramBlock: ParmBlkPtr): OSErr", architecture="powerpc")
    def status_later(self, block: int) -> int:
        """Ask a driver, whose answer is told to a completion routine."""
        return self.status(block, True)

    @routine(
        "FUNCTION PBStatus (paramBlock: ParmBlkPtr): OSErr",
        trap=0xA005,
        registers="A0 -> D0",
        variants={"PBStatusImmed": 0xA205, "PBStatusAsync": 0xA405},
        architecture="m68k",
    )
    def status_68k(self, block: int, *, trap: int) -> int:
        """Ask a driver about its state."""
        return self.status(block, bool(trap & _ASYNCHRONOUS))

    def complete(self, block: int, result: int) -> None:
        """Call a parameter block's completion routine, unless the call is still under way."""
        completion = IOParam(self.guest, block).ioCompletion
        if completion and result <= 0:
            self.host.call_guest(completion, _COMPLETION, block, result, registers="A0,D0")

    @routine("FUNCTION KillIO (refNum: INTEGER): OSErr", architecture="powerpc")
    def kill_io(self, reference: int) -> int:
        """Have a driver stop what it is doing."""
        return self._command(reference, _KILL, 0, DriverHeader.drvrCtl.offset)

    @routine("FUNCTION PBKillIO (paramBlock: ParmBlkPtr): OSErr", architecture="m68k")
    def kill_io_68k(self, block: int) -> int:
        """Have a driver stop what it is doing: a command of its own."""
        CntrlParam(self.guest, block).csCode = _KILL
        return self.perform(block, DriverHeader.drvrCtl.offset)

    @routine(
        "FUNCTION Control (refNum: INTEGER; csCode: INTEGER; csParamPtr: Ptr): OSErr",
        architecture="powerpc",
    )
    def control_call(self, reference: int, code: int, parameters: int) -> int:
        """Send a command to a driver of the machine."""
        return self._command(reference, code, parameters, DriverHeader.drvrCtl.offset)

    @routine(
        "FUNCTION Status (refNum: INTEGER; csCode: INTEGER; csParamPtr: Ptr): OSErr",
        architecture="powerpc",
    )
    def status_call(self, reference: int, code: int, parameters: int) -> int:
        """Ask a driver of the machine about its state."""
        return self._command(reference, code, parameters, DriverHeader.drvrStatus.offset)

    def _command(self, reference: int, code: int, parameters: int, routine_at: int) -> int:
        """Do a call without a parameter block: csParam is copied to one and, of answers, back."""
        size = CntrlParam.size - CntrlParam.csParam.offset
        block = CntrlParam(self.guest, self._memory.new_pointer(CntrlParam.size, clear=True))
        block.ioCRefNum, block.csCode = reference, code
        inside = block.address + CntrlParam.csParam.offset
        if parameters:
            self.guest.write(inside, self.guest.read(parameters, size))
        result = self.perform(block.address, routine_at)
        if parameters and routine_at == DriverHeader.drvrStatus.offset:
            self.guest.write(parameters, self.guest.read(inside, size))
        self._memory.dispose_pointer(block.address)
        return result
