"""The objects of a program: where each variable begins and ends, and what lies between them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from emu.program import Program
from emu.program.model.model import Variable, source_name

_LARGEST_GAP = 32
"""Bytes; alignment makes no larger gap. What lies in a larger one has no name, and may be data."""
_LARGEST_SCALAR = 8  # bytes, of a double


@dataclass(frozen=True, slots=True, order=True)
class GuestVariable:
    """A variable of a program.

    Attributes:
        start: its address.
        end: the address behind its last byte.
        name: its name, with the number of elements of an array: "gObjects[200]".
    """

    start: int
    end: int
    name: str

    @classmethod
    def of(cls, name: str, variable: Variable) -> GuestVariable:
        """The object that a variable of a program or an argument is."""
        shape = "".join(f"[{length}]" for length in variable.type.shape)
        return cls(variable.address, variable.address + variable.type.size, name + shape)


class Objects:
    """The variables of a program, by debugging information and by the sizes of symbols.

    Args:
        program: the program.
        more: further objects, such as the arguments of a call.
    """

    def __init__(self, program: Program, more: Iterable[GuestVariable] = ()) -> None:
        self._program = program
        self.all = _outermost([*_variables(program), *_symbols(program), *more])
        self._starts = [variable.start for variable in self.all]

    def at(self, address: int) -> GuestVariable | None:
        """The object that an address is in, or None."""
        before = self.before(address)
        return before if before is not None and address < before.end else None

    def before(self, address: int) -> GuestVariable | None:
        """The last object that begins at an address or before it."""
        index = bisect_right(self._starts, address) - 1
        return self.all[index] if index >= 0 else None

    def after(self, address: int) -> GuestVariable | None:
        """The first object that begins behind an address."""
        index = bisect_right(self._starts, address)
        return self.all[index] if index < len(self.all) else None

    def words(self, address: int) -> str:
        """Where an address is, as a noun phrase.

        For example "1 byte behind the end of gCollisionArray[200], before gObjects[200]".
        """
        inside, after = self.at(address), self.after(address)
        if inside is not None:
            return f"byte {address - inside.start} of {inside.name}"
        before = self.before(address)
        if before is None:
            return f"0x{address:08x}"
        distance = address - before.end + 1
        behind = f"{distance} byte{'s' * (distance > 1)} behind the end of {before.name}"
        near = after is not None and after.start - before.end < _LARGEST_GAP
        return f"{behind}, before {after.name}" if near and after is not None else behind

    def gaps(self) -> Iterator[range]:
        """The addresses between objects that are so close that nothing else can be there.

        The linker fills such a gap with zeros. What holds anything else is data without a name,
        such as the numbers that a function of floating point has in its source.
        """
        for variable, other in zip(self.all, self.all[1:], strict=False):
            gap = range(variable.end, other.start)
            if 0 < len(gap) < _LARGEST_GAP and not self._has_data(gap):
                yield gap

    def _has_data(self, places: range) -> bool:
        """Whether the program begins with anything but zeros at some addresses."""
        return any(
            any(part.data[max(places.start - part.address, 0) : max(places.stop - part.address, 0)])
            for part in self._program.segments
        )

    def edges(self) -> Iterator[int]:
        """The beginnings of objects that follow another without a gap."""
        yield from (other.start for _, other in self._neighbours())

    def limits(self) -> Iterator[int]:
        """Those of `edges` before which there is an object with several elements or members."""
        for neighbour, other in self._neighbours():
            if neighbour.end - neighbour.start > _LARGEST_SCALAR or "[" in neighbour.name:
                yield other.start

    def _neighbours(self) -> Iterator[tuple[GuestVariable, GuestVariable]]:
        for variable, other in zip(self.all, self.all[1:], strict=False):
            if other.start == variable.end:
                yield variable, other


def _variables(program: Program) -> Iterator[GuestVariable]:
    for name, variables in program.variables.items():
        for variable in variables:
            if variable.problem is None and variable.type.size:
                yield GuestVariable.of(name, variable)


def _symbols(program: Program) -> Iterator[GuestVariable]:
    for symbol in program.symbols:
        if symbol.kind == "object" and symbol.size:
            yield GuestVariable(
                symbol.address, symbol.address + symbol.size, source_name(symbol.name)
            )


def _outermost(variables: Iterable[GuestVariable]) -> list[GuestVariable]:
    """Objects without those that lie in others; of equal ones the first."""
    kept: list[GuestVariable] = []
    for variable in sorted(variables, key=lambda each: (each.start, -each.end)):
        if not kept or variable.end > kept[-1].end:
            kept.append(variable)
    return kept
