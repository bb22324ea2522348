"""Parameter RAM, the Apple Desktop Bus and the PPC Toolbox, as far as programs ask about them.

Sources: Inside Macintosh V, p. V-367 to V-371 (Apple Desktop Bus); Inside Macintosh: Devices,
chapter 5; Interapplication Communication, chapter 11 (PPC Toolbox, result codes).
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.records.files import IOParam
from emu.toolbox.records.results import ResultCode

_NO_DEVICE = -1
_PARAMETER_RAM = 256
_LOCATION = 12 << 16 | 0xE4
"""Size and place in parameter RAM of the machine's longitude, latitude and time zone."""


class HardwareManager(Manager):
    """Small pieces of hardware, most of which are not there."""

    title = "Hardware"
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

    @routine(
        "FUNCTION PPCDispatch (paramBlock: ParmBlkPtr; selector: LONGINT): OSErr",
        trap=0xA0DD,
        registers="A0,D0 -> D0",
        architecture="m68k",
    )
    def ppc_dispatch(self, block: int, selector: int) -> int:
        """Talk to programs on other machines: refused, since the PPC Toolbox is not initialised."""
        if block:
            IOParam(self.guest, block).ioResult = ResultCode.noGlobalsErr
        return ResultCode.noGlobalsErr

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

    @routine(
        "FUNCTION InitEditionPackVersion (unused: INTEGER): OSErr", imports=("InitEditionPack",)
    )
    def init_edition_pack(self, version: int) -> int:
        """Begin to share parts of documents: there is no Edition Manager."""
        return ResultCode.unimpErr
