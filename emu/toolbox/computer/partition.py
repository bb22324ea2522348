"""The memory that a program gets: how much of it is heap, and how far its stack may grow.

On a Macintosh both are in one partition. The stack grows down towards the heap, which ends at
ApplLimit only when the program has called MaxApplZone; until then nearly all of the partition can
become stack. Here they lie apart, and each may take as much as it could there.
Sources: Inside Macintosh: Memory, chapter 1 (the partition, the default stack); Inside Macintosh:
Toolbox Essentials, chapter 2 ('SIZE' resources).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.program.mac_file.mac_file import MacFile
from emu.toolbox.computer.settings import Settings

_USUAL = 4 << 20
_SMALLEST, LARGEST_PARTITION = 256 << 10, 16 << 20
_SMALLEST_STACK, LARGEST_STACK = 256 << 10, 8 << 20
_SYSTEM_DATA = 512 << 10
"""Fonts, the Window Manager's regions and the like are in the program's heap here."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Sizes in bytes: of the heap with what the system keeps there, and of the stack."""

    heap: int
    stack: int


def partition_of(file: MacFile, settings: Settings) -> Partition:
    """The memory that the user gives a program, or that it asks for in 'SIZE' -1.

    Raises:
        UsageError: it is more than a run has.
    """
    size = file.resources.find("SIZE", -1) or file.resources.find("SIZE", 0)
    wanted = settings.memory
    if not wanted and size is not None and len(size.data) >= 10:
        wanted = int.from_bytes(size.data[2:6], "big")
    wanted = wanted or _USUAL
    if wanted > LARGEST_PARTITION:
        raise UsageError(
            f"{file.path}: its SIZE resource asks for {wanted:,} bytes of memory; "
            f"a run has at most {LARGEST_PARTITION:,}"
        )
    stack = settings.stack or min(max(wanted, _SMALLEST_STACK), LARGEST_STACK)
    return Partition(max(wanted, _SMALLEST) + _SYSTEM_DATA, stack)
