"""Detects when a program writes to the system's low-memory globals."""

from __future__ import annotations

from typing import Any

import numpy as np

from emu.toolbox.guest.findings import Report, Sureness
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.guest.layout import LOW_MEMORY_SIZE, LowMemory
from emu.toolbox.guest.system_globals import global_at

_CLOCK = (
    slice(LowMemory.TICKS, LowMemory.TICKS + 4),
    slice(LowMemory.TIME, LowMemory.TIME + 4),
)

# Globals that applications may set, as Inside Macintosh says where it describes each.
_APPLICATIONS_OWN = (
    range(LowMemory.MEMORY_ERROR, LowMemory.MEMORY_ERROR + 2),
    range(LowMemory.SYSTEM_EVENT_MASK, LowMemory.SYSTEM_EVENT_MASK + 2),
    range(LowMemory.RESOURCE_LOAD, LowMemory.RESOURCE_LOAD + 2),
    range(LowMemory.RESOURCE_ERROR, LowMemory.RESOURCE_ERROR + 2),
    range(LowMemory.CURRENT_A5, LowMemory.CURRENT_A5 + 4),
    range(LowMemory.SCRATCH_20, LowMemory.SCRATCH_20 + 20),
    range(0x282, 0x28A),  # SwitcherTPtr: where Apple's Switcher keeps itself
    range(0x338, 0x340),  # EjectNotify, IAZNotify
    range(0x938, 0x939),  # HiliteMode, whose bit is cleared before something is highlighted (V-61)
    range(0x9CE, 0x9D6),  # ToolScratch (I-85)
    range(0x9FA, 0xA02),  # Scratch8 (I-85)
    range(0xA0A, 0xA0E),  # TopMenuItem, AtMenuBottom: menus that scroll (V-249)
    range(0xA20, 0xA22),  # MBarEnable
    range(0xA2C, 0xA34),  # MBarHook, MenuHook
    range(0xA34, 0xA44),  # DragPattern (I-295), DeskPattern (I-282)
    range(0xA4A, 0xA50),  # FPState, SANE's: compilers' libraries for arithmetic set it
    range(0xA63, 0xA64),  # FScaleDisable (I-222)
    range(0xA78, 0xA84),  # ApplScratch
    range(0xA8C, 0xA98),  # ResumeProc, SaveProc and SaveSP, the stack pointer to go on with
    range(0xB9E, 0xBA0),  # RomMapInsert, TmpResLoad: to look in the ROM's resources (IV-19)
    range(0xDA0, 0xDA6),  # HiliteRGB (V-62)
    range(0xBE8, 0xBF0),  # MAErrProc, MASuperTab: MacApp, Apple's library for applications
    range(LowMemory.SOUND_BUFFER, LowMemory.SOUND_BUFFER + 2 * 370),  # the lines of a screen
    range(0x2E00, 0x2F00),  # the unit table, to which UTableBase leads: drivers of old (II-192)
    range(LowMemory.SOUND_OF_GLUE, LowMemory.SOUND_OF_GLUE + 4),
    # vcbFlags: Disk First Aid marks a volume as changed, so that FlushVol writes it.
    range(LowMemory.VOLUME + 6, LowMemory.VOLUME + 8),
    # AEObjectInit, which programs contain, keeps the handles of its tables there.
    range(LowMemory.EVENT_RECORDS, LowMemory.EVENT_RECORDS + 2 * LowMemory.EVENT_RECORD_SIZE),
)

_VECTORS = (
    range(0x08, 0x100),  # the processor's exceptions, those of the FPU among them
    range(0x192, 0x1D2),  # Lvl1DT, Lvl2DT (II-197)
    range(0x2BE, 0x2CE),  # ExtStsDT (II-199)
)
"""Where the addresses of routines lie that take exceptions and interrupts, four bytes each."""

_NIL_TRAPS = (0x50FFC001, 0x4E494C21, 0xFFFFFFFF)
"""What programs store at address 0 on purpose, so that a nil handle faults: Apple's Technical Note
OV 15 asks for something odd there, and names the first and 'NIL!'; ProIcon stores the last."""

_SOON = 256
_ENDS = (0x4E73, 0x4E75, 0xA9F0)
"""RTE, RTS, and LoadSeg of a jump table entry."""
_JUMP = 0x4EC0
"""JMP, whose lowest six bits say where to."""


def first_of_the_system(address: int, size: int) -> int | None:
    """The first of some bytes that belongs to the system's globals; None if none does."""
    return next(
        (
            place
            for place in range(address, min(address + size, LOW_MEMORY_SIZE))
            if not any(place in own for own in _APPLICATIONS_OWN)
        ),
        None,
    )


def is_known(address: int) -> bool:
    """Whether a global lies at an address of low memory, or what applications may set."""
    return global_at(address) is not None or first_of_the_system(address, 1) is None


class LowMemoryGuard:
    """At every call of a routine, compares low memory with what the Toolbox left there."""

    def __init__(self, guest: GuestAccess) -> None:
        self._memory = guest.memory.buffer[:LOW_MEMORY_SIZE].data
        self._accepted = bytearray(self._memory)
        self._guest = guest

    def accept(self) -> None:
        """Accept the present contents: the Toolbox has written them."""
        self._accepted[:] = self._memory

    def accept_time(self) -> None:
        """Accept new values of the globals that hold the time."""
        for place in _CLOCK:
            self._accepted[place] = self._memory[place]

    def check(self, report: Report, last: tuple[str, Any] = ("", None)) -> None:
        """Report what the program has written since the last call of `accept`.

        Args:
            report: records a finding.
            last: the routine that was performed last, and its result.
        """
        if self._accepted == self._memory:
            return
        # Some programs set ResLoad at every second call; a loop over all bytes takes 3 ms.
        differing = np.frombuffer(self._accepted, np.uint8) != np.frombuffer(self._memory, np.uint8)
        changed = [
            address
            for address in np.flatnonzero(differing).tolist()
            if not any(address in own for own in _APPLICATIONS_OWN)
        ]
        for variable in dict.fromkeys(filter(None, map(global_at, changed))):
            value = int.from_bytes(self._guest.read(variable.address, variable.size), "big")
            wrong = variable.is_pointer and not _may_be_address(value)
            report(
                "low memory",
                f"the program set the system's global {variable.name} (0x{variable.address:04x})"
                + (f" to 0x{value:x}, which is no address" if wrong else ""),
                None if wrong else Sureness.UNUSUAL,
            )
        unknown = [address for address in changed if global_at(address) is None]
        vectors = dict.fromkeys(map(self._vector_at, unknown))
        for vector in filter(None, vectors):
            problem = f"the program set the vector of interrupts or exceptions at 0x{vector:04x}"
            report("low memory", problem, Sureness.UNUSUAL)
        unknown = [address for address in unknown if not self._vector_at(address)]
        if unknown:
            is_trap = unknown[-1] < 4 and self._guest.u32(0) in _NIL_TRAPS
            sureness = Sureness.UNUSUAL if is_trap else None
            report("low memory", self._stray_write(unknown, last), sureness)
        self.accept()

    def _vector_at(self, address: int) -> int:
        """The vector of which a byte lies at an address, if it may hold what it does; else 0.

        Libraries for floating point set those of division by zero and of the FPU, and put back the
        nil that they found there. What a program stores in the fields of a record at nil is nil,
        too, or leads to data.
        """
        at = next((vectors for vectors in _VECTORS if address in vectors), None)
        if at is None:
            return 0
        vector = address - (address - at.start) % 4
        routine = self._guest.u32(vector)
        return vector if not routine or self._is_routine(routine) else 0

    def _is_routine(self, address: int) -> bool:
        """Whether a routine for the 68K seems to begin at an address, since it soon ends.

        Of 40 routines to which ten programs set vectors, each has the first such instruction within
        124 bytes; 21 pointers to data that others stored there have none within 900 bytes.
        """
        guest, region = self._guest, self._guest.memory.find(address)
        if address < LOW_MEMORY_SIZE or address & 1 or region is None:
            return False
        size = min(_SOON, region.end - address)
        if not guest.is_mapped(address, size):
            return False
        words = np.frombuffer(guest.read(address, size), ">u2")
        return bool((np.isin(words, _ENDS) | (words & 0xFFC0 == _JUMP)).any())

    def _stray_write(self, changed: list[int], last: tuple[str, Any]) -> str:
        """What the program wrote to bytes that are no global's."""
        first, (name, result) = changed[0], last
        if changed[-1] < 4 and isinstance(result, int) and self._guest.u32(0) == result:
            return (
                f"the program wrote the result of {name} through a nil pointer, to address 0: it "
                f"passed nil for a variable of {name}"
            )
        where = "through a nil pointer, to address 0" if first < 4 else f"at 0x{first:04x}"
        more = f" and {len(changed) - 1} bytes more" if len(changed) > 1 else ""
        return f"the program wrote to low memory {where}{more}"


def _may_be_address(value: int) -> bool:
    """Whether a pointer to something may have this value; nil and -1 stand for nothing."""
    return value in (0, 0xFFFFFFFF) or (value % 2 == 0 and value >= LOW_MEMORY_SIZE)
