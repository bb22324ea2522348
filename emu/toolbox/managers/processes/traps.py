"""The Trap Manager: addresses of traps, and the program's patches.

A trap that is not patched has an address that stands for its own code; setting it back removes
the patch. A trap that macproof does not have has the address of Unimplemented, by which programs
find out what a Macintosh can do.
Source: Inside Macintosh: Operating System Utilities, chapter 8.
"""

from __future__ import annotations

from emu.toolbox.calls.dispatcher import Dispatcher
from emu.toolbox.calls.m68k import M68kDispatcher
from emu.toolbox.calls.powerpc import PowerPcDispatcher
from emu.toolbox.calls.trap_table import rom_entry, trap_number
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import Sureness

_UNIMPLEMENTED = 0xA89F
_QUICKDRAW_32 = 0xAB03
"""A trap that does nothing for programs, which know 32-Bit QuickDraw by it."""
_NEW_TRAPS, _TOOLBOX = 0x200, 0x400
_TOOLBOX_TYPE = 1

# Before the 128K ROM there was one table: these numbers were the Operating System's.
_OLD_OS_NUMBERS = frozenset((*range(0x50), 0x54, 0x57))


class TrapManager(Manager):
    """Gets and sets trap addresses."""

    plumbing = True

    _dispatcher: Dispatcher

    def finish(self) -> None:
        """Report patches that the program leaves behind, unless it was not to tidy up.

        System 7 keeps the patches of each program apart, and forgets them with it (Apple's sources
        of 1994, ProcessMgr/Patches.c); no Macintosh with a PowerPC has an earlier one.
        """
        sureness = Sureness.UNUSUAL if self.host.cpu.architecture == "powerpc" else None
        for number in () if self.host.is_cut_short else sorted(self._patches):
            problem = f"the program ended with trap 0x{0xA000 | number:04X} patched"
            self.host.report("patches", problem, sureness)

    @property
    def _patches(self) -> dict[int, int]:
        assert isinstance(self._dispatcher, M68kDispatcher | PowerPcDispatcher)
        return self._dispatcher.patches

    def _get(self, number: int) -> int:
        patch = self._patches.get(number)
        return self._own(number) if patch is None else patch

    def _own(self, number: int) -> int:
        """The address that stands for a trap's own code, or for that of Unimplemented."""
        dispatcher = self._dispatcher
        if isinstance(dispatcher, M68kDispatcher):
            exists = dispatcher.knows(number)
        else:
            # The program asks for a trap, and imports routines.
            assert isinstance(dispatcher, PowerPcDispatcher)
            exists = number in dispatcher.every_trap()
            if exists:
                return dispatcher.original(number)
        exists = exists or (number == trap_number(_QUICKDRAW_32) and self.host.has_color)
        return rom_entry(number if exists else trap_number(_UNIMPLEMENTED))

    def _set(self, number: int, address: int) -> None:
        if address in (rom_entry(number), self._own(number)):
            self._patches.pop(number, None)
        else:
            self._patches[number] = address

    @staticmethod
    def _number(trap: int, flags: int) -> int:
        """The place in the dispatch table that a trap number means."""
        if flags & _NEW_TRAPS:
            return 0x800 | trap & 0x3FF if flags & _TOOLBOX else trap & 0xFF
        old = trap & 0x1FF
        return old if old in _OLD_OS_NUMBERS else 0x800 | old

    @staticmethod
    def _typed(trap: int, kind: int) -> int:
        return 0x800 | trap & 0x3FF if kind == _TOOLBOX_TYPE else trap & 0xFF

    # -- 68K ---------------------------------------------------------------------------------------

    @routine(
        "FUNCTION GetTrapAddress (trapNum: UInt16): ProcPtr",
        variants={"GetOSTrapAddress": 0xA346, "GetToolTrapAddress": 0xA746},
        architecture="m68k",
    )
    def get_trap_address(self, number: int, *, trap: int) -> int:
        """The address of a trap's routine."""
        return self._get(self._number(number, trap))

    @routine(
        "PROCEDURE SetTrapAddress (trapAddr: ProcPtr; trapNum: UInt16)",
        variants={"SetOSTrapAddress": 0xA247, "SetToolTrapAddress": 0xA647},
        architecture="m68k",
    )
    def set_trap_address(self, address: int, number: int, *, trap: int) -> None:
        """Patch a trap, or put its own routine back."""
        self._set(self._number(number, trap), address)

    # -- PowerPC -----------------------------------------------------------------------------------

    @routine(
        "FUNCTION NGetTrapAddress (trapNum: UInt16; tTyp: SignedByte): ProcPtr",
        architecture="powerpc",
    )
    def n_get_trap_address(self, number: int, kind: int) -> int:
        """The address of a trap's routine, by its type: 0 Operating System, 1 Toolbox."""
        return self._get(self._typed(number, kind))

    @routine(
        "FUNCTION GetToolTrapAddress (trapNum: UInt16): ProcPtr",
        imports=("GetToolboxTrapAddress",),
        architecture="powerpc",
    )
    def get_tool_trap_address(self, number: int) -> int:
        """The address of a Toolbox trap's routine."""
        return self._get(self._typed(number, _TOOLBOX_TYPE))

    @routine("FUNCTION GetOSTrapAddress (trapNum: UInt16): ProcPtr", architecture="powerpc")
    def get_os_trap_address(self, number: int) -> int:
        """The address of an Operating System trap's routine."""
        return self._get(self._typed(number, 0))

    @routine("FUNCTION GetTrapAddress (trapNum: UInt16): ProcPtr", architecture="powerpc")
    def get_old_trap_address(self, number: int) -> int:
        """The address of a trap's routine, by its number in the old, single table."""
        return self._get(self._number(number, 0))

    @routine(
        "PROCEDURE NSetTrapAddress (trapAddr: ProcPtr; trapNum: UInt16; tTyp: SignedByte)",
        architecture="powerpc",
    )
    def n_set_trap_address(self, address: int, number: int, kind: int) -> None:
        """Patch a trap with a routine descriptor, or put its own routine back."""
        self._set(self._typed(number, kind), address)

    @routine(
        "PROCEDURE SetToolTrapAddress (trapAddr: ProcPtr; trapNum: UInt16)",
        imports=("SetToolboxTrapAddress",),
        architecture="powerpc",
    )
    def set_tool_trap_address(self, address: int, number: int) -> None:
        """Patch a Toolbox trap, or put its own routine back."""
        self._set(self._typed(number, _TOOLBOX_TYPE), address)

    @routine(
        "PROCEDURE SetOSTrapAddress (trapAddr: ProcPtr; trapNum: UInt16)", architecture="powerpc"
    )
    def set_os_trap_address(self, address: int, number: int) -> None:
        """Patch an Operating System trap, or put its own routine back."""
        self._set(self._typed(number, 0), address)
