"""The table of traps: their words, numbers, addresses, and the globals that lead to them.

Source: Inside Macintosh I, "Using Assembly Language"; II, "The Operating System Utilities" (trap
dispatch).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from emu.toolbox.computer.declaration import ManagerRoutine
from emu.toolbox.guest.layout import ROM_TRAPS, LowMemory

TOOLBOX = 0x800
"""The bit of a trap word that makes it the Toolbox's."""
AUTO_POP = 0x400
"""The bit of a Toolbox trap's word by which the routine returns to its caller's caller."""
_FLUSH_CODE_CACHE = 0xBD
_ENTRY_SIZE = 8
VECTORS = {
    0x800: 0x852,  # JHideCursor
    0x804: 0x853,  # JShowCursor
    0x808: 0x855,  # JShieldCursor
    0x814: 0x850,  # JInitCrsr
    0x818: 0x851,  # JSetCrsr
    0x81C: 0x856,  # JCrsrObscure
    0x8E0: 0x901,  # JSwapFont
    0xD9C: 0x82,  # jDTInstall
    LowMemory.CACHE_FLUSH: _FLUSH_CODE_CACHE,
}
"""Globals that lead to the routine of a trap: programs call it through them, as the ROM does."""


def is_toolbox(word: int) -> bool:
    """Whether a trap word belongs to the Toolbox, not to the Operating System."""
    return bool(word & TOOLBOX)


def trap_number(word: int) -> int:
    """A trap's number in the dispatch table: 0 to 0xFF, or 0x800 to 0xBFF for the Toolbox."""
    return word & 0xFF if not word & TOOLBOX else TOOLBOX | word & 0x3FF


ByTrap = Mapping[int, Mapping[int | None, ManagerRoutine]]
"""Routines by the number of their trap, and by their selector or None."""


def by_trap(declared: Iterable[ManagerRoutine]) -> ByTrap:
    """Find the routines that have traps.

    Raises:
        ValueError: two have the same trap and selector.
    """
    routines: dict[int, dict[int | None, ManagerRoutine]] = {}
    for manager_routine in declared:
        routine = manager_routine.routine
        key = routine.selector.key if routine.selector else None
        words = {routine.trap, *(word for _, word in routine.variants)}
        for number in {trap_number(word) for word in words if word is not None}:
            selectors = routines.setdefault(number, {})
            if key in selectors:
                raise ValueError(f"{routine.name} and {selectors[key].routine.name} share a trap")
            selectors[key] = manager_routine
    return routines


def rom_entry(number: int) -> int:
    """The address in the ROM area that stands for a trap's original code."""
    index = number if number < 0x100 else 0x100 + (number & 0x3FF)
    return ROM_TRAPS + _ENTRY_SIZE * index


def trap_at(address: int) -> int | None:
    """The number of the trap whose `rom_entry` is an address, or None."""
    index, rest = divmod(address - ROM_TRAPS, _ENTRY_SIZE)
    if rest or not 0 <= index < 0x500:
        return None
    return index if index < 0x100 else TOOLBOX | index - 0x100


@functools.cache
def rom_entries() -> bytes:
    """What lies at `rom_entry` of all traps."""
    numbers = [*range(0x100), *range(0x800, 0xC00)]
    words = [0xA000 | number | (AUTO_POP if number & TOOLBOX else 0) for number in numbers]
    return b"".join(trap_code(word).ljust(_ENTRY_SIZE, b"\0") for word in words)


def trap_code(word: int) -> bytes:
    """A trap, and the RTS that is reached after one of the Operating System."""
    return word.to_bytes(2, "big") + bytes.fromhex("4e75")
