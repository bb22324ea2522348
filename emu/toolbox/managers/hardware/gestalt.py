"""The Gestalt Manager: what the machine and its system can do.

It says what holds for programs running here: a selector that is not in the table is unknown, so
programs do not use what is not there.
Source: Inside Macintosh: Operating System Utilities, chapter 1.
"""

from __future__ import annotations

from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.macintosh_models import MacintoshModel
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.layout import LowMemory
from emu.toolbox.managers.memory.manager import MemoryManager
from emu.toolbox.records.results import ResultCode

SYSTEM_VERSION = 0x0710
"""System 7.1, in binary-coded decimal."""

_SHADOW = "MPsh"  # an application that checks its stack asks for a shadow
MACPROOF = "MPrf"
"""Of macproof alone: by it a program knows that its clock measures nothing."""

_NEW, _REPLACE = 0x200, 0x400
_SELECTOR_FUNCTION = "FUNCTION Selector (selector: OSType; VAR response: LONGINT): OSErr"


def _sound(machine: MacintoshModel) -> int:
    """Bits of 'snd ': the first machines have no stereo, and Power Macintoshes 16-bit hardware."""
    stereo = 0b11 if machine.processor > 1 else 0
    wide = 1 << 7 if machine.native > 0xFF else 0
    # SndPlayDoubleBuffer, several channels, and sounds of 16 bits: Sound Manager 3.1.
    return stereo | wide | 0b111 << 10


_MANAGERS = ("alis", "fold", "help", "icon", "scr#", "tsmv")
"""Managers of System 7.1 that are there: aliases, FindFolder, help, icons, text services; and one
script system, the Roman one."""


_POWERPC = {
    "cfrg": 1,  # the Code Fragment Manager
    "thds": 0b111,  # the Thread Manager with ThreadsLib
    "otan": 0b010101,  # Open Transport with AppleTalk and TCP/IP
    "otvr": 0x01138000,  # Open Transport 1.1.3
}
"""What only a Power Macintosh answers, or answers otherwise."""


class GestaltManager(Manager):
    """Answers questions about the machine."""

    plumbing = True

    _memory: MemoryManager

    def __post_init__(self) -> None:
        self._functions: dict[str, int] = {}
        machine, memory = self.host.machine, self.host.layout.screen
        color = self.host.has_color
        self._answers = {
            **dict.fromkeys(_MANAGERS, 1),
            # 32-bit addressing, system zone and machine capable
            "addr": 0 if self.host.has_24_bits else 0b111,
            "atlk": 58,  # the version of AppleTalk
            "cpnt": 3,  # the Component Manager, as Power Macintoshes have it
            "cput": machine.native,
            "ditl": 1,  # AppendDITL and its like
            "evnt": 1,  # Apple events
            "fpu ": machine.fpu,
            "fs  ": 0b11,  # HFSDispatch, and calls with FSSpec
            "hdwr": 0,
            "kbd ": 5,
            "lram": memory,
            "mach": machine.gestalt,
            "mmu ": machine.mmu,
            "mtcp": 3,  # MacTCP 2.0
            "os  ": 0b1111111,  # launching as of System 7; temporary memory, with ordinary handles
            "pgsz": 4096,
            "pop!": 1,  # pop-up menu controls
            "powr": 0,  # no Power Manager: a desktop machine
            "ppc ": 0,  # the PPC Toolbox is there, and not started
            "proc": machine.processor,
            "qd  ": 0x0200 if color else 0,
            # grayishTextOr; with Color QuickDraw colours, deep graphics worlds, direct pixels
            "qdrw": 0b1111 if color else 0b1000,
            "ram ": memory,
            "rom ": machine.rom_size,
            "romv": machine.rom,
            "scri": SYSTEM_VERSION,  # the Script Manager's version
            "snd ": _sound(machine),
            "stdf": 1,  # StandardGetFile and its like
            "sysa": 2 if self.host.cpu.architecture == "powerpc" else 1,
            "sysv": SYSTEM_VERSION,
            "thds": 0b11,  # the Thread Manager, which finds threads of an exact size
            "te  ": 4,  # as of System 7: TEFeatureFlag and text in several styles
            "tmgr": 3,  # extended
            "vers": 1,
            "vm  ": 0,
            MACPROOF: 1,
        }
        if self.host.cpu.architecture == "powerpc":
            self._answers |= _POWERPC

    def start(self) -> None:
        """Leave the System's version in low memory, where older programs look it up."""
        self.guest.put16(LowMemory.SYSTEM_VERSION, SYSTEM_VERSION)

    def ask(self, selector: str) -> tuple[int, int]:
        """Error and answer."""
        function = self._functions.get(selector)
        if selector == _SHADOW:
            shadow = self.host.open_shadow()
            return (0, shadow) if shadow else (ResultCode.gestaltUndefSelectorErr, 0)
        if function is None:
            answer = self._answers.get(selector)
            return (ResultCode.gestaltUndefSelectorErr, 0) if answer is None else (0, answer)
        place = self._memory.new_pointer(4, clear=True)
        error = self.host.call_guest(function, _SELECTOR_FUNCTION, selector, place)
        answer = self.guest.u32(place)
        self._memory.dispose_pointer(place)
        return error, answer

    def _add(self, selector: str, function: int) -> int:
        if selector in self._answers or selector in self._functions:
            return ResultCode.gestaltDupSelectorErr
        self._functions[selector] = function
        return 0

    def _replace(self, selector: str, function: int) -> tuple[int, int]:
        """Error and the function before."""
        if selector not in self._answers and selector not in self._functions:
            return ResultCode.gestaltUndefSelectorErr, 0
        before = self._functions.get(selector, 0)
        self._functions[selector] = function
        return 0, before

    @routine(
        "FUNCTION Gestalt (selector: OSType; VAR response: LONGINT): OSErr",
        architecture="powerpc",
    )
    def gestalt(self, selector: str, response: int) -> int:
        """Answer a question."""
        error, answer = self.ask(selector)
        if not error:
            self.guest.put32(response, answer)
        return error

    @routine(
        "FUNCTION NewGestalt (selector: OSType; gestaltFunction: ProcPtr): OSErr",
        architecture="powerpc",
    )
    def new_gestalt(self, selector: str, function: int) -> int:
        """Add a question."""
        return self._add(selector, function)

    @routine(
        "FUNCTION ReplaceGestalt (selector: OSType; gestaltFunction: ProcPtr; "
        "VAR oldGestaltFunction: ProcPtr): OSErr",
        architecture="powerpc",
    )
    def replace_gestalt(self, selector: str, function: int, old: int) -> int:
        """Answer a question in another way."""
        error, before = self._replace(selector, function)
        self.guest.put32(old, before)
        return error

    @routine(
        "FUNCTION Gestalt (selector: OSType; gestaltFunction: ProcPtr): OSErr",
        trap=0xA1AD,
        registers="D0,A0 -> D0",
        variants={"NewGestalt": 0xA3AD, "ReplaceGestalt": 0xA5AD},
        architecture="m68k",
    )
    def gestalt_68k(self, selector: str, function: int, *, trap: int) -> int:
        """All three, which differ in the trap word; the answer is in A0."""
        if trap & _NEW:
            return self._add(selector, function)
        if trap & _REPLACE:
            error, answer = self._replace(selector, function)
        else:
            error, answer = self.ask(selector)
        # MacApp knows A/UX by the answer: nothing is known of a selector that is not there.
        if not error or not trap & _REPLACE:
            self.also_return("a0", answer)
        self.guest.put16(LowMemory.MEMORY_ERROR, 0)
        return error
