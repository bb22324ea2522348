"""Finds the names in compiled units that a port's marks are about, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from emu.base.errors import ProgramError
from emu.port.graft.assembly import NEW, is_of_file, symbol_of
from emu.port.graft.units import PortObjects, PortUnit, source_name_of
from emu.port.model import ClaimedFunction, ClaimedGlobal, Claims

# THINK C puts QuickDraw's globals there, thePort last (Inside Macintosh I, "Using QuickDraw").
_QUICKDRAW = {
    "thePort": "A5-0x4",
    "white": "A5-0xc",
    "black": "A5-0x14",
    "gray": "A5-0x1c",
    "ltGray": "A5-0x24",
    "dkGray": "A5-0x2c",
    "arrow": "A5-0x70",
    "screenBits": "A5-0x7e",
    "randSeed": "A5-0x82",
    "qd": "A5-0xce",
}


@dataclass(frozen=True, slots=True)
class GraftPlaces:
    """Where the names of compiled units lie in the old program.

    Attributes:
        functions: the claimed functions, by reference.
        globals: the places of variables, by reference.
    """

    functions: Mapping[str, ClaimedFunction]
    globals: Mapping[str, str]


def places_of(claims: Claims, objects: PortObjects) -> GraftPlaces:
    """Join what marks say with what was compiled.

    Raises:
        ProgramError: two claims are about one name and differ.
    """
    index = _Index(objects.units)
    functions: dict[str, ClaimedFunction] = {}
    for function in claims.functions.values():
        for reference in index.references(function, "function"):
            functions[reference] = function
    places: dict[str, str] = {}
    if objects.dialect.convention.startswith("think-c"):
        needed = {name for unit in objects.units for name in unit.undefined}
        places = {name: place for name, place in _QUICKDRAW.items() if name in needed}
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


class _Index:
    """The names that units define, by their symbols."""

    def __init__(self, units: tuple[PortUnit, ...]) -> None:
        self._defined: dict[tuple[str, str], list[tuple[PortUnit, str]]] = {}
        for unit in units:
            for symbol in unit.symbols:
                name = source_name_of(symbol_of(symbol.reference))
                self._defined.setdefault((symbol.kind, name), []).append((unit, symbol.reference))

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
