"""What a pointer to a function holds.

In code fragments of Mac OS that is the address of a *transition vector*: two words of data with the
address of the code and the table of contents. Elsewhere it is the address of the code.
"""

from __future__ import annotations

from emu.base.errors import ProgramError
from emu.machine.abi.base import CallingConvention
from emu.program import Program
from emu.program.declarations.places import find_routine

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


class FunctionPointers:
    """What pointers to the functions of a program hold, by the functions' names."""

    def __init__(self, program: Program, convention: CallingConvention) -> None:
        self._program = program
        self._has_vectors = convention.has_transition_vectors
        self._known: dict[str, int] = {"": 0}

    def pointer(self, name: str) -> int:
        """What a pointer to a function holds; the null pointer has the name "".

        Raises:
            ProgramError: there is no such function, or more than one; or it has no transition
                vector, so that no pointer to it is ever made.
        """
        if name not in self._known:
            code = find_routine(self._program, name)
            address = find_vector(self._program, code) if self._has_vectors else code
            if address is None:
                raise ProgramError(
                    self._program.path, f"{name} has no transition vector, so nothing points to it"
                )
            self._known[name] = address
        return self._known[name]

    def name(self, pointer: int) -> str | None:
        """The function that a pointer leads to; "" for the null pointer, None if there is none."""
        for name, address in self._known.items():
            if address == pointer:
                return name
        for name in self._program.functions:
            try:
                if self.pointer(name) == pointer:
                    return name
            except ProgramError:
                continue
        return None
