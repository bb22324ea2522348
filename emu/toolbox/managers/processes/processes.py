"""The Process Manager: the program is the only process, and in front.

Source: Inside Macintosh: Processes, chapter 2.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import ProcessInfoRec, ProcessSerialNumber

_OS_DISPATCH = 0xA88F
_NONE, _CURRENT = 0, 2
THE_PROCESS = 0x2001
"""The low half of the program's process serial number; its high half is 0."""

_LAUNCHER = 0x2000
"""The same of the Finder, which has started the program and is no longer there."""


class ProcessManager(Manager):
    """Tells of the one process that there is."""

    title = "Process Manager"

    _memory: MemoryManager

    def is_ours(self, serial: int) -> bool:
        """Whether the process serial number at an address means the program."""
        number = ProcessSerialNumber(self.guest, serial)
        return number.highLongOfPSN == 0 and number.lowLongOfPSN in (_CURRENT, THE_PROCESS)

    def _tell(self, serial: int) -> int:
        number = ProcessSerialNumber(self.guest, serial)
        number.highLongOfPSN, number.lowLongOfPSN = 0, THE_PROCESS
        return 0

    @routine("FUNCTION GetCurrentProcess (VAR PSN: ProcessSerialNumber): OSErr")
    def get_current_process(self, serial: int) -> int:
        """The program's serial number."""
        return self._tell(serial)

    @routine(
        "FUNCTION GetFrontProcess (VAR PSN: ProcessSerialNumber; minusOne: LONGINT): OSErr",
        trap=_OS_DISPATCH,
        selector=("stack", 0x39),
        architecture="m68k",
    )
    def get_front_process_68k(self, serial: int, minus_one: int) -> int:
        """The same; the compilers' interfaces push a further long word."""
        return self._tell(serial)

    @routine(
        "FUNCTION GetFrontProcess (VAR PSN: ProcessSerialNumber): OSErr", architecture="powerpc"
    )
    def get_front_process(self, serial: int) -> int:
        """The program's serial number: it is in front."""
        return self._tell(serial)

    @routine("FUNCTION GetNextProcess (VAR PSN: ProcessSerialNumber): OSErr")
    def get_next_process(self, serial: int) -> int:
        """The process after another one; after none comes the program, and after it none."""
        number = ProcessSerialNumber(self.guest, serial)
        if (number.highLongOfPSN, number.lowLongOfPSN) == (0, _NONE):
            return self._tell(serial)
        number.highLongOfPSN, number.lowLongOfPSN = 0, _NONE
        return ResultCode.procNotFound

    @routine("FUNCTION SetFrontProcess (VAR PSN: ProcessSerialNumber): OSErr")
    def set_front_process(self, serial: int) -> int:
        """Bring a process to the front, where the program is already."""
        return 0 if self.is_ours(serial) else ResultCode.procNotFound

    @routine("FUNCTION WakeUpProcess (VAR PSN: ProcessSerialNumber): OSErr")
    def wake_up_process(self, serial: int) -> int:
        """Let a process go on that waits in WaitNextEvent: the program does not wait now."""
        return 0 if self.is_ours(serial) else ResultCode.procNotFound

    @routine(
        "FUNCTION SameProcess (VAR PSN1,PSN2: ProcessSerialNumber; VAR result: BOOLEAN): OSErr"
    )
    def same_process(self, first: int, second: int, result: int) -> int:
        """Whether two serial numbers mean the same process."""
        same = all(map(self.is_ours, (first, second)))
        self.guest.put8(result, same or self.guest.read(first, 8) == self.guest.read(second, 8))
        return 0

    @routine(
        "FUNCTION GetProcessInformation (VAR PSN: ProcessSerialNumber; "
        "VAR info: ProcessInfoRec): OSErr"
    )
    def get_process_information(self, serial: int, information: int) -> int:
        """Describe the program; its file is not told, since it is not on its disk."""
        if not self.is_ours(serial):
            return ResultCode.procNotFound
        info, heap = ProcessInfoRec(self.guest, information), self._memory.heap
        if info.processName:
            name = self.host.application.name.encode("mac_roman", "replace")[:31]
            self.guest.put_pascal_string(info.processName, name)
        self._tell(info.address_of(ProcessInfoRec.processNumber))
        info.processType = b"APPL"
        info.processSignature = self.host.application.creator.encode("mac_roman", "replace")
        info.processMode = 0
        info.processLocation = self.guest.u32(LowMemory.APPLICATION_ZONE)
        info.processSize, info.processFreeMem = self.host.layout.heap_size, heap.free
        launcher = info.address_of(ProcessInfoRec.processLauncher)
        ProcessSerialNumber(self.guest, launcher).highLongOfPSN = 0
        ProcessSerialNumber(self.guest, launcher).lowLongOfPSN = _LAUNCHER
        info.processLaunchDate = 0
        info.processActiveTime = self.host.clock.ticks()
        return 0
