"""Routines that are called by their names.

A PowerPC program imports a routine by its name. A 68K program has glue of its own for a routine
without a trap. macproof's glue pushes the arguments as Pascal does, then the address of the name as
a C string, and executes the trap word `CALL_BY_NAME`, so that one declaration answers both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from emu.toolbox.calls.absent_routines import absent_routines
from emu.toolbox.computer.declaration import ManagerRoutine
from emu.toolbox.guest.guest_access import GuestAccess

CALL_BY_NAME = 0xAFF4
"""A trap word that no routine of a Macintosh has."""

_LONGEST_NAME = 255

ByName = Mapping[str, tuple[ManagerRoutine, int | None]]
"""Routines by their import names, each with its trap if the routine wants to know it."""


def by_name(declared: Iterable[ManagerRoutine]) -> ByName:
    """Find the import names of routines.

    Raises:
        ValueError: two have the same name.
    """
    routines: dict[str, tuple[ManagerRoutine, int | None]] = {}
    for manager_routine in declared:
        routine = manager_routine.routine
        names: dict[str, int | None] = {
            **dict.fromkeys(routine.imports, routine.trap if routine.variants else None),
            **dict(routine.variants),
        }
        for name, trap in names.items():
            if name in routines:
                raise ValueError(f"two routines are imported as {name}")
            routines[name] = manager_routine, trap
    return routines


def name_at(guest: GuestAccess, address: int) -> str:
    """The name that a call by name passes; what is there if it is no name."""
    characters = bytearray()
    while len(characters) < _LONGEST_NAME and guest.is_mapped(address + len(characters), 1):
        byte = guest.u8(address + len(characters))
        if not byte:
            break
        characters.append(byte)
    return characters.decode("ascii", "backslashreplace")


def description(name: str, otherwise: str) -> str:
    """What a message calls a routine that the Toolbox lacks."""
    absent = absent_routines().get(name)
    return otherwise if absent is None else absent.description
