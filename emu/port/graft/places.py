"""Finds the names in compiled units that a port's marks are about, and where they lie."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from emu.base.errors import ProgramError
from emu.port.graft.assembly import CALL, NEW, is_of_file, symbol_of
from emu.port.graft.toolbox_glue import is_routine
from emu.port.graft.units import PortObjects, PortUnit, source_name_of
from emu.port.model import LIBRARY, ClaimedFunction, ClaimedGlobal, Claims
from emu.port.project.project import Project
from emu.program import Program
from emu.program.functions.find_functions import known_functions
from emu.program.functions.model import GLUE

# Distances from thePort, whose address a program gives InitGraf; the last of QDGlobals.
_QUICKDRAW = {
    "thePort": 0x0,
    "white": 0x8,
    "black": 0x10,
    "gray": 0x18,
    "ltGray": 0x20,
    "dkGray": 0x28,
    "arrow": 0x6C,
    "screenBits": 0x7A,
    "randSeed": 0x7E,
    "qd": 0xCA,
}
_INIT_GRAF = re.compile(rb"\x48\x6d([\x80-\xff].)\xa8\x6e", re.DOTALL)
"""PEA thePort(A5), then the trap: so did the compilers of the time."""


@dataclass(frozen=True, slots=True)
class GraftPlaces:
    """Where the names of compiled units lie in the old program.

    Attributes:
        functions: the claimed functions, by reference.
        globals: the places of variables, by reference.
    """

    functions: Mapping[str, ClaimedFunction]
    globals: Mapping[str, str]


def places_of(claims: Claims, objects: PortObjects, project: Project) -> GraftPlaces:
    """Join what marks say with what was compiled.

    QuickDraw's globals need no mark: InitGraf got their address. A function that is called and not
    written yet needs none, either, if a function of the old program has its name.

    Raises:
        ProgramError: two claims are about one name and differ.
    """
    index = _Index(objects.units, objects.pascal)
    functions: dict[str, ClaimedFunction] = {}
    for function in claims.functions.values():
        for reference in index.references(function, "function"):
            functions[reference] = function
    needed = {name for unit in objects.units for name in unit.undefined}
    absent = index.absent(needed) - functions.keys()
    if absent:
        functions |= named_functions(absent, objects.pascal, project)
    places: dict[str, str] = {}
    if not needed.isdisjoint(_QUICKDRAW):
        places = quickdraw_places(project.read_original())
    owners: dict[str, ClaimedGlobal] = {}
    for variable in claims.globals:
        for reference in index.references(variable, "object"):
            other = owners.setdefault(reference, variable)
            if other.place != variable.place:
                raise ProgramError(
                    variable.file,
                    f"{variable.name} lies at {variable.place}, but at {other.place} by "
                    f"{other.file.name}, line {other.line}",
                    where=f"line {variable.line}",
                    remedy="Correct one of the marks.",
                )
            places[reference] = variable.place
    return GraftPlaces(functions, places)


def named_functions(
    names: Collection[str], pascal: Collection[str], project: Project
) -> dict[str, ClaimedFunction]:
    """The functions of the old program that have some names; none of a name that two have.

    MPW C writes the name of a ``pascal`` function in capitals, as Pascal's linker wants it.

    Args:
        names: the names in the new source.
        pascal: those that are declared ``pascal``; so are the Toolbox's.
        project: the port.
    """
    old = known_functions(project.read_original()).functions
    counts = Counter(one.name for one in old)
    places = {one.name: one.place for one in old if counts[one.name] == 1}
    found: dict[str, ClaimedFunction] = {}
    for name in sorted(names):
        is_pascal = name in pascal or is_routine(name)
        place = places.get(name) or (places.get(name.upper()) if is_pascal else None)
        if place:
            found[name] = ClaimedFunction(
                name, name, LIBRARY, place, project.path, 0, is_defined=False
            )
    return found


def quickdraw_places(program: Program) -> dict[str, str]:
    """Where a program has QuickDraw's globals; empty if its code does not tell it."""
    if program.architecture == "powerpc":
        structures = set(_taken_for_init_graf(program))
        return {"qd": structures.pop()} if len(structures) == 1 else {}
    found = {
        0x10000 - int.from_bytes(match[1], "big")
        for segment in program.segments
        for match in _INIT_GRAF.finditer(segment.data)
    }
    if len(found) != 1:
        return {}
    (port,) = found
    return {name: f"A5-{port + below:#x}" for name, below in _QUICKDRAW.items()}


def _taken_for_init_graf(program: Program) -> Iterator[str]:
    """Where a PowerPC program may have ``qd``: it takes that address, and adds that of thePort."""
    for function in known_functions(program).functions:
        if "InitGraf" in function.toolbox and function.kind != GLUE:
            taken = {use.address: use.place for use in function.contents.globals if use.takes}
            yield from (place for at, place in taken.items() if at + _QUICKDRAW["qd"] in taken)


class _Index:
    """The names that units define, by their symbols."""

    def __init__(self, units: tuple[PortUnit, ...], pascal: frozenset[str]) -> None:
        self._pascal = pascal
        self._defined: dict[tuple[str, str], list[tuple[PortUnit, str]]] = {}
        for unit in units:
            for symbol in unit.symbols:
                name = source_name_of(symbol_of(symbol.reference))
                self._defined.setdefault((symbol.kind, name), []).append((unit, symbol.reference))

    def absent(self, needed: Collection[str]) -> set[str]:
        """The functions that are called, or declared ``pascal``, and that no unit defines."""
        called = {name.removeprefix(CALL) for name in needed if name.startswith(CALL)}
        return {
            name
            for name in called | (self._pascal & set(needed))
            if ("function", name) not in self._defined
        }

    def references(self, claim: ClaimedFunction | ClaimedGlobal, kind: str) -> Iterator[str]:
        """The references that a claim is about.

        A static name is that of the claim's file, or of every file if it stands in a header.
        """
        symbol = source_name_of(symbol_of(claim.symbol.removeprefix(NEW)))
        found = self._defined.get((kind, symbol), [])
        in_file = [one for one in found if one[0].path == claim.file.resolve()]
        references = {reference for _, reference in in_file or found}
        yield from references
        if all(map(is_of_file, references)) and not in_file:
            yield symbol  # what no unit defines is declared only
