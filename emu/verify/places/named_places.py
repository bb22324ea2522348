"""Names addresses in a program's data: "gObjects[17].sector_link", the same in every program."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from emu.program import GuestType, Program, Variable

OUTSIDE = "an address outside the program's data"


@dataclass(frozen=True, slots=True)
class Place:
    """One number in a program's data.

    Attributes:
        name: its name in the source, the same in every program made of it.
        address: where it lies.
        type: its type; it has no members and no elements.
    """

    name: str
    address: int
    type: GuestType

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.type.size


class NamedPlaces:
    """The numbers in the variables of a program.

    Args:
        program: the program.
        variables: its variables by their names, with those of the call's arguments.
    """

    def __init__(self, program: Program, variables: Mapping[str, Sequence[Variable]]) -> None:
        self._program = program
        self._all = _by_address(variables)
        self._starts = [place.address for place in self._all]

    def at(self, address: int, whole_type: str = "") -> Place | None:
        """The number that a byte belongs to; None for padding and for what has no name.

        If a struct of the type ``whole_type`` begins there, the place is that struct.
        """
        index = bisect_right(self._starts, address) - 1
        if index < 0 or address >= self._all[index].end:
            return None
        whole = self._all[index]
        return _part(whole, address - whole.address, whole_type)

    def words(self, place: Place, data: bytes) -> str:
        """The number that bytes of a place hold; the same words in every program.

        A pointer is given as the name of what it points to.
        """
        kind, dtype = place.type.kind, place.type.dtype
        if kind == "pointer":
            return self._pointed(int.from_bytes(data, "big"), place.type.target)
        if place.type.bits is not None or dtype.kind not in "biuf":
            return f"0x{data.hex()}"
        return str(np.frombuffer(data, dtype)[0].item())

    def _pointed(self, address: int, pointed: str) -> str:
        if not address:
            return "null"
        target = self.at(address, pointed)
        if target is not None:
            return f"&{target.name}"
        location = self._program.locate(address)
        return f"&{location.symbol}" if location.symbol and not location.offset else OUTSIDE


def _by_address(variables: Mapping[str, Sequence[Variable]]) -> list[Place]:
    """All variables, as places, in the order of their addresses."""
    by_address = [
        Place(
            name + f" ({number} of {len(same)})" * (len(same) > 1), variable.address, variable.type
        )
        for name, same in variables.items()
        for number, variable in enumerate(same, 1)
        if variable.problem is None and variable.type.size
    ]
    return sorted(by_address, key=lambda place: place.address)


def _part(whole: Place, offset: int, whole_type: str) -> Place | None:
    """The number at an offset of a variable, or the struct of a type that begins there, or None."""
    name, address, type_ = whole.name, whole.address, whole.type
    while True:
        if not offset and type_.name == whole_type:
            return Place(name, address, type_)
        if type_.kind == "array" and type_.element is not None:
            index, offset = divmod(offset, type_.dtype.itemsize)
            name += "".join(f"[{number}]" for number in np.unravel_index(index, type_.shape))
            address += index * type_.dtype.itemsize
            type_ = type_.element
        elif type_.kind == "struct":
            field = next(
                (
                    number
                    for number in type_.fields
                    if number.offset <= offset < number.offset + number.type.size
                ),
                None,
            )
            if field is None:
                return None
            name += f".{field.name}" if field.name else ""
            address, offset, type_ = address + field.offset, offset - field.offset, field.type
        else:
            return Place(name, address, type_)
