"""The memory that a program gets: one piece, of which its stack is the end.

Sources: Inside Macintosh: Memory, chapter 1 (the partition, the default stack); Inside Macintosh:
Toolbox Essentials, chapter 2 ('SIZE' resources); Inside Macintosh: PowerPC System Software, chapter
1 (the stack that 'cfrg' asks for).
"""

from __future__ import annotations

from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.program.mac_file.mac_file import MacFile
from emu.program.mac_file.resource_fork import ResourceFork
from emu.toolbox.computer.settings import Settings

_USUAL = 4 << 20
_SMALLEST, LARGEST_PARTITION = 256 << 10, 16 << 20
LARGEST_STACK = 8 << 20
_STACK, _COLOR_STACK = 8 << 10, 32 << 10
_SYSTEM_DATA = 512 << 10
"""Fonts, the Window Manager's regions and the like are in the program's heap here."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Sizes in bytes: of the largest heap, with what the system keeps there, and of the stack."""

    heap: int
    stack: int


def partition_of(
    file: MacFile, settings: Settings, *, has_color: bool, stack: int = 0
) -> Partition:
    """The memory that the user gives a program, or that it asks for in 'SIZE' -1.

    A program with a segment that does not fit into what it asks for cannot mean it: MultiFinder
    could not run it, and without MultiFinder it has all memory. Such are those of Retro68 whose
    'SIZE' is that of its template, 100 KB. One that asks for more than a run has gets what there
    is, as from MultiFinder, unless its least size is more, too.

    Args:
        file: the program.
        settings: the user's choices.
        has_color: whether there is Color QuickDraw, which needs more of the stack.
        stack: the bytes of stack that the program asks for by its fragment; 0 if it does not.

    Raises:
        UsageError: it is more than a run has.
    """
    size = file.resources.find("SIZE", -1) or file.resources.find("SIZE", 0)
    wanted = settings.memory
    if not wanted and size is not None and len(size.data) >= 10:
        wanted, least = (int.from_bytes(size.data[at : at + 4], "big") for at in (2, 6))
        wanted = min(wanted, max(least, LARGEST_PARTITION))
        wanted = wanted if wanted > _largest_segment(file.resources) else 0
    wanted = wanted or _USUAL
    if wanted > LARGEST_PARTITION:
        raise UsageError(
            f"{file.path}: its SIZE resource asks for at least {wanted:,} bytes of memory; "
            f"a run has at most {LARGEST_PARTITION:,}"
        )
    stack = settings.stack or stack or (_COLOR_STACK if has_color else _STACK)
    if stack > LARGEST_STACK:
        raise UsageError(
            f"{file.path}: it asks for {stack:,} bytes of stack; "
            f"a run has at most {LARGEST_STACK:,}"
        )
    return Partition(max(wanted - stack, _SMALLEST) + _SYSTEM_DATA, stack)


def _largest_segment(resources: ResourceFork) -> int:
    """The size of the largest 'CODE' resource, in bytes."""
    return max((len(one.data) for one in resources.values() if one.type == "CODE"), default=0)
