"""Gives types to the globals of a program without debugging information.

A released application has no debugging information for its own globals, but its symbols say where
they lie. Their types are taken from a second program, the donor, which was compiled for the same
processor from the same declarations. The sizes must agree; nothing else can be checked.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from emu.base.errors import ProgramError
from emu.program.model.model import Program, Symbol, Variable, source_name

_MOST_PADDING = 16


def untyped(program: Program, names: Iterable[str]) -> tuple[str, ...]:
    """Which of some globals have a symbol in a program but no type."""
    return tuple(
        name
        for name in dict.fromkeys(names)
        if name not in program.variables and _symbols(program, name)
    )


def with_types(program: Program, donor: Program, names: Iterable[str]) -> Program:
    """A program with types for these globals.

    Args:
        program: the program that has symbols for them but no types.
        donor: the program whose debugging information is used.
        names: the globals, by the names in the source.

    Raises:
        ProgramError: the programs are for different processors; one of them has no such global, or
            several; or the global's size is not the same in both.
    """
    if (program.architecture, program.byte_order) != (donor.architecture, donor.byte_order):
        raise ProgramError(
            program.path,
            f"it is a {program.architecture} program; {donor.path} is a {donor.architecture} "
            "program, whose types may be laid out in another way",
        )
    borrowed = {name: [_variable(program, donor, name)] for name in names}
    return replace(program, variables={**program.variables, **borrowed})


def _variable(program: Program, donor: Program, name: str) -> Variable:
    kind = donor.variable(name).type
    places = {symbol.address: symbol for symbol in _symbols(program, name)}
    if len(places) != 1:
        problem = f"{len(places)} variables are named" if places else "there is no global variable"
        raise ProgramError(program.path, f"{problem} {name}")
    (symbol,) = places.values()
    size = max(s.size for s in _symbols(program, name))
    least = size
    if not size:  # XCOFF does not tell sizes; between two globals there may be some padding
        size = _room(program, symbol)
        least = max(size - _MOST_PADDING + 1, 0)
    if not least <= kind.size <= size:
        raise ProgramError(
            program.path,
            f"{name} has {size} bytes, and {kind.size} in {donor.path}, where its type is from",
            remedy="Compile it with -g, or from the same declarations.",
        )
    return Variable(name, symbol.address, kind)


def _symbols(program: Program, name: str) -> list[Symbol]:
    return [
        s for s in program.symbols if s.kind == "object" and name in (s.name, source_name(s.name))
    ]


def _room(program: Program, symbol: Symbol) -> int:
    """Bytes from a symbol to the next, or to the end of its segment."""
    end = next((s.end for s in program.segments if s.address <= symbol.address < s.end), 0)
    addresses = [s.address for s in program.symbols]  # in order
    index = bisect_right(addresses, symbol.address)
    following = addresses[index] if index < len(addresses) else end
    return max(min(end, following) - symbol.address, 0)
