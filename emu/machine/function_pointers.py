"""What a pointer to a function holds.

In code fragments of Mac OS that is the address of a *transition vector*: two words of data with the
address of the code and the table of contents. Elsewhere it is the address of the code.
"""

from __future__ import annotations

from emu.program import Program

VECTOR_SIZE = 8


def vector(program: Program, address: int) -> bytes:
    """The transition vector of the routine whose code begins at an address."""
    return address.to_bytes(4, "big") + program.registers.get("r2", 0).to_bytes(4, "big")


def find_vector(program: Program, address: int) -> int | None:
    """Where a program's own transition vector of a routine lies.

    A program that compares pointers to functions compares with the address of that one.

    Args:
        program: the program.
        address: the address of the routine's code.

    Returns:
        Its address; None if the program has none, since it never needs a pointer to the routine.
    """
    wanted = vector(program, address)
    for segment in program.segments:
        place = segment.data.find(wanted)
        while place >= 0:
            if (segment.address + place) % 4 == 0:
                return segment.address + place
            place = segment.data.find(wanted, place + 1)
    return None
