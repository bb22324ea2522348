"""Parameter RAM, buses, slots and the PPC Toolbox, as far as programs ask about them.

Nothing is connected to a bus, and no slot has a card.
Sources: Inside Macintosh V, p. V-367 to V-371 (Apple Desktop Bus); Inside Macintosh: Devices,
chapters 2 "Slot Manager", 3 "SCSI Manager" (result codes) and 5, and Apple's Slots.h (selectors);
Interapplication Communication, chapter 11 (PPC Toolbox, result codes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.files import IOParam
from emu.toolbox.records.results import ResultCode

_NO_DEVICE = -1
_PARAMETER_RAM = 256
_LOCATION = 12 << 16 | 0xE4
"""Size and place in parameter RAM of the machine's longitude, latitude and time zone."""
_Method = TypeVar("_Method", bound=Callable[..., Any])
_NO_ANSWER, _OUT_OF_SEQUENCE = 2, 8
"""scCommErr and scSequenceErr."""
_SLOT_VERSION = 2
_PPC_INIT = 0
"""The selector of PPCInit, which has no parameter block."""
_CALLS = "PPCStart PPCInform PPCAccept PPCReject PPCWrite PPCRead PPCEnd PPCClose IPCListPorts"
_PPC_CALLS = (
    "PPCOpenAsync",
    *(name + form for name in _CALLS.split() for form in ("Sync", "Async")),
)
"""Other calls of the PPC Toolbox, as PowerPC programs import them."""


class HardwareManager(Manager):
    """Small pieces of hardware, most of which are not there."""

    plumbing = True

    def __post_init__(self) -> None:
        self._parameter_ram = bytearray(_PARAMETER_RAM)

    def _part(self, which: int) -> tuple[int, int]:
        """Where a range of parameter RAM begins and ends: its size and place are in one word."""
        start = min(which & 0xFFFF, _PARAMETER_RAM)
        return start, min(start + (which >> 16 & 0xFFFF), _PARAMETER_RAM)

    @routine("PROCEDURE ReadXPRam (which: LONGINT; buffer: Ptr)", trap=0xA051, registers="D0,A0")
    def read_parameter_ram(self, which: int, buffer: int) -> None:
        """Read parameter RAM, which is all zeros until a program writes to it."""
        start, end = self._part(which)
        self.guest.write(buffer, bytes(self._parameter_ram[start:end]))

    @routine("PROCEDURE WriteXPRam (which: LONGINT; buffer: Ptr)", trap=0xA052, registers="D0,A0")
    def write_parameter_ram(self, which: int, buffer: int) -> None:
        """Write to parameter RAM, which is forgotten when the program ends."""
        start, end = self._part(which)
        self._parameter_ram[start:end] = self.guest.read(buffer, end - start)

    @routine("PROCEDURE ReadLocation (VAR loc: Ptr)", architecture="powerpc")
    def read_location(self, location: int) -> None:
        """Where on the earth the machine is, from parameter RAM: the user has never said."""
        self.read_parameter_ram(_LOCATION, location)

    @routine("PROCEDURE WriteLocation (loc: Ptr)", architecture="powerpc")
    def write_location(self, location: int) -> None:
        """Say where on the earth the machine is."""
        self.write_parameter_ram(_LOCATION, location)

    @routine("FUNCTION CountADBs: INTEGER")
    def count_adbs(self) -> int:
        """How many devices are on the Apple Desktop Bus: none."""
        return 0

    @routine("FUNCTION GetIndADB (VAR info: ADBDataBlock; index: INTEGER): INTEGER")
    def get_ind_adb(self, block: int, index: int) -> int:
        """One of them: there is none."""
        return _NO_DEVICE

    @routine("FUNCTION GetADBInfo (VAR info: ADBDataBlock; ADBAddr: INTEGER): OSErr")
    def get_adb_info(self, block: int, address: int) -> int:
        """The device at an address: there is none."""
        return _NO_DEVICE

    @routine("FUNCTION SetADBInfo (VAR info: ADBSetInfoBlock; ADBAddr: INTEGER): OSErr")
    def set_adb_info(self, block: int, address: int) -> int:
        """Say what a device's data go to: there is none."""
        return _NO_DEVICE

    @routine("PROCEDURE ADBReInit")
    def reset_adb(self) -> None:
        """Ask all devices for their addresses again: none answers."""

    @routine(
        "FUNCTION ADBOp (data: Ptr; compRout: ProcPtr; buffer: Ptr; commandNum: INTEGER): OSErr",
        architecture="powerpc",
    )
    def send_to_adb(self, data: int, completion: int, buffer: int, command: int) -> int:
        """Send a command to a device: there is none."""
        return _NO_DEVICE

    @routine(
        "FUNCTION ADBOp (block: Ptr; commandNum: INTEGER): OSErr",
        trap=0xA07C,
        registers="A0,D0 -> D0",
        architecture="m68k",
    )
    def send_to_adb_68k(self, block: int, command: int) -> int:
        """The same, with a record of the three addresses."""
        return _NO_DEVICE

    @routine("FUNCTION WriteParam: OSErr")
    def write_parameters(self) -> int:
        """Write SysParam's copy in low memory back to parameter RAM: it is the only one here."""
        return 0

    @routine(
        "FUNCTION PPCDispatch (paramBlock: ParmBlkPtr; selector: LONGINT): OSErr",
        trap=0xA0DD,
        registers="A0,D0 -> D0",
        architecture="m68k",
    )
    def ppc_dispatch(self, block: int, selector: int) -> int:
        """Begin to talk to other programs; there are none, and all else needs a port of one."""
        return 0 if selector & 0xFFFF == _PPC_INIT else self.ppc_call(block)

    @routine("FUNCTION PPCInit: OSErr", architecture="powerpc")
    def ppc_init(self) -> int:
        """Begin to talk to other programs."""
        return 0

    @routine(
        "FUNCTION PPCOpenSync (paramBlock: ParmBlkPtr): OSErr",
        architecture="powerpc",
        imports=_PPC_CALLS,
    )
    def ppc_call(self, block: int) -> int:
        """Any other call of the PPC Toolbox: it needs a port of another program."""
        if block:
            IOParam(self.guest, block).ioResult = ResultCode.noPortErr
        return ResultCode.noPortErr

    @routine(
        "FUNCTION PPCBrowser (prompt: Str255; applListLabel: Str255; defaultSpecified: BOOLEAN; "
        "VAR theLocation: Ptr; VAR thePortInfo: Ptr; portFilter: ProcPtr; "
        "theLocNBPType: Str255): OSErr",
        trap=0xA82B,
        selector=("D0", 0xD00),
    )
    def ppc_browser(self, *arguments: int) -> int:
        """Let the user choose another program: there is none, so the dialog is cancelled."""
        return ResultCode.userCanceledErr

    @routine("FUNCTION InitEditionPackVersion (unused: INTEGER): OSErr")
    def init_edition_pack(self, version: int) -> int:
        """Begin to share parts of documents: there is no Edition Manager."""
        return ResultCode.unimpErr


def _scsi(heading: str, selector: int) -> Callable[[_Method], _Method]:
    return routine(heading, trap=0xA815, selector=("stack", selector))


class ScsiManager(Manager):
    """A bus on which nothing answers."""

    @_scsi("FUNCTION SCSIReset: OSErr", 0)
    def reset(self) -> int:
        """Reset the bus."""
        return 0

    @_scsi("FUNCTION SCSIGet: OSErr", 1)
    def get(self) -> int:
        """Ask for the bus: it is free."""
        return 0

    @_scsi("FUNCTION SCSISelAtn (targetID: INTEGER): OSErr", 11)
    @_scsi("FUNCTION SCSISelect (targetID: INTEGER): OSErr", 2)
    def select(self, target: int) -> int:
        """Choose a device: none answers."""
        return _NO_ANSWER

    @_scsi("FUNCTION SCSICmd (buffer: Ptr; count: INTEGER): OSErr", 3)
    def command(self, buffer: int, count: int) -> int:
        """Send a command: no device is chosen."""
        return _OUT_OF_SEQUENCE

    @_scsi("FUNCTION SCSIComplete (VAR stat,message: INTEGER; wait: LONGINT): OSErr", 4)
    def complete(self, status: int, message: int, ticks: int) -> int:
        """Wait for the end of a command: no device is chosen."""
        return _OUT_OF_SEQUENCE

    @_scsi("FUNCTION SCSIWBlind (tibPtr: Ptr): OSErr", 9)
    @_scsi("FUNCTION SCSIRBlind (tibPtr: Ptr): OSErr", 8)
    @_scsi("FUNCTION SCSIWrite (tibPtr: Ptr): OSErr", 6)
    @_scsi("FUNCTION SCSIRead (tibPtr: Ptr): OSErr", 5)
    def transfer(self, instructions: int) -> int:
        """Read or write: no device is chosen."""
        return _OUT_OF_SEQUENCE

    @_scsi("FUNCTION SCSIStat: INTEGER", 10)
    def status(self) -> int:
        """The signals of the bus: all are off."""
        return 0


def _slot(name: str, selector: int, error: int = ResultCode.smEmptySlot) -> Callable[..., int]:
    """Declare a routine of the Slot Manager that finds nothing."""

    def look(self: Manager, block: int) -> int:
        """Look at the card in a slot, or for the next one: there is none."""
        return error

    return routine(
        f"FUNCTION {name} (spBlkPtr: Ptr): OSErr",
        trap=0xA06E,
        registers="A0 -> D0",
        selector=("D0", selector),
    )(look)


class SlotManager(Manager):
    """Slots without cards, and empty tables; the machine's own screen is not told as a card."""

    read_byte = _slot("SReadByte", 0x0)
    read_word = _slot("SReadWord", 0x1)
    read_long = _slot("SReadLong", 0x2)
    get_c_string = _slot("SGetCString", 0x3)
    get_block = _slot("SGetBlock", 0x5)
    find_struct = _slot("SFindStruct", 0x6)
    read_struct = _slot("SReadStruct", 0x7)
    get_resource = _slot("SGetSRsrc", 0xB, ResultCode.smNoMoresRsrcs)
    get_typed_resource = _slot("SGetTypeSRsrc", 0xC, ResultCode.smNoMoresRsrcs)
    read_info = _slot("SReadInfo", 0x10)
    read_parameter_ram = _slot("SReadPRAMRec", 0x11)
    write_parameter_ram = _slot("SPutPRAMRec", 0x12)
    read_header = _slot("SReadFHeader", 0x13)
    next_resource = _slot("SNextSRsrc", 0x14, ResultCode.smNoMoresRsrcs)
    next_typed_resource = _slot("SNextTypeSRsrc", 0x15, ResultCode.smNoMoresRsrcs)
    resource_info = _slot("SRsrcInfo", 0x16)
    card_status = _slot("SCkCardStat", 0x18)
    driver_name = _slot("SReadDrvrName", 0x19)
    device_base = _slot("SFindDevBase", 0x1B)
    set_state = _slot("SetSRsrcState", 0x9)
    insert_record = _slot("InsertSRTRec", 0xA)
    big_device_base = _slot("SFindBigDevBase", 0x1C)
    resource_pointer = _slot("SGetSRsrcPtr", 0x1D)
    card_changed = _slot("SCardChanged", 0x22)
    offset_data = _slot("SOffsetData", 0x24)
    block_size = _slot("SReadPBSize", 0x26)
    step = _slot("SCalcStep", 0x28)
    search_table = _slot("SSearchSRT", 0x2A)
    structure_pointer = _slot("SCalcSPointer", 0x2C)
    get_driver = _slot("SGetDriver", 0x2D)
    pointer_to_slot = _slot("SPtrToSlot", 0x2E)
    info_record = _slot("SFindSInfoRecPtr", 0x2F)
    table_pointer = _slot("SFindSRsrcPtr", 0x30)

    @routine(
        "FUNCTION SVersion (spBlkPtr: Ptr): OSErr",
        trap=0xA06E,
        registers="A0 -> D0",
        selector=("D0", 0x8),
    )
    def version(self, block: int) -> int:
        """The Slot Manager's version, in spResult: 2, that of a ROM since the Macintosh IIci."""
        self.guest.put32(block, _SLOT_VERSION)
        self.guest.put32(block + 4, 0)  # spsPointer
        return 0
