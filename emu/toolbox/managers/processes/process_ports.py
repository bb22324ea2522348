"""The names by which programs send each other high-level events: there is one program, with one.

The high-level event that there may be, "open application", is for AEProcessAppleEvent; it has no
message that these routines could give.
Source: Inside Macintosh: Processes, chapter 2; Macintosh Toolbox Essentials, chapter 2 "Event
Manager"; Inside Macintosh: Interapplication Communication, chapter 11 (the port record).
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.managers.processes.processes import THE_PROCESS, ProcessManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import ProcessSerialNumber

_OS_DISPATCH = 0xA88F

_PORT = struct.Struct(">h34ph34p")
"""A PPCPortRec: script, name, kind of type, type."""

_BY_STRING = 2
_TYPE_ENDS = b"ep01"
"""What follows a program's creator code in the type of its port for high-level events."""


class ProcessPorts(Manager):
    """The program's port."""

    title = "Process Manager"

    _processes: ProcessManager

    def _port(self) -> bytes:
        application = self.host.application
        name = application.name.encode("mac_roman", "replace")[:31]
        kind = application.creator.encode("mac_roman", "replace")[:4] + _TYPE_ENDS
        return _PORT.pack(0, name, _BY_STRING, kind)

    @routine("FUNCTION GetPortNameFromProcessSerialNumber (VAR portName: Ptr; PSN: Ptr): OSErr")
    def port_of(self, port: int, serial: int) -> int:
        """The name of a process's port."""
        if not self._processes.is_ours(serial):
            return ResultCode.procNotFound
        self.guest.write(port, self._port())
        return 0

    @routine(
        "FUNCTION GetProcessSerialNumberFromPortName (portName: Ptr; "
        "VAR PSN: ProcessSerialNumber): OSErr"
    )
    def process_of(self, port: int, serial: int) -> int:
        """The process that has a port."""
        if self.guest.read(port, _PORT.size) != self._port():
            return ResultCode.noPortErr
        number = ProcessSerialNumber(self.guest, serial)
        number.highLongOfPSN, number.lowLongOfPSN = 0, THE_PROCESS
        return 0

    @routine(
        "FUNCTION AcceptHighLevelEvent (VAR sender: Ptr; VAR msgRefcon: LONGINT; msgBuff: Ptr; "
        "VAR msgLen: LONGINT): OSErr"
    )
    def accept(self, sender: int, reference: int, message: int, length: int) -> int:
        """Read the message of a high-level event: none has one."""
        return ResultCode.noOutstandingHLE

    @routine(
        "FUNCTION GetSpecificHighLevelEvent (aFilter: ProcPtr; yourDataPtr: Ptr; "
        "VAR err: OSErr): BOOLEAN"
    )
    def choose(self, choice: int, data: int, error: int) -> bool:
        """Let the program choose a high-level event by its message: none has one."""
        self.guest.put16(error, ResultCode.noOutstandingHLE)
        return False

    @routine(
        "FUNCTION OSDispatch2 (place: Ptr): LONGINT",
        trap=_OS_DISPATCH,
        selector=("stack", 2),
        architecture="m68k",
    )
    def private_call(self, place: int) -> int:
        """A private call of Microsoft's programs: 0; no document tells what it is asked for."""
        return 0
