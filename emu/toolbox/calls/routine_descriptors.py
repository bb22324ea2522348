"""Which routine a routine descriptor leads to, also in a fat code resource.

Such a resource begins with a descriptor. Its records have the places of their code behind it, and
the one for the PowerPC is of a fragment, which is connected when it is first called; from then on
the descriptor has that routine's address, and no other.
Source: Inside Macintosh: PowerPC System Software, chapter 2 "Mixed Mode Manager" (fat resources,
p. 2-27; routine flags, p. 2-38).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emu.toolbox.calls.procedure_information import ROUTINE_DESCRIPTOR
from emu.toolbox.guest.guest_access import GuestAccess
from emu.toolbox.records.system import RoutineDescriptor, RoutineRecord

_M68K, _POWERPC = 0, 1
"""The numbers of the instruction sets."""

_IS_RELATIVE, _NEEDS_PREPARING = 1, 2
_MOST_RECORDS = 8


@dataclass(frozen=True, slots=True)
class DescribedRoutine:
    """A routine that a descriptor leads to.

    Attributes:
        address: its 68K code, or its transition vector.
        is_68k: whether it is code of a 68K.
        information: its procInfo.
    """

    address: int
    is_68k: bool
    information: int


def is_descriptor(guest: GuestAccess, address: int) -> bool:
    """Whether a routine pointer leads to a descriptor."""
    return guest.u16(address) == ROUTINE_DESCRIPTOR


def described_routine(
    guest: GuestAccess, address: int, connect: Callable[[int], int]
) -> DescribedRoutine:
    """The routine of a descriptor: that for the PowerPC, or else its first.

    Args:
        guest: guest memory.
        address: the descriptor's.
        connect: connects a fragment at an address in memory; its main symbol's address.
    """
    descriptor = RoutineDescriptor(guest, address)
    first = descriptor.routineRecords
    count = min(max(descriptor.routineCount, 0) + 1, _MOST_RECORDS)
    records = [RoutineRecord(guest, first.address + n * RoutineRecord.size) for n in range(count)]
    record = next((each for each in records if each.ISA == _POWERPC), first)
    place = record.procDescriptor + (address if record.routineFlags & _IS_RELATIVE else 0)
    if record.ISA == _POWERPC and record.routineFlags & (_IS_RELATIVE | _NEEDS_PREPARING):
        if record.routineFlags & _NEEDS_PREPARING:
            place = connect(place)
        guest.write(first.address, record.read())
        first.procDescriptor, first.routineFlags, descriptor.routineCount = place, 0, 0
    return DescribedRoutine(place, record.ISA == _M68K, record.procInfo)
