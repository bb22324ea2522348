"""Locations in guest memory, written as text such as ``gBalls[3].next`` or ``heap + 4``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.machine import BareMachine
from macproof import UsageError

_LOCATION = re.compile(
    r"(?P<name>[A-Za-z_]\w*)"
    r"(?:\[(?P<index>-?[0-9]{1,9})\])?"
    r"(?:\.(?P<member>[A-Za-z_]\w*))?"
    r"(?: (?P<sign>[+-]) (?P<bytes>[0-9]{1,9}))?"
)
_HEAP, _HEAP_END = "heap", "heap_end"


@dataclass(frozen=True, slots=True)
class GuestLocation:
    """A location in guest memory.

    Attributes:
        address: the guest address.
        size: the size of the variable, element or member at it, in bytes.
    """

    address: int
    size: int


def check_location(text: str) -> None:
    """Check that a text is written like a location.

    Raises:
        UsageError: it is not.
    """
    if not _LOCATION.fullmatch(text):
        raise UsageError(
            f"{text!r} is no location in memory; write it like gLengths[64], gBalls[-1].next, "
            "heap or heap_end - 168"
        )


def find_location(machine: BareMachine, text: str) -> GuestLocation:
    """Find the address of a location.

    Args:
        machine: the machine with the program.
        text: the location. It begins with a global variable (``gCount``), an element of one
            (``gLengths[64]``; the index may lie outside the array, and an array of several
            dimensions is indexed as if it had one), a member of either (``gBalls[-1].next``),
            ``heap`` or ``heap_end``. It may end with an offset in bytes, `` + 4`` or `` - 168``.

    Returns:
        The location. For the heap its size is 4 bytes.

    Raises:
        UsageError: the text is no location, or the variable has no such member.
        ProgramError: the program has no such variable.
    """
    check_location(text)
    match = _LOCATION.fullmatch(text)
    assert match is not None
    name, index, member = match["name"], match["index"], match["member"]
    if name in (_HEAP, _HEAP_END):
        heap = machine.memory.region("heap")
        address, size = (heap.address if name == _HEAP else heap.end), 4
    else:
        variable = machine.program.variable(name)
        address, size = variable.address, variable.type.dtype.itemsize
        if index is not None:
            address += int(index) * size
        if member is not None:
            field = variable.type.field(member)
            if field is None:
                raise UsageError(f"{name} has no member {member}")
            address += field.offset
            size = field.type.size
    if match["bytes"] is not None:
        address += int(match["bytes"]) * (1 if match["sign"] == "+" else -1)
    return GuestLocation(address & 0xFFFFFFFF, size)
