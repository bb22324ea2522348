"""The Device Manager: this Macintosh has no device drivers besides those of its disk.

A program that installs a driver of its own (THINK C's console does, for its output) is told that
there is no room in the unit table, and goes on without one.
Source: Inside Macintosh II, chapter 6 "The Device Manager", and p. II-177 for the traps;
Inside Macintosh: Devices, chapter 1 (DriverInstall, DriverRemove, result codes).
"""

from __future__ import annotations

from emu.toolbox.declaration import routine
from emu.toolbox.manager import Manager
from emu.toolbox.records.files import IOParam

_NO_UNIT = -21
"""badUnitErr: the reference number is that of no unit."""
_NOT_FOUND = -43
_UNIT_TABLE_FULL = -1


class DeviceManager(Manager):
    """Drivers: there are none."""

    title = "Device Manager"

    @routine(
        "FUNCTION DriverInstall (drvrHandle: Ptr; refNum: INTEGER): OSErr",
        trap=0xA03D,
        registers="A0,D0 -> D0",
        variants={"DriverInstallReserveMem": 0xA43D},
    )
    def driver_install(self, driver: int, reference: int, *, trap: int) -> int:
        """Install a driver: refused, as if the unit table were full."""
        return _UNIT_TABLE_FULL

    @routine("FUNCTION DriverRemove (refNum: INTEGER): OSErr", trap=0xA03E, registers="D0 -> D0")
    def driver_remove(self, reference: int) -> int:
        """Remove a driver: there is none to remove."""
        return _NO_UNIT

    @routine(
        "FUNCTION PBControl (paramBlock: ParmBlkPtr; async: BOOLEAN): OSErr", architecture="powerpc"
    )
    def control(self, block: int, later: bool) -> int:
        """Send a command to a driver: no unit has this number."""
        return self._refuse(block)

    @routine(
        "FUNCTION PBStatus (paramBlock: ParmBlkPtr; async: BOOLEAN): OSErr", architecture="powerpc"
    )
    def status(self, block: int, later: bool) -> int:
        """Ask a driver about its state: no unit has this number."""
        return self._refuse(block)

    @routine(
        "FUNCTION PBControl (paramBlock: ParmBlkPtr): OSErr",
        trap=0xA004,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def control_68k(self, block: int) -> int:
        """The same."""
        return self._refuse(block)

    @routine(
        "FUNCTION PBStatus (paramBlock: ParmBlkPtr): OSErr",
        trap=0xA005,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def status_68k(self, block: int) -> int:
        """The same."""
        return self._refuse(block)

    @routine(
        "FUNCTION PBKillIO (paramBlock: ParmBlkPtr): OSErr",
        trap=0xA006,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def kill_io_68k(self, block: int) -> int:
        """Stop what a driver is doing: no unit has this number."""
        return self._refuse(block)

    def _refuse(self, block: int) -> int:
        IOParam(self.guest, block).ioResult = _NO_UNIT
        return _NO_UNIT

    @routine("FUNCTION OpenDriver (name: Str255; VAR drvrRefNum: INTEGER): OSErr")
    def open_driver(self, name: int, reference: int) -> int:
        """Open a driver by its name: there is none of any name."""
        return _NOT_FOUND

    @routine("FUNCTION CloseDriver (refNum: INTEGER): OSErr")
    def close_driver(self, reference: int) -> int:
        """Close a driver: none is open."""
        return _NO_UNIT

    @routine(
        "FUNCTION Control (refNum: INTEGER; csCode: INTEGER; csParamPtr: Ptr): OSErr",
        architecture="powerpc",
    )
    def control_call(self, reference: int, code: int, parameters: int) -> int:
        """Send a command to a driver: no unit has this number."""
        return _NO_UNIT

    @routine(
        "FUNCTION Status (refNum: INTEGER; csCode: INTEGER; csParamPtr: Ptr): OSErr",
        architecture="powerpc",
    )
    def status_call(self, reference: int, code: int, parameters: int) -> int:
        """Ask a driver about its state: no unit has this number."""
        return _NO_UNIT

    @routine("FUNCTION GetDCtlEntry (refNum: INTEGER): Handle")
    def get_d_ctl_entry(self, reference: int) -> int:
        """The entry of a unit: nil, since there is no unit."""
        return 0
