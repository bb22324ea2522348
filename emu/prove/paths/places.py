"""Finds which addresses a term can be, and reads and writes all of them at once.

An address that is not known is replaced by all that it can be, on its path: what is read is the
value at the first if the address is that, else the value at the second, and so on. So two pointers
that may lead to one place are one place where they are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from emu.lift.terms import Value, plain, simple_condition, term
from emu.prove.numbers.limits import UndecidedError
from emu.prove.numbers.solving import Assumptions
from emu.prove.paths.state import PathState

_MOST = 512
"""So many addresses may one access have on one path."""


class TooManyError(UndecidedError):
    """An address can be too much."""


@dataclass(frozen=True, slots=True)
class AccessPlaces:
    """The addresses of one access.

    Attributes:
        address: the term.
        values: what it can be.
        wild: holds of the inputs with which it is none of ``values``; None if there are none.
    """

    address: Value
    values: Sequence[int]
    wild: z3.BoolRef | None

    def load(self, state: PathState, size: int) -> Value:
        """What is there."""
        *others, last = self.values
        value = state.memory.get(last, size)
        for one in reversed(others):
            is_here = self.address == one
            value = z3.If(is_here, term(state.memory.get(one, size), size), term(value, size))
        return value

    def store(self, state: PathState, size: int, value: Value) -> None:
        """Put a value there."""
        if len(self.values) == 1:
            state.memory.put(self.values[0], size, value)
            return
        for one in self.values:
            old = term(state.memory.get(one, size), size)
            state.memory.put(one, size, z3.If(self.address == one, term(value, size), old))


class Areas:
    """The memory that a call can use: each region, and in it the objects that are known.

    Args:
        readable: addresses that can be read.
        writable: addresses that can be written.
        objects: variables and other pieces of memory, which addresses that are not known stay in.
        usual: the values of the inputs in a usual call, each with its symbol; they tell which
            object an address is meant to be in.
    """

    def __init__(
        self,
        readable: Sequence[range],
        writable: Sequence[range],
        objects: Sequence[range],
        usual: Sequence[tuple[z3.BitVecRef, z3.BitVecRef]] = (),
    ) -> None:
        self._readable = readable
        self._writable = writable
        self._objects = sorted(objects, key=lambda area: (len(area), area.start))
        self._usual = list(usual)

    def hold(self, address: int, size: int, *, writes: bool) -> bool:
        """Whether some bytes can be used."""
        return _holds(self._writable if writes else self._readable, address, size)

    def places(
        self, state: PathState, address: Value, size: int, assumptions: Assumptions, *, writes: bool
    ) -> AccessPlaces | None:
        """The addresses of an access; None if none of them can be used.

        Where an address can be anything, only those in one object are kept, and all others are
        wild: a pointer that was made from a variable is meant to stay in it.

        Raises:
            TooManyError: there are too many.
        """
        areas = self._writable if writes else self._readable
        address = address if isinstance(address, int) else plain(address)
        if isinstance(address, int):
            is_good = _holds(areas, address, size)
            return AccessPlaces(address, (address,), None) if is_good else None
        found = assumptions.values(address, state.conditions, _MOST)
        good = [one for one in found if _holds(areas, one, size)]
        if len(found) <= _MOST:
            if not good:
                return None
            return AccessPlaces(address, good, None if good == found else _none_of(address, good))
        return self._in_one_object(state, address, size, assumptions, areas)

    def _in_one_object(
        self,
        state: PathState,
        address: z3.BitVecRef,
        size: int,
        assumptions: Assumptions,
        areas: Sequence[range],
    ) -> AccessPlaces:
        """The addresses in the object that the address is usually in, or can be in."""
        usual = plain(z3.substitute(address, *self._usual))
        objects = [area for area in self._objects if any(area.start in each for each in areas)]
        if isinstance(usual, int):
            objects.sort(key=lambda area: usual not in area)
        for area in objects:
            inside = z3.And(z3.UGE(address, area.start), z3.ULE(address, area.stop - size))
            values = assumptions.values(address, (*state.conditions, inside), _MOST)
            if 1 < len(values) <= _MOST:
                return AccessPlaces(address, values, z3.Not(inside))
        raise TooManyError(f"an address can have more than {_MOST} values")


def _holds(areas: Sequence[range], address: int, size: int) -> bool:
    return any(address in area and address + size <= area.stop for area in areas)


def _none_of(address: z3.BitVecRef, values: Sequence[int]) -> z3.BoolRef | None:
    condition = simple_condition(z3.And(*(address != one for one in values)))
    return None if isinstance(condition, bool) and not condition else z3.And(condition)
