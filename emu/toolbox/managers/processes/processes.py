"""The Process Manager: the program is the only process, and in front.

Nothing is launched: a program that only looks whether there is another one is answered as a Mac
with no memory to spare answers. The high-level event that there may be, "open application", is for
AEProcessAppleEvent; it has no message that the routines on ports could give.
Sources: Inside Macintosh: Processes, chapter 2 (LaunchParamBlockRec, LaunchApplication); Inside
Macintosh II, chapter "The Segment Loader" (Launch, Chain); Macintosh Toolbox Essentials, chapter 2
"Event Manager"; Interapplication Communication, chapter 11 (the port record).
"""

from __future__ import annotations

import struct

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.files.errors import FileError
from emu.toolbox.managers.files.manager import VOLUME_REFERENCE, FileManager
from emu.toolbox.managers.files.nodes import Node
from emu.toolbox.managers.files.volume import ROOT_ID
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.fields import int16, int32, pointer, uint16
from emu.toolbox.records.files import FSSpec
from emu.toolbox.records.record import Record
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import ProcessInfoRec, ProcessSerialNumber

_OS_DISPATCH = 0xA88F
_NONE, _CURRENT = 0, 2
THE_PROCESS = 0x2001
"""The low half of the program's process serial number; its high half is 0."""

_LAUNCHER = 0x2000
"""The same of the Finder, which has started the program and is no longer there."""
_EXTENDED_BLOCK = 0x4C43
"""'LC': the parameter block is not only a name and a word."""

_SHORT_EXTENSION = 6
"""The length of the extension before System 7, which has flags but no FSSpec."""

_CONTINUE = 0x4000
_PORT = struct.Struct(">h34ph34p")
"""A PPCPortRec: script, name, kind of type, type."""

_BY_STRING = 2
_SWITCH_INFO_SIZE = 8

_TYPE_ENDS = b"ep01"
"""What follows a program's creator code in the type of its port for high-level events."""


class ProcessManager(Manager):
    """Tells of the one process that there is."""

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
        """Describe the program and its file, which is in the disk's root folder."""
        if not self.is_ours(serial):
            return ResultCode.procNotFound
        info, heap = ProcessInfoRec(self.guest, information), self._memory.heap
        if info.processName:
            name = self.host.application.name.encode("mac_roman", "replace")[:31]
            self.guest.put_pascal_string(info.processName, name)
        if info.processAppSpec:
            spec = FSSpec(self.guest, info.processAppSpec)
            spec.vRefNum, spec.parID = VOLUME_REFERENCE, ROOT_ID
            spec.name = self.host.application.name.encode("mac_roman", "replace")[:31]
        self._tell(info.address_of(ProcessInfoRec.processNumber))
        info.processType = b"APPL"
        info.processSignature = self.host.application.creator.encode("mac_roman", "replace")
        info.processMode = 0
        info.processLocation = self.guest.u32(LowMemory.APPLICATION_ZONE)
        layout, growth = self.host.layout, self._memory.application.growth
        info.processSize, info.processFreeMem = layout.heap_size, heap.free + growth
        launcher = info.address_of(ProcessInfoRec.processLauncher)
        ProcessSerialNumber(self.guest, launcher).highLongOfPSN = 0
        ProcessSerialNumber(self.guest, launcher).lowLongOfPSN = _LAUNCHER
        info.processLaunchDate = 0
        info.processActiveTime = self.host.clock.ticks()
        return 0


class LaunchParamBlock(Record):
    """What A0 leads to, as far as it is read; the first field is the name in the old form."""

    name = pointer()
    reserved2 = int16()
    launchBlockID = uint16()
    launchEPBLength = int32()
    launchFileFlags = uint16()
    launchControlFlags = uint16()
    launchAppSpec = pointer()


class LaunchManager(Manager):
    """Finds the program that is to be launched, and says what becomes of that."""

    _files: FileManager

    @routine("FUNCTION LaunchApplication (LaunchParams: Ptr): OSErr")
    def launch_application(self, block: int) -> int:
        """Launch a program: an error if it is not there, or if both are to run."""
        parameters = LaunchParamBlock(self.guest, block)
        is_extended = parameters.launchBlockID == _EXTENDED_BLOCK
        if is_extended and parameters.launchEPBLength > _SHORT_EXTENSION:
            spec = parameters.launchAppSpec
            volume, directory, _ = self._files.spec(spec)
            name = spec + FSSpec.name.offset
        else:
            volume, directory, name = 0, 0, parameters.name
        if is_extended and parameters.launchControlFlags & _CONTINUE:
            launched = self._find(volume, directory, name)
            return launched if isinstance(launched, int) else ResultCode.memFullErr
        return self._replace(volume, directory, name)

    @routine(
        "FUNCTION Chain (LaunchParams: Ptr): OSErr",
        trap=0xA9F3,
        registers="A0 -> D0",
        architecture="m68k",
    )
    def chain(self, block: int) -> int:
        """Start another program in the place of this one, with the same heap."""
        return self._replace(0, 0, LaunchParamBlock(self.guest, block).name)

    def _find(self, volume: int, directory: int, name: int) -> Node | int:
        """The file with the name at an address; an error code if there is none."""
        try:
            return self._files.find(volume, directory, self.guest.pascal_string(name))
        except FileError as error:
            return int(error.code)

    def _replace(self, volume: int, directory: int, name: int) -> int:
        """End the run, since another program would go on; an error if that is not there."""
        replace = self._find(volume, directory, name)
        if isinstance(replace, int):
            return replace
        shown = self.guest.pascal_string(name).decode("mac_roman")
        raise self.host.stopped(
            f"the program has launched {shown!r} in its own place, so that it has ended: macproof "
            "runs one program only"
        )


class ProcessPorts(Manager):
    """The program's port."""

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
        "FUNCTION PostHighLevelEvent (theEvent: Ptr; receiverID: Ptr; msgRefcon: LONGINT; "
        "msgBuff: Ptr; msgLen: LONGINT; postingOptions: LONGINT): OSErr"
    )
    def post(self, *arguments: int) -> int:
        """Send a high-level event to another program: there is none."""
        return ResultCode.connectionInvalid

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
        "PROCEDURE GetSwitchInfo (VAR info: Ptr)",
        trap=_OS_DISPATCH,
        selector=("stack", 2),
        architecture="m68k",
    )
    def get_switch_info(self, place: int) -> None:
        """Signature and version of what switches between programs: zeros, as nothing does.

        Source: Puppet.h of Apple's Process Manager of 1994.
        """
        self.guest.write(place, bytes(_SWITCH_INFO_SIZE))
