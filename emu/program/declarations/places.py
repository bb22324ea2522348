"""Finds routines and globals of a program by their names or places, and declares them there.

A place is the name of a segment and a distance from its beginning: "CODE 3+0x1a2" is byte 0x1A2 of
the resource, whose header counts; "section 0+0x40" is byte 0x40 of a section of a PEF container.
The place of a global can also be a distance from A5: "A5-0x1a2".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from emu.base.errors import ProgramError
from emu.program.model.model import Program, Segment, Variable
from emu.program.model.signatures import Signature
from emu.program.model.types import GuestType

_PLACE = re.compile(r"(?P<segment>\S.*?)\s*\+\s*(?P<offset>0x[0-9A-Fa-f]+|\d+)")
_FROM_A5 = re.compile(r"[Aa]5\s*([+-])\s*(0x[0-9A-Fa-f]+|\d+)")


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
    code = [part for part in program.segments if part.executable]
    segment = _segment(program, code, match["segment"], "code")
    address = segment.address + int(match["offset"], 0)
    if address >= segment.end:
        raise ProgramError(
            program.path, f"{name} is beyond the {segment.size} bytes of {segment.name}"
        )
    if address % 2:
        raise ProgramError(program.path, f"{name} is odd, and no routine begins there")
    return address


def with_global(program: Program, name: str, place: str, kind: GuestType) -> Program:
    """A program with a global of this name at a place.

    Args:
        program: the program.
        name: a name for the global.
        place: "A5-0x1a2", or a distance from the beginning of a segment, "section 1+0x40".
        kind: its type.

    Raises:
        ProgramError: there is no such place, or not enough memory that can be written.
    """
    address = find_data(program, place)
    if not has_data(program, address, kind.size):
        raise ProgramError(
            program.path,
            f"it has no data of {kind.size} bytes at {place}",
            remedy="macproof inspect tells how many bytes are below A5, and the sections.",
        )
    return replace(program, variables={**program.variables, name: [Variable(name, address, kind)]})


def has_data(program: Program, address: int, size: int) -> bool:
    """Whether so many bytes at an address are memory of the program that can be written."""
    return any(
        one.writable and one.address <= address <= one.end - size for one in program.segments
    )


def find_data(program: Program, place: str) -> int:
    """The address of a place in data.

    Args:
        program: the program.
        place: "A5-0x1a2", or a distance from the beginning of a segment, "section 1+0x40".

    Raises:
        ProgramError: there is no such segment, or this is no place.
    """
    if from_a5 := _FROM_A5.fullmatch(place):
        if "a5" not in program.registers:
            raise ProgramError(program.path, f"a {program.architecture} program has no A5")
        return program.registers["a5"] + int(from_a5[1] + from_a5[2], 0)
    match = _PLACE.fullmatch(place)
    if match is None:
        raise ProgramError(program.path, f"{place} is no place, as A5-0x1a2 is")
    data = [segment for segment in program.segments if segment.writable]
    return _segment(program, data, match["segment"], "data").address + int(match["offset"], 0)


def find_place(program: Program, place: str) -> int:
    """The address of a routine or of data by its place.

    Raises:
        ProgramError: there is no such place.
    """
    match = _PLACE.fullmatch(place)
    named = _named(program.segments, match["segment"]) if match is not None else []
    if _FROM_A5.fullmatch(place) or (named and not named[0].executable):
        return find_data(program, place)
    return find_routine(program, place)


def _named(among: Sequence[Segment], name: str) -> list[Segment]:
    return [one for one in among if one.name == name or one.name.startswith(f"{name} ")]


def _segment(program: Program, among: Sequence[Segment], wanted: str, what: str) -> Segment:
    segments = _named(among, wanted)
    if not segments:
        names = ", ".join(dict.fromkeys(segment.name for segment in among))
        raise ProgramError(program.path, f"it has no {what} {wanted}", remedy=f"It has {names}.")
    return segments[0]


def is_place(name: str) -> bool:
    """Whether the name of a routine is a place, such as "CODE 3+0x1a2"."""
    return _PLACE.fullmatch(name) is not None


def with_routine(
    program: Program, name: str, symbol: str, signature: Signature | None, convention: str = ""
) -> Program:
    """A program that has a routine of this name, with a declaration.

    Args:
        program: the program.
        name: a name for the routine.
        symbol: the name that it has there, or its place.
        signature: how it is declared; None if nobody knows.
        convention: the name of its calling convention; "" for the program's own.

    Raises:
        ProgramError: as of `find_routine`.
    """
    address = find_routine(program, symbol)
    signatures = [] if signature is None else [replace(signature, address=address)]
    return replace(
        program,
        functions={**program.functions, name: [address]},
        signatures={**program.signatures, name: signatures},
        convention=convention or program.convention,
    )
