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
"""So many addresses may one access have on one path, in one object."""

_MOST_OTHERS = 16
"""So many may it have outside of that object."""


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

        Where an address can be very many, only those in one object are kept, and all others are
        wild: a pointer that was made from a variable is meant to stay in it.

        Raises:
            TooManyError: there are too many even so.
        """
        areas = self._writable if writes else self._readable
        address = address if isinstance(address, int) else plain(address)
        if isinstance(address, int):
            is_good = _holds(areas, address, size)
            return AccessPlaces(address, (address,), None) if is_good else None
        for area in self._likely(address, areas):
            inside = z3.And(z3.UGE(address, area.start), z3.ULE(address, area.stop - size))
            values = _values_in(area, address, size, (*state.conditions, inside), assumptions)
            if not values:
                continue
            outside = z3.Not(inside)
            others = assumptions.values(address, (*state.conditions, outside), _MOST_OTHERS)
            if len(others) > _MOST_OTHERS:
                return AccessPlaces(address, values, outside) if len(values) > 1 else None
            good = [one for one in (*values, *others) if _holds(areas, one, size)]
            wild = _none_of(address, good) if len(good) < len(values) + len(others) else None
            return AccessPlaces(address, good, wild) if good else None
        if assumptions.values(address, state.conditions, 0):
            raise TooManyError(f"an address can have more than {_MOST} values")
        return None

    def _likely(self, address: z3.BitVecRef, areas: Sequence[range]) -> list[range]:
        """The objects that an address may be in, the likeliest first."""
        usual = plain(z3.substitute(address, *self._usual))
        objects = [area for area in self._objects if any(area.start in each for each in areas)]
        if isinstance(usual, int):
            objects.sort(key=lambda area: usual not in area)
        return objects


def _values_in(
    area: range,
    address: z3.BitVecRef,
    size: int,
    conditions: Sequence[z3.BoolRef],
    assumptions: Assumptions,
) -> list[int]:
    """The addresses in an object that a term can be; none if these are too many.

    Each is asked about alone: for a table of 99 words that takes z3 a hundredth of what it takes to
    find one after the other.
    """
    if len(area) < size or not assumptions.allow(*conditions):
        return []
    first, step = area.start, 1
    for multiple in (4, 2):
        part = z3.URem(address, multiple)
        if not assumptions.allow(*conditions, part != area.start % multiple):
            step = multiple
            break
    places = range(first, area.stop - size + 1, step)
    if len(places) > _MOST:
        values = assumptions.values(address, conditions, _MOST_OTHERS)
        return values if len(values) <= _MOST_OTHERS else []
    return [place for place in places if assumptions.allow(*conditions, address == place)]


def _holds(areas: Sequence[range], address: int, size: int) -> bool:
    return any(address in area and address + size <= area.stop for area in areas)


def _none_of(address: z3.BitVecRef, values: Sequence[int]) -> z3.BoolRef | None:
    condition = simple_condition(z3.And(*(address != one for one in values)))
    return None if isinstance(condition, bool) and not condition else z3.And(condition)
