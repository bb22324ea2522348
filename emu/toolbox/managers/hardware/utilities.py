"""The Operating System Utilities: addresses, caches, queues, the debugger, and what machine it is.

Dates are in `dates`, strings in `strings`.
Source: Inside Macintosh: Operating System Utilities; Inside Macintosh: Memory, chapter 4.
"""

from __future__ import annotations

import re

from emu.toolbox.computer.beep import beep
from emu.toolbox.computer.declaration import routine
from emu.toolbox.computer.manager import Manager
from emu.toolbox.guest.findings import ProgramExit
from emu.toolbox.managers.hardware.gestalt import SYSTEM_VERSION
from emu.toolbox.records.results import ResultCode
from emu.toolbox.records.system import QElem, QHdr, SysEnvRec

_CODE = re.compile(r", by the code before \$([0-9A-F]{8})$")
_STANDARD_KEYBOARD = 5
_FLUSH_RANGE = 9


class OsUtilitiesManager(Manager):
    """Small services of the system."""

    plumbing = True

    # -- addresses and caches ----------------------------------------------------------------------

    @routine("FUNCTION StripAddress (theAddress: Ptr): Ptr")
    def strip_address(self, address: int) -> int:
        """An address without flags; with addresses of 32 bits there are none."""
        return self.host.stripped(address)

    @routine("FUNCTION Translate24To32 (addr24: Ptr): Ptr", trap=0xA091, registers="D0 -> D0")
    def translate_24_to_32(self, address: int) -> int:
        """The same address."""
        return address & 0xFFFFFF

    @routine("PROCEDURE SwapMMUMode (VAR mode: SignedByte)", architecture="powerpc")
    def swap_mmu_mode(self, variable: int) -> None:
        """Change the addressing mode: 32-bit it stays."""
        self._require_32_bits(self.guest.u8(variable))
        self.guest.put8(variable, 1)

    @routine(
        "FUNCTION SwapMMUMode (mode: SignedByte): SignedByte",
        registers="D0 -> D0",
        architecture="m68k",
    )
    def swap_mmu_mode_68k(self, mode: int) -> int:
        """Change the addressing mode; the old one in D0's low byte."""
        self._require_32_bits(mode)
        return self.get_mmu_mode()

    def _require_32_bits(self, mode: int) -> None:
        if mode & 0xFF == 0 and not self.host.has_24_bits:
            hint = ""
            if self.host.cpu.architecture == "m68k":
                hint = self.host.outputs.wish_for_plus("switches to 24-bit addressing")
            raise self.host.stopped(
                f"the program switches to 24-bit addressing, which this machine does not have{hint}"
            )

    @routine("FUNCTION GetMMUMode: SignedByte")
    def get_mmu_mode(self) -> int:
        """The addressing mode: 1 is 32-bit."""
        return int(not self.host.has_24_bits)

    @routine("PROCEDURE FlushCodeCache")
    @routine("PROCEDURE FlushInstructionCache")
    def flush_code_cache(self) -> None:
        """Forget all translated code, since the program may have written over it."""
        for region in self.guest.memory.regions:
            if region.executable:
                self.host.engine.forget_code(region.address, region.size)

    @routine("PROCEDURE FlushDataCache")
    def flush_data_cache(self) -> None:
        """There is no data cache."""

    @routine("PROCEDURE FlushCodeCacheRange (address: Ptr; count: LONGINT)")
    @routine("PROCEDURE MakeDataExecutable (baseAddress: Ptr; length: LONGINT)")
    def flush_code_cache_range(self, address: int, count: int) -> None:
        """Forget code in a range; outside the regions that hold code there is none."""
        for region in self.guest.memory.regions:
            start, end = max(address, region.address), min(address + count, region.end)
            if region.executable and start < end:
                self.host.engine.forget_code(start, end - start)

    @routine(
        "FUNCTION HWPriv (selector: LONGINT; argument: LONGINT): LONGINT",
        registers="D0,A0 -> D0",
        architecture="m68k",
    )
    def hw_priv(self, selector: int, argument: int) -> int:
        """Caches on and off (0 and 2), their flushing (1, 3, 9); the old state is "on".

        What selector 9 flushes begins at A0 and has the length in A1.
        """
        selector &= 0xFFFF
        if selector in (0, 2):
            self.also_return("a0", 1)
            return 1
        if selector in (1, 3):
            self.flush_code_cache()
            return 0
        if selector == _FLUSH_RANGE:
            engine = self.host.engine
            self.flush_code_cache_range(argument, engine.registers[engine.index["a1"]])
            return 0
        raise self.host.stopped(f"HWPriv was called with selector {selector}, which is not done")

    # -- the machine -------------------------------------------------------------------------------

    @routine("FUNCTION SysEnvirons (versionRequested: INTEGER; VAR theWorld: SysEnvRec): OSErr")
    def sys_environs(self, version: int, record: int) -> int:
        """Describe the machine in a record."""
        if version <= 0:
            return ResultCode.envBadVers
        machine = self.host.machine
        world = SysEnvRec(self.guest, record)
        world.environsVersion, world.machineType = min(version, 2), machine.gestalt - 2
        world.systemVersion = SYSTEM_VERSION
        world.processor, world.hasFPU = machine.processor, machine.fpu > 0
        world.hasColorQD = self.host.has_color
        world.keyBoardType, world.atDrvrVersNum, world.sysVRefNum = _STANDARD_KEYBOARD, 0, -1
        return 0 if version <= 2 else ResultCode.envVersTooBig

    @routine("PROCEDURE Environs (VAR rom,machine: INTEGER)")
    def environs(self, rom: int, machine: int) -> None:
        """The ROM's version and the machine, as the first Macintoshes said it."""
        model = self.host.machine
        self.guest.put16(rom, model.rom)
        self.guest.put16(machine, model.gestalt - 2)

    # -- queues ------------------------------------------------------------------------------------

    @routine("PROCEDURE Enqueue (qElement: QElemPtr; qHeader: Ptr)")
    def enqueue(self, element: int, header: int) -> None:
        """Append an element to a queue."""
        queue = QHdr(self.guest, header)
        QElem(self.guest, element).qLink = 0
        if queue.qTail:
            QElem(self.guest, queue.qTail).qLink = element
        else:
            queue.qHead = element
        queue.qTail = element

    @routine("FUNCTION Dequeue (qElement: QElemPtr; qHeader: Ptr): OSErr")
    def dequeue(self, element: int, header: int) -> int:
        """Take an element out of a queue."""
        queue = QHdr(self.guest, header)
        current, before, seen = queue.qHead, 0, set[int]()
        while current and current not in seen:
            after = QElem(self.guest, current).qLink
            if current == element:
                if before:
                    QElem(self.guest, before).qLink = after
                else:
                    queue.qHead = after
                if queue.qTail == element:
                    queue.qTail = before
                return 0
            seen.add(current)
            before, current = current, after
        return ResultCode.qErr

    # -- the user, the debugger, the end -----------------------------------------------------------

    @routine("PROCEDURE SysBeep (duration: INTEGER)")
    def sys_beep(self, duration: int) -> None:
        """Beep, which only those hear who listen."""
        if self.host.outputs.on_sound is not None:
            self.host.outputs.on_sound(beep())

    @routine("PROCEDURE Debugger")
    def debugger(self) -> None:
        """Enter the debugger: reported, and the program goes on."""
        self.host.report("debugger", "the program called Debugger")

    @routine("PROCEDURE DebugStr (debuggerMsg: Str255)")
    def debug_str(self, message: int) -> None:
        """Enter the debugger with a message: reported, and the program goes on."""
        text = self.guest.pascal_string(message).decode("mac_roman")
        code = _CODE.search(text)  # GCC's checks in the program end their messages so
        place = f", {self.host.locate(int(code[1], 16) - 2)}" if code else ""
        self.host.report("debugger", f'the program called DebugStr with "{text}"{place}')

    @routine("PROCEDURE SysError (errorCode: INTEGER)", registers="D0")
    def sys_error(self, code: int) -> None:
        """Show the bomb."""
        raise self.host.stopped(f"the program called SysError {code}")

    @routine("PROCEDURE ShutDwnPower")
    def shut_down_power(self) -> None:
        """Switch the Macintosh off: the program ends, and need not tidy up."""
        self.host.is_cut_short = True
        raise ProgramExit

    @routine("PROCEDURE ShutDwnStart")
    def shut_down_start(self) -> None:
        """Start the Macintosh again: the program ends, and need not tidy up."""
        self.host.is_cut_short = True
        raise ProgramExit

    @routine("FUNCTION SetCurrentA5: LONGINT", architecture="powerpc")
    @routine("FUNCTION SetA5 (newA5: LONGINT): LONGINT", architecture="powerpc")
    def set_current_a5(self, value: int = 0) -> int:
        """CurrentA5; PowerPC programs need none."""
        return self.host.current_a5()
