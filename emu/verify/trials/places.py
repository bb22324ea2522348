"""Places in guest memory, as a person writes them down."""

from __future__ import annotations

import re
from dataclasses import dataclass

from emu.base.errors import UsageError
from emu.machine import Machine

_PLACE = re.compile(
    r"(?P<name>[A-Za-z_]\w*)"
    r"(?:\[(?P<index>-?[0-9]{1,9})\])?"
    r"(?:\.(?P<member>[A-Za-z_]\w*))?"
    r"(?: (?P<sign>[+-]) (?P<bytes>[0-9]{1,9}))?"
)
_HEAP, _HEAP_END = "heap", "heap_end"


@dataclass(frozen=True, slots=True)
class GuestPlace:
    """An address and the size in bytes of what should be there."""

    address: int
    size: int


def check_place(text: str) -> None:
    """See that a place is one.

    Raises:
        UsageError: it is not, with what a place looks like.
    """
    if not _PLACE.fullmatch(text):
        raise UsageError(
            f"{text!r} is no place; places are like gLengths[64], gBalls[-1].next, "
            "heap and heap_end - 168"
        )


def find_place(machine: Machine, text: str) -> GuestPlace:
    """Where a place is in a machine.

    Args:
        machine: the machine with the program.
        text: a global; or an element of it by a flat index, which may lie outside its array; or a
            member of that; or "heap" or "heap_end"; and perhaps " + 4" or " - 168" bytes.

    Raises:
        UsageError: it is no place.
        ProgramError: the program has no such global or member.
    """
    check_place(text)
    match = _PLACE.fullmatch(text)
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
    return GuestPlace(address & 0xFFFFFFFF, size)
