"""Finds a routine of a program by its name or its place, and declares it there.

A place is the name of a segment and a distance from its beginning: "CODE 3+0x1a2" is byte 0x1A2 of
the resource, whose header counts; "section 0+0x40" is byte 0x40 of a section of a PEF container.
"""

from __future__ import annotations

import copy
import re
from dataclasses import replace

from emu.base.errors import ProgramError
from emu.program.model import Program
from emu.program.signatures import Signature

_PLACE = re.compile(r"(?P<segment>\S.*?)\s*\+\s*(?P<offset>0x[0-9A-Fa-f]+|\d+)")


def find_routine(program: Program, name: str) -> int:
    """The address of a routine.

    Args:
        program: the program.
        name: its name, or its place.

    Raises:
        ProgramError: there is no such routine, or more than one; or no such segment, or the place
            is not in its code.
    """
    match = _PLACE.fullmatch(name)
    if match is None:
        return program.function(name)
    wanted, offset = match["segment"], int(match["offset"], 0)
    code = [one for one in program.segments if one.executable]
    found = [one for one in code if one.name == wanted or one.name.startswith(f"{wanted} ")]
    if not found:
        known = ", ".join(one.name for one in code)
        raise ProgramError(program.path, f"it has no code {wanted}", remedy=f"It has {known}.")
    address = found[0].address + offset
    if address >= found[0].end:
        raise ProgramError(
            program.path, f"{name} is beyond the {found[0].size} bytes of {found[0].name}"
        )
    if address % 2:
        raise ProgramError(program.path, f"{name} is odd, and no routine begins there")
    return address


def with_routine(
    program: Program, name: str, signature: Signature | None, convention: str = ""
) -> Program:
    """A program with a routine of this name, which is declared so.

    Args:
        program: the program.
        name: the routine's name, or its place.
        signature: how it is declared; None if nobody knows.
        convention: the name of its calling convention; "" for the one that the program has.

    Raises:
        ProgramError: as of `find_routine`.
    """
    address = find_routine(program, name)
    made = copy.copy(program)
    made.functions = {**program.functions, name: [address]}
    if signature is not None:
        made.signatures = {**program.signatures, name: [replace(signature, address=address)]}
    made.convention = convention or program.convention
    return made
