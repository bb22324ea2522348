"""Drivers that a program opens by name: those of the machine, and 68K code that it brings along.

The latter are found in the unit table or in a 'DRVR' resource, whose ID is the number of the unit.
A driver's routines get the parameter block in A0 and the driver's entry in A1. There is no queue: a
driver that is still busy when its routine comes back (ioResult above 0) calls IODone when it will.
In a program for the PowerPC the second processor, which executes 68K code, executes drivers.
Sources: Inside Macintosh: Devices, chapter 1 "Device Manager" ("Writing a Device Driver",
"Installing a Device Driver"); Inside Macintosh II, p. II-181 (flags of drivers).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.hardware.devices import (
    DRIVER_IN_HANDLE,
    DRIVER_OPEN,
    UNITS,
    DeviceManager,
)
from emu.toolbox.managers.hardware.system_drivers import DriverError, SystemDrivers
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.files import IOParam
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import DriverHeader

READ, WRITE = 2, 3
"""aRdCmd and aWrCmd: the low byte of ioTrap, by which a driver's one routine for both knows."""
_MAY_READ, _MAY_WRITE, _LOCKED = 0x0100, 0x0200, 0x4000
_FROM_START, _FROM_MARK = 1, 3
_NAME = DriverHeader.size


@dataclass(frozen=True, slots=True)
class FoundDriver:
    """A driver in a resource: the number of its unit, and the handle."""

    unit: int
    handle: int


class ProgramDrivers(Manager):
    """Opens, closes, reads and writes them.

    Attributes:
        find_resource: finds the driver in resources that has a name.
    """

    _memory: MemoryManager
    _system: SystemDrivers
    _devices: DeviceManager

    def __post_init__(self) -> None:
        self.find_resource: Callable[[bytes], FoundDriver | None] = lambda name: None

    # -- for the File Manager ----------------------------------------------------------------------

    def open(self, name: bytes, block: IOParam) -> int | None:
        """Open a driver of the program's; its result code, or None if it has none so named."""
        reference = self._installed(name) or self._load(name)
        entry = self._devices.driver(reference) if reference else None
        if entry is None:
            return None
        block.ioRefNum = reference
        if entry.dCtlFlags & DRIVER_OPEN:
            return 0
        result = self._devices.perform(block.address, DriverHeader.drvrOpen.offset)
        entry = self._devices.driver(reference)
        if result >= 0 and entry is not None:
            entry.dCtlFlags |= DRIVER_OPEN
        return min(result, 0)

    def close(self, block: IOParam) -> int | None:
        """Close such a driver; None if there is none of the block's number."""
        entry = self._devices.driver(block.ioRefNum)
        if entry is None:
            return None
        if not entry.dCtlFlags & DRIVER_OPEN:
            return ResultCode.notOpenErr
        result = self._devices.perform(block.address, DriverHeader.drvrClose.offset)
        entry = self._devices.driver(block.ioRefNum)
        if result >= 0 and entry is not None:
            entry.dCtlFlags &= ~DRIVER_OPEN
        return min(result, 0)

    def transfer(self, block: IOParam, command: int) -> int | None:
        """Have such a driver read or write; None if there is none of the block's number."""
        entry = self._devices.driver(block.ioRefNum)
        if entry is None:
            return None
        if not entry.dCtlFlags & DRIVER_OPEN:
            return ResultCode.notOpenErr
        if not entry.dCtlFlags & (_MAY_READ if command == READ else _MAY_WRITE):
            return ResultCode.readErr if command == READ else ResultCode.writErr
        mode = block.ioPosMode & 3
        if mode == _FROM_START:
            entry.dCtlPosition = block.ioPosOffset
        elif mode == _FROM_MARK:
            entry.dCtlPosition += block.ioPosOffset
        block.ioTrap = block.ioTrap & 0xFF00 | command
        return self._devices.perform(block.address, DriverHeader.drvrPrime.offset)

    def _installed(self, name: bytes) -> int:
        """The reference number of the driver in the unit table that has a name; 0 if none has."""
        for entry in self._devices.drivers():
            header = self._devices.header_of(entry)
            if self.guest.is_mapped(header, _NAME + 1):
                known = self.guest.pascal_string(header + _NAME)
                if known.lower() == name.lower():
                    return int(entry.dCtlRefNum)
        return 0

    def _load(self, name: bytes) -> int:
        """Install the driver that a 'DRVR' resource holds; its reference number, or 0."""
        found = self.find_resource(name)
        if found is None or self._devices.driver(~found.unit) is not None:
            return 0
        driver, reference = found.handle, ~found.unit
        if not 0 <= found.unit < UNITS or self._memory.handle_size(driver) < _NAME:
            return 0
        self._devices.install(self._memory.address(driver), reference)
        entry = self._devices.driver(reference)
        if entry is None:
            return 0
        entry.dCtlDriver = driver
        entry.dCtlFlags |= DRIVER_IN_HANDLE
        if entry.dCtlFlags & _LOCKED:
            self._memory.lock(driver)
        return reference

    # -- routines ----------------------------------------------------------------------------------

    @routine("FUNCTION OpenDriver (name: Str255; VAR drvrRefNum: INTEGER): OSErr")
    def open_driver(self, name: int, reference: int) -> int:
        """Open a driver by its name: one of the machine, or one that the program brings."""
        text = self.guest.pascal_string(name)
        opened = self._system.open(text)
        if opened:
            self.guest.put16(reference, opened)
            return 0
        block = IOParam(self.guest, self._memory.new_pointer(IOParam.size, clear=True))
        block.ioNamePtr = name
        result = self.open(text, block)
        if result == 0:
            self.guest.put16(reference, block.ioRefNum)
        self._memory.dispose_pointer(block.address)
        return ResultCode.fnfErr if result is None else result

    @routine("FUNCTION CloseDriver (refNum: INTEGER): OSErr")
    def close_driver(self, reference: int) -> int:
        """Close a driver of the machine or of the program."""
        try:
            if self._system.close(reference):
                return 0
        except DriverError as error:
            return error.code
        block = IOParam(self.guest, self._memory.new_pointer(IOParam.size, clear=True))
        block.ioRefNum = reference
        result = self.close(block)
        self._memory.dispose_pointer(block.address)
        return ResultCode.badUnitErr if result is None else result
